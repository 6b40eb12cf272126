import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from '@photostructure/sqlite';
import { quotePath } from '../../text/shell-quote.ts';
import { draftOf, pathIn, recogniseFile } from '../directory/job-files.ts';
import { requireOwnDirectory } from '../directory/own-directory.ts';
import { renameDurably, replaceFile } from '../directory/replace-file.ts';
import { removeCommitCount } from '../journal/database/commit-count.ts';
import { type JournalDatabase, openJournalDatabase } from '../journal/database/database.ts';
import { type JobFacts, storeFact } from '../journal/database/job-facts.ts';
import { lockJob, lockJournal } from '../journal/database/lock.ts';
import { hasCreatedUserSql, isBegun } from '../journal/database/tables.ts';
import { countUnanswered } from '../journal/reading/count-outcomes.ts';
import { neverStarted, requireJournal } from '../journal/reading/open-job.ts';
import { JobDirectoryError } from '../model/errors.ts';
import type { EndedJob } from '../model/summary.ts';
import { describeEnded } from '../records/job-status.ts';
import type { PurgedJob } from './evidence-document.ts';
import { type PackOptions, packEvidence } from './pack-evidence.ts';
import { verifyEvidence } from './verify-evidence.ts';

/**
 * Deletes the personal data of a job: lists, reports, what a plan says about people, and every row of the journal, including free
 * pages. Evidence of the result is packed and verified first; the key of its fingerprints is discarded, so that nobody can be
 * identified. Calling it again completes an interrupted purge. Throws a `JobDirectoryError`. `signal` ends it until the evidence was
 * verified; from then on nothing does.
 */
export async function purgeJob(directory: string, options: Omit<PackOptions, 'to'>): Promise<PurgedJob> {
  const path = requireJournal(directory);
  requireOwnDirectory(directory);
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const lock = lockJob(DatabaseSync, directory, options);
  let connection: JournalDatabase | undefined;
  try {
    refuseArchived(DatabaseSync, directory);
    connection = openJournalDatabase(DatabaseSync, path);
    lockJournal(directory, connection);
    const known = isBegun(directory, connection) ? describeEnded(directory, connection) : undefined;
    if (!known?.summary) throw neverStarted(directory);
    const { status, summary } = known;
    const evidence = pathIn(directory, 'evidence.jsonl');
    if (status.state !== 'purged') {
      const to = draftOf(evidence);
      rmSync(to, { force: true });
      await packEvidence(directory, connection, { to, ...options });
      renameDurably(to, evidence);
    }
    const { digest } = await verifyEvidence(evidence, { onRow: () => options.signal?.throwIfAborted() });
    options.signal?.throwIfAborted();
    const deleted = readdirSync(directory).filter((name) => recogniseFile(name)?.isPersonal);
    for (const name of deleted) rmSync(join(directory, name));
    const ended: EndedJob = {
      // If the file was read wrongly, these names of columns and algorithms are cells of it.
      summary: { ...summary, ignored_columns: [], unknown_algorithms: {} },
      isStopped: status.state === 'stopped',
    };
    const purgedAt = status.purged_at ?? new Date(options.now()).toISOString();
    if (status.state !== 'purged') forget(connection, ended, purgedAt);
    removeCommitCount(directory);
    // Otherwise SQLite would keep deleted data in free pages and in its log.
    connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    await replaceFile(pathIn(directory, 'summary.json'), `${JSON.stringify(ended.summary, null, 2)}\n`);
    const left = readdirSync(directory).filter((name) => !recogniseFile(name));
    const beside = findBeside(directory, status.file);
    return {
      job: directory,
      purged_at: purgedAt,
      rows: status.rows,
      evidence,
      digest,
      deleted,
      left,
      beside,
    };
  } finally {
    connection?.close();
    lock.release();
  }
}

/**
 * Returns what is beside the directory and has the name of the file or the directory, such as the file itself, a comparison and an
 * undo; nothing if its parent directory cannot be read.
 */
function findBeside(directory: string, file: string): string[] {
  const own = resolve(directory);
  const [begin, job] = [basename(file), basename(own)];
  const isBeside = (name: string) =>
    name === begin || name.startsWith(`${job}.`) || (name.startsWith(`${begin}.`) && name !== job);
  try {
    return readdirSync(dirname(own)).filter(isBeside).sort();
  } catch {
    return [];
  }
}

/**
 * Throws for the journal of an earlier job that may have changed the tenant: purged with this one, nothing would prove any more what
 * that job did.
 */
function refuseArchived(Database: typeof DatabaseSync, directory: string): void {
  const archived = readdirSync(directory).find((name) => {
    const found = recogniseFile(name);
    const isJournal = found?.name === 'journal.db' && found.state === 'archived';
    return isJournal && mayHaveChanged(Database, directory, name);
  });
  if (archived === undefined) return;
  const own = quotePath(join(directory, archived).replace(/\.db$/, ''));
  throw new JobDirectoryError(
    directory,
    `it holds the journal of an earlier job (${archived}), which alone knows whom that job created`,
    `Give it a directory of its own, and purge that one, too: mkdir -m 700 ${own} && mv ${quotePath(join(directory, archived))} ${own}/journal.db`,
  );
}

/** SQL: true for an outcome of a row that changed the tenant, or may have. */
const mayHaveWrittenSql = `(${hasCreatedUserSql} OR result IN ('updated', 'disabled', 'unknown'))`;

/** True for a journal of a job that changed the tenant, that was cut off, or that cannot be read. */
function mayHaveChanged(Database: typeof DatabaseSync, directory: string, name: string): boolean {
  let connection: JournalDatabase | undefined;
  try {
    connection = openJournalDatabase(Database, join(directory, name), { readOnly: true });
    const known = describeEnded(directory, connection);
    if (!known?.summary || known.status.state === 'crashed') return true;
    if (countUnanswered(connection, known.job) > 0) return true;
    const found = ['outcomes', 'earlier'].map((table) => `SELECT 1 FROM ${table} WHERE ${mayHaveWrittenSql}`);
    return connection.row(`${found.join(' UNION ALL ')} LIMIT 1`) !== undefined;
  } catch {
    return true;
  } finally {
    connection?.close();
  }
}

/** Facts of the journal that say nothing about people. */
const impersonal: readonly (keyof JobFacts)[] = [
  'job',
  'asked',
  'canaries',
  'completed',
  'consent',
  'ended',
  'former_targets',
  'purged',
  'undone',
  'ramp',
  'updates_in_part',
  'unresolved',
];

/** Deletes everything from the journal except its runs and the facts about the job that are not personal. */
function forget(connection: JournalDatabase, ended: EndedJob, purged: string): void {
  connection.exec('BEGIN');
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
  for (const { name } of connection.rows<{ name: string }>(tables))
    if (name !== 'job' && name !== 'runs') connection.exec(`DELETE FROM ${name}`);
  const names = impersonal.map((name) => `'${name}'`).join();
  connection.exec(`DELETE FROM job WHERE name NOT IN (${names})`);
  storeFact(connection, 'ended', ended);
  storeFact(connection, 'purged', purged);
  connection.exec('COMMIT');
}
