import type { Summary } from '../../migration/model/summary.ts';
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
export async function printImportSummary(session: CommandContext, summary: Summary): Promise<void> {
  const { job, seconds, rows_per_second: rate, codes } = summary;
  await show(session, { rows: [summary], columns: counts });
  if (formatOf(session) !== 'table') return;
  const reasons = Object.entries(codes).sort(([, one], [, other]) => other - one);
  if (reasons.length > 0 && !session.options.columns) {
    const rows = reasons.map(([code, number]) => ({ code, rows: number }));
    await show(session, { rows, columns: ['code', 'rows'] });
  }
  const parts = counts.slice(1).filter((count) => summary[count] > 0);
  say(
    session,
    `${summary.rows} rows = ${parts.map((count) => `${summary[count]} ${count}`).join(' + ') || 0}`,
  );
  // A rate over less than a second says nothing, nor does that of a run which sends nothing.
  const pace = seconds < 1 || summary.dry_run ? '' : `, ${rate} rows per second`;
  say(session, `Took ${seconds.toFixed(1)} s${pace}`);
  const refused = refusedOf(summary);
  if (refused > 0) {
    const [one, many] = summary.dry_run
      ? ['would not become a user', 'would not become users']
      : ['is not a user', 'are not users'];
    const whom = refused === 1 ? `1 row ${one}` : `${refused} rows ${many}`;
    say(session, `${whom}: see ${job}/failures.csv`, 'yellow');
  }
  if (summary.unknown > 0) {
    say(
      session,
      `${summary.unknown} rows got no response and may have been imported: see ${job}/failures.csv`,
    );
  }
  if (summary.created > 0) say(session, `New user ids: ${job}/users.csv`);
  if (summary.pending > 0 && !summary.dry_run) say(session, `${summary.pending} rows were not sent`);
  say(session, `Report: ${job}/report.html`);
  const next = nextStep(summary);
  if (next) say(session, `Next: ${next}`);
}

function refusedOf({ failed, invalid, conflict }: Summary): number {
  return failed + invalid + conflict;
}

/** What a person does next; nothing where all is done, or where the run was stopped, which says it itself. */
function nextStep(summary: Summary): string | undefined {
  const refused = refusedOf(summary);
  if (summary.dry_run) {
    return refused > 0
      ? 'fix these rows, or run without --dry-run to import the others'
      : 'use --rehearse instead of --dry-run to try the import on a temporary tenant';
  }
  if (refused === 0 || summary.pending > 0 || summary.rehearsal) return undefined;
  return "fix these rows (or relax the tenant's rules), then rerun with --only failed";
}
