import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Summary } from '../../migration/summary.ts';
import { connect } from '../connect.ts';
import { exitCodes } from '../exit-codes.ts';
import { ReportedFailure } from '../failures.ts';
import { numberBetween } from '../parse.ts';
import { showProgress } from '../progress.ts';
import { formatOf, say, show } from '../show.ts';
import type { Session } from '../world.ts';

/** tenant-users import-hashes */
export function addImportHashes(parent: Command, session: Session): void {
  parent
    .command('import-hashes')
    .description('Import users with the password hashes of an older system, from CSV')
    .argument('<file>', 'CSV file with a header of API field names, and algorithm, hash, key')
    .option('--concurrency <number>', 'rows on the wire at the same time', numberBetween(1, 256), 32)
    .option('--job <directory>', 'where the books go (default: <file name>.import)')
    .option('--dry-run', 'read and check the whole file, send nothing')
    .option('--ignore-unknown', 'let columns pass that the API does not know')
    .option('--allow-passwordless', 'let rows pass that have neither algorithm nor hash')
    .addHelpText(
      'after',
      `
Rows that fail do not end the run; they are listed in failures.csv of the job directory, the others in
users.csv with their new user ids. The exit code is 0 only when every row is a user.

Examples:
  $ tenant-users import-hashes legacy.csv --dry-run
  $ tenant-users import-hashes legacy.csv --job cutover --json | jq .codes`,
    )
    .action(async (file, { job = `${basename(file)}.import`, ...options }) => {
      session.endsItself = true;
      const { importHashes } = await import('../../migration/import-hashes.ts');
      const client = await connect(session, { connections: options.concurrency });
      const progress = await showProgress(session);
      const { now, signal } = session;
      const { summary, stoppedBy } = await importHashes(client, {
        file,
        jobDirectory: job,
        ...options,
        now,
        signal,
        onProgress: progress.update,
      }).finally(progress.end);
      await tell(session, summary);
      signal.throwIfAborted();
      if (stoppedBy) throw stoppedBy;
      if (!isDone(summary)) throw new ReportedFailure(exitCodes.partlyDone);
    });
}

function isDone(summary: Summary): boolean {
  const fine = summary.created + summary.existing + (summary.dry_run ? summary.pending : 0);
  return fine === summary.rows;
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

async function tell(session: Session, summary: Summary): Promise<void> {
  const { job, seconds, rows_per_second: rate, codes } = summary;
  await show(session, { rows: [summary], columns: counts });
  if (formatOf(session) !== 'table') return;
  const reasons = Object.entries(codes).sort(([, one], [, other]) => other - one);
  if (reasons.length > 0) {
    const rows = reasons.map(([code, number]) => ({ code, rows: number }));
    await show(session, { rows, columns: ['code', 'rows'] });
  }
  const parts = counts.slice(1).filter((count) => summary[count] > 0);
  say(
    session,
    `${summary.rows} rows = ${parts.map((count) => `${summary[count]} ${count}`).join(' + ') || 0}`,
  );
  say(session, `${seconds.toFixed(1)} s, ${rate} rows a second`);
  const refused = summary.failed + summary.invalid;
  if (refused > 0) say(session, `${refused} rows are not users: see ${job}/failures.csv`);
  if (summary.unknown > 0) {
    say(
      session,
      `${summary.unknown} rows got no answer and may be users: look them up, see ${job}/failures.csv`,
    );
  }
  if (summary.created > 0) say(session, `New user ids: ${job}/users.csv`);
  if (summary.pending > 0 && !summary.dry_run) say(session, `${summary.pending} rows were not sent`);
}
