import type { Summary } from '../migration/summary.ts';
import { exitCodes } from './exit-codes.ts';
import { ReportedFailure } from './failures.ts';
import { formatOf, say, show } from './show.ts';
import type { Session } from './world.ts';

/** Throws what makes the exit code 7, unless every row is a user (or would be sent, in a dry run). */
export function requireDone(summary: Summary): void {
  const fine = summary.created + summary.existing + (summary.dry_run ? summary.pending : 0);
  if (fine !== summary.rows) throw new ReportedFailure(exitCodes.partlyDone);
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
export async function tellImport(session: Session, summary: Summary): Promise<void> {
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
  // A rate over less than a second says nothing.
  say(session, `${seconds.toFixed(1)} s${seconds < 1 ? '' : `, ${rate} rows a second`}`);
  const refused = summary.failed + summary.invalid + summary.conflict;
  if (refused > 0) {
    const whom = refused === 1 ? '1 row is not a user' : `${refused} rows are not users`;
    say(session, `${whom}: see ${job}/failures.csv`, 'yellow');
  }
  if (summary.unknown > 0) {
    say(
      session,
      `${summary.unknown} rows got no answer and may be users: look them up, see ${job}/failures.csv`,
    );
  }
  if (summary.created > 0) say(session, `New user ids: ${job}/users.csv`);
  if (summary.pending > 0 && !summary.dry_run) say(session, `${summary.pending} rows were not sent`);
  say(session, `Report: ${job}/report.html`);
}
