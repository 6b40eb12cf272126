import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import { type CommandLine, type Job, storedTarget } from '../model/job.ts';
import { type FinalOutcome, finalResults } from '../model/outcome.ts';
import type { Preview } from '../model/preview.ts';
import { rowsOfShard } from '../model/shard.ts';
import type { CanaryLogins, EndedJob } from '../model/summary.ts';
import { zeros } from '../model/zeros.ts';
import type { IssueCounts } from '../rows/count-issues.ts';
import type { JournalDatabase } from './database.ts';
import { isOfFileSql } from './exact-intents.ts';

/** Number of rows with the same result, algorithm and code. */
export interface Count {
  result: FinalOutcome['result'];
  algorithm: HashAlgorithm | null;
  code: string | null;
  rows: number;
  /** How many of these rows have users. */
  users: number;
  /** How many of these rows have users who were found by look-up, because their answers were lost. */
  found: number;
}

export function countOutcomes(connection: JournalDatabase): Count[] {
  return connection.rows<Count>(
    'SELECT result, algorithm, code, count(*) AS rows, count(found_by_look_up) AS found, count(user_id) AS users FROM outcomes GROUP BY result, algorithm, code',
  );
}

export type ResultCounts = Record<FinalOutcome['result'], number>;

/** Sums up rows by result. */
export function resultsOf(counts: readonly Count[]): ResultCounts {
  const results = zeros(finalResults);
  for (const { result, rows } of counts) results[result] += rows;
  return results;
}

/** Returns the number of rows that have a result. */
export function sumOf(results: ResultCounts): number {
  return Object.values(results).reduce((sum, rows) => sum + rows, 0);
}

/** Facts about a job that its runs store, by name. */
export interface JobFacts {
  job: Job;
  /** The command line, for commands that are suggested later. */
  command: CommandLine;
  /** How a dry run found out who is in the tenant, and why that way. */
  asked: string;
  /** Of a live dry run: number of rows whose users an import would create a second time, if there are any. */
  copies: number;
  /** Of a live dry run: number of users to create with an external ID that another user of the tenant has, if there are any. */
  shared_external_ids: number;
  canaries: AlgorithmVerification[];
  /** Number of users that the job is allowed to write. */
  consent: number;
  /** What the job is about to do; of a run that ended early, what it would have done with the rows that it read. */
  preview: Preview;
  issues: IssueCounts;
  /** Of a plan: number of users who were updated, but not in every field, if there are any. */
  updates_in_part: number;
  /** Of an undo: number of rows of the undone job that may be users and are not in the plan, if there are any. */
  unresolved: number;
  /** Result of the canaries of a ramp on the tenant. */
  ramp: CanaryLogins;
  /** Fingerprints of the canaries that logged in to the tenant, with their hashes: no later run tries these again. */
  proved_canaries: readonly string[];
  /** When the last row got its outcome. */
  completed: string;
  /** Result of the last run that ended in good order. */
  ended: EndedJob;
  /** When the personal data of the job was deleted. */
  purged: string;
  /** When an undo began to disable the users of the job, ISO 8601, and the directory of its plan. */
  undone: string;
  undone_by: string;
  /** Of an archived journal: the directory in which the job was started over. */
  replaced_in: string;
  /** Names of the merged shards that were undone; empty or left out if the whole job was. */
  undone_shards: readonly string[];
  /** The high-water mark: rows up to this one may have been sent. */
  may_be_sent: number;
  /** Number of commits; present while a run has the journal, and after one that was cut off. */
  commits: number;
  /** IDs of the first user whom the job is known to have created, for merged shards one of each: when the job began, by the tenant. */
  first_created: readonly string[];
  /** Milliseconds: the longest time that a request of any run may have taken to arrive. */
  request_timeout: number;
  /** Present if the file was corrected since the first run. */
  corrected: 1;
  /** For a corrected file: until when, in epoch milliseconds, a request for a row of an earlier file can still arrive. */
  arrives_until: number;
  /** Key of the fingerprints of the rows. */
  fingerprint_key: string;
}

export function readFacts(connection: JournalDatabase): Partial<JobFacts> {
  const facts = connection.rows<{ name: string; value: string }>('SELECT name, value FROM job');
  const found: Partial<JobFacts> = Object.fromEntries(
    facts.map(({ name, value }) => [name, JSON.parse(value)]),
  );
  const { job } = found;
  return job ? { ...found, job: { ...job, target: storedTarget(job.target, connection.directory) } } : found;
}

/** Stores a fact, which replaces an earlier one of this name. */
export function storeFact<Name extends keyof JobFacts>(
  connection: JournalDatabase,
  name: Name,
  value: JobFacts[Name],
): void {
  connection.prepare('INSERT OR REPLACE INTO job VALUES (?, ?)').run(name, JSON.stringify(value));
}

/** Returns how many rows of a job have no outcome, or did not reach the service. */
export function countUnsent(connection: JournalDatabase, { rows, shard }: Job): number {
  const sent = connection.count("SELECT count(*) FROM outcomes WHERE code IS NOT 'NOT_REACHED'");
  return rowsOfShard(rows, shard) - sent;
}

/**
 * Returns how many rows of a job may have been sent and have no outcome, at most: those up to the high-water mark, and those above it
 * with an intent of their own.
 */
export function countUnanswered(connection: JournalDatabase, { rows: total, shard }: Job): number {
  const mark = readFacts(connection).may_be_sent ?? 0;
  const answered = connection.count('SELECT count(*) FROM outcomes WHERE row <= ?', mark);
  const sql = `SELECT count(*) FROM exact_intents
    WHERE row > ? AND ${isOfFileSql} AND row NOT IN (SELECT row FROM outcomes)`;
  // The high-water mark runs ahead of the rows, possibly beyond the last one.
  return Math.max(rowsOfShard(Math.min(mark, total), shard) - answered, 0) + connection.count(sql, mark);
}

/** SQL: rows of `earlier` whose users are in no row of the corrected file that can be sent. */
export const isWithoutRowSql =
  'line = 0 AND user_id IS NOT NULL AND user_id NOT IN (SELECT user_id FROM outcomes WHERE user_id IS NOT NULL)';

/** Returns the number of users of a job who have no row in its corrected file that can be sent. */
export function countWithoutRow(connection: JournalDatabase): number {
  return connection.count(`SELECT count(DISTINCT user_id) FROM earlier WHERE ${isWithoutRowSql}`);
}

export interface Run {
  /** Epoch milliseconds. */
  started_at: number;
  /** Duration in seconds; `null` for the run under way, and for one that was cut off. */
  seconds: number | null;
  note: string;
}

/** Returns when the first run began, in epoch milliseconds, which tells the job from one that was started over in its directory. */
export function beginOf(connection: JournalDatabase): number | undefined {
  const first = 'SELECT started_at FROM runs ORDER BY run LIMIT 1';
  return connection.row<Pick<Run, 'started_at'>>(first)?.started_at;
}

export function readRuns(connection: JournalDatabase): Run[] {
  return connection.rows<Run>('SELECT started_at, seconds, note FROM runs ORDER BY run');
}

export function countRuns(connection: JournalDatabase): number {
  return connection.count('SELECT count(*) FROM runs');
}

/** A call has so many time limits, one after the other: for a token, for a connection, and for the request itself. */
export const limitsOfCall = 3;

/** Epoch milliseconds at which a run ended; `latest` if it was cut off, or if there was none. */
export function endOfRun(run: Run | undefined, latest: number): number {
  return run?.seconds == null ? latest : run.started_at + run.seconds * 1000;
}
