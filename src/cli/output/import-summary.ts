import { pathIn } from '../../migration/directory/job-files.ts';
import type { Forecast } from '../../migration/model/forecast.ts';
import { mostFrequent } from '../../migration/model/most-frequent.ts';
import { rowResults, userResults } from '../../migration/model/outcome.ts';
import { differingUsers, type Summary } from '../../migration/model/summary.ts';
import type { NextStep } from '../../migration/report/texts/advice.ts';
import { shownRows } from '../../migration/report/texts/format.ts';
import type { Notice } from '../../migration/report/texts/notices.ts';
import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { ReportedError } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { describeForecast } from './forecast.ts';
import { countColumns, formatOf, say, sayFile, show, warn } from './show.ts';

/**
 * Throws a `ReportedError` (exit code 7) unless every row is a user, was skipped, or would be sent in a dry run; also if a user has
 * only a part of the row, or is not as a corrected file says, or if the job that was undone may have more users.
 */
export function requireDone(summary: Summary): void {
  const users = userResults.reduce((sum, result) => sum + (summary[result] ?? 0), 0);
  const fine = users + summary.skipped + (summary.dry_run ? summary.pending : 0);
  if (summary.updates_in_part || summary.unresolved || differingUsers(summary) > 0 || fine !== summary.rows)
    throw new ReportedError(exitCodes.partlyDone);
}

const counts = ['rows', ...rowResults] as const;

/** The counts that a summary has: only a plan has all of them. */
function countsOf(summary: Summary) {
  return counts.filter((count) => summary[count] !== undefined);
}

/** Prints the result of an import on stdout, and what it means on stderr. */
export async function printImportSummary(
  context: CommandContext,
  summary: Summary,
  advice: readonly NextStep[],
  notices: readonly Notice[],
  forecast?: Forecast,
): Promise<void> {
  const duration = forecast && describeForecast(forecast);
  const shown = duration === undefined ? summary : { ...summary, forecast };
  const columns = countColumns(context, [shown], countsOf(summary), ['skipped']);
  await show(context, { rows: [shown], columns });
  if (formatOf(context) !== 'table') return;
  if (!context.options.columns) await showReasons(context, summary);
  const names = Object.entries(summary.unknown_algorithms);
  if (names.length > 0) {
    const listed = names.map(([name, number]) => `${name} (${formatCount(number)})`).join(', ');
    say(context, `Algorithms that the API does not accept: ${listed}`);
  }
  say(context, describeCounts(summary));
  say(context, describeDuration(summary));
  if (duration !== undefined) say(context, `The import: ${duration}`);
  for (const { text, isWarning } of notices) (isWarning ? warn : say)(context, text);
  sayRowsLeft(context, summary);
  const { found_by_look_up: lost } = summary;
  if (lost > 0) say(context, describeFound(lost));
  if (summary.ramp) {
    const { rampNotice } = await import('../../migration/report/verdict.ts');
    const { text, isWarning } = rampNotice(summary.ramp);
    if (isWarning) warn(context, text);
  }
  if (summary.asked !== undefined) say(context, `Tenant asked by ${summary.asked}`);
  if (summary.existing > 0 && !summary.plan) say(context, describeExisting(summary));
  const { job } = summary;
  if (summary.created + summary.existing + (summary.updated ?? 0) + (summary.disabled ?? 0) > 0)
    sayFile(context, 'User ids:', pathIn(job, 'users.csv'));
  sayFile(context, 'Report:', pathIn(job, 'report.html'));
  sayNext(context, advice);
}

/** Prints why rows did not become users: rows by code, and by all their issues if some rows have several. */
async function showReasons(context: CommandContext, { codes, issues }: Summary): Promise<void> {
  const reasons = mostFrequent(codes);
  if (reasons.length > 0) {
    const rows = reasons.map(([code, number]) => ({ code, rows: number }));
    await show(context, { rows, columns: ['code', 'rows'] });
  }
  const found = Object.entries(issues);
  if (found.every(([code, number]) => number === codes[code])) return;
  say(context, 'Each of these rows counts for its first issue. All issues:');
  const rows = found.map(([issue, number]) => ({ issue, rows: number }));
  await show(context, { rows, columns: ['issue', 'rows'] });
}

/** Says how long a run took. Leaves out the rate if it is meaningless: below one second, or if nothing was sent. */
function describeDuration({
  seconds,
  waited_seconds: waited,
  rows_per_second: rate,
  dry_run,
}: Summary): string {
  const pace = seconds < 1 || rate === 0 || dry_run ? '' : `, ${formatCount(rate)} rows per second`;
  const rest = waited === undefined ? '' : `, of which ${waited.toFixed(1)} s waiting for the window`;
  return `Took ${seconds.toFixed(1)} s${rest}${pace}`;
}

/** Says how many rows are not users, or may not be, and where they are listed. */
function sayRowsLeft(context: CommandContext, summary: Summary): void {
  const details = pathIn(summary.job, 'failures.csv');
  const rejected = summary.failed + summary.invalid + summary.conflict - (summary.stayed_enabled ?? 0);
  if (rejected > 0) {
    const done = summary.plan === undefined ? 'not imported' : 'left alone';
    const what = summary.dry_run ? 'would be rejected' : `${rejected === 1 ? 'was' : 'were'} ${done}`;
    sayFile(context, `${formatCount(rejected, 'row')} ${what}. Details:`, details, 'yellow');
  }
  const { unknown } = summary;
  if (unknown === 0) return;
  const text = `${formatCount(unknown, 'row')} got no response and may have been imported. Details:`;
  sayFile(context, text, details);
}

/** Says what to do next, with the first command of each step; one that several steps have only once. */
export function sayNext(context: CommandContext, advice: readonly NextStep[]): void {
  for (const [index, { text, commands }] of advice.entries()) {
    say(context, `Next: ${text}`);
    const [command] = commands;
    if (command && command !== advice[index + 1]?.commands[0]) say(context, `  ${command}`);
  }
}

/** Describes users that count as created although no answer said so. */
function describeFound(found: number): string {
  return found === 1
    ? '1 of the created users was found by look-up: the answer to its request was lost'
    : `${formatCount(found)} of the created users were found by look-up: the answers to their requests were lost`;
}

/** Explains that existing users keep their passwords: the API cannot change them, so a corrected hash has no effect. */
function describeExisting({ existing, dry_run: isDry }: Summary): string {
  const [was, were] = isDry ? ['would not be', 'would not be'] : ['was not', 'were not'];
  return existing === 1
    ? `1 user was already there and keeps the password stored then: the hash of the row ${was} sent again`
    : `${formatCount(existing)} users were already there and keep the passwords stored then: the hashes of these rows ${were} sent again`;
}

/** Formats the counts as a line; they add up to the number of rows. */
function describeCounts(summary: Summary): string {
  const ready = summary.asked === undefined ? 'ready to import' : 'would be created';
  const name = (count: (typeof counts)[number]) => (summary.dry_run && count === 'pending' ? ready : count);
  const parts = countsOf(summary)
    .slice(1)
    .flatMap((count) => (summary[count] ? [`${formatCount(summary[count])} ${name(count)}`] : []));
  return [shownRows(summary), parts.join(', ')].filter(Boolean).join(': ');
}
