import type { Summary } from '../../migration/model/summary.ts';
import type { Advice } from '../../migration/report/advice.ts';
import type { CommandContext } from '../context/context.ts';
import { ReportedError } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { formatOf, say, show } from './show.ts';

/** Throws what makes the exit code 7, unless every row is a user (or would be sent, in a dry run). */
export function requireDone(summary: Summary): void {
  const fine = summary.created + summary.existing + (summary.dry_run ? summary.pending : 0);
  if (fine !== summary.rows) throw new ReportedError(exitCodes.partlyDone);
}

const counts = [
  'rows',
  'created',
  'existing',
  'conflict',
  'failed',
  'invalid',
  'unknown',
  'pending',
] as const;

/** Shows what an import came to, on stdout, and says to a person what it means. */
export async function printImportSummary(
  context: CommandContext,
  summary: Summary,
  advice: readonly Advice[],
): Promise<void> {
  const { job, seconds, rows_per_second: rate, codes } = summary;
  await show(context, { rows: [summary], columns: counts });
  if (formatOf(context) !== 'table') return;
  const reasons = Object.entries(codes).sort(([, one], [, other]) => other - one);
  if (reasons.length > 0 && !context.options.columns) {
    const rows = reasons.map(([code, number]) => ({ code, rows: number }));
    await show(context, { rows, columns: ['code', 'rows'] });
  }
  const parts = counts.slice(1).filter((count) => summary[count] > 0);
  say(
    context,
    `${summary.rows} rows = ${parts.map((count) => `${summary[count]} ${count}`).join(' + ') || 0}`,
  );
  // A rate over less than a second says nothing, nor does that of a run which sends nothing.
  const pace = seconds < 1 || summary.dry_run ? '' : `, ${rate} rows per second`;
  say(context, `Took ${seconds.toFixed(1)} s${pace}`);
  const rejected = summary.failed + summary.invalid + summary.conflict;
  if (rejected > 0) {
    const were = summary.dry_run
      ? 'would be rejected'
      : rejected === 1
        ? 'was not imported'
        : 'were not imported';
    say(
      context,
      `${rejected} ${rejected === 1 ? 'row' : 'rows'} ${were}. Details: ${job}/failures.csv`,
      'yellow',
    );
  }
  if (summary.unknown > 0) {
    say(
      context,
      `${summary.unknown} rows got no response and may have been imported: see ${job}/failures.csv`,
    );
  }
  if (summary.created > 0) say(context, `New user ids: ${job}/users.csv`);
  say(context, `Report: ${job}/report.html`);
  for (const { text } of advice) say(context, `Next: ${text}`);
}
