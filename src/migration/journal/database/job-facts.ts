import type { AlgorithmVerification } from '../../canaries/verify-canaries.ts';
import { type CommandLine, type Job, storedTarget } from '../../model/job.ts';
import type { Preview } from '../../model/preview.ts';
import type { CanaryLogins, EndedJob } from '../../model/summary.ts';
import type { IssueCounts } from '../../rows/issues/count-issues.ts';
import type { JournalDatabase } from './database.ts';

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
  /** Where the tenant of the job was before it got another address or application, and until when (ISO 8601). */
  former_targets: readonly { target: Job['target']; until: string }[];
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
