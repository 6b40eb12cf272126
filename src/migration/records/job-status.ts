import { setTimeout as sleep } from 'node:timers/promises';
import { secondsSince } from '../../contract/time.ts';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { readFacts, readRuns } from '../journal/database/job-facts.ts';
import { readRunningJob } from '../journal/database/lock.ts';
import { sumOf } from '../journal/reading/count-outcomes.ts';
import { JobDirectoryError } from '../model/errors.ts';
import type { CommandLine, Job } from '../model/job.ts';
import type { JobStatus } from '../model/job-status.ts';
import { finalResults, type RowResult, rowResults } from '../model/outcome.ts';
import { rowsOfShard } from '../model/shard.ts';
import { type Summary, unsentRows } from '../model/summary.ts';
import { zeros } from '../model/zeros.ts';
import { secondsLeft } from '../rate-limit/sending-window.ts';
import { openRecords } from './open-records.ts';
import { summarize } from './summarize.ts';

/** The status of a job, with what is needed to suggest what to do next. */
export interface KnownJob {
  job: Job;
  status: JobStatus;
  /** Left out while a run lasts. */
  summary?: Summary;
  command?: CommandLine;
}

/** Milliseconds to wait while a run is beginning or ending. */
const aMoment = 50;

/** Reads the status of a job without locking or changing anything. `now`: epoch milliseconds. Throws a `JobDirectoryError`. */
export async function readJobStatus(directory: string, now: () => number): Promise<KnownJob> {
  for (let attempt = 1; ; attempt += 1) {
    const records = await openRecords(directory);
    try {
      const known = records
        ? describeEnded(directory, records.connection, records.isCutOff)
        : runningJob(directory, now());
      if (known) return known;
    } finally {
      records?.close();
    }
    if (attempt === 3)
      throw new JobDirectoryError(directory, 'a run of it is just beginning or ending', 'Ask again.');
    await sleep(aMoment);
  }
}

function runningJob(directory: string, now: number): KnownJob | undefined {
  const run = readRunningJob(directory);
  if (!run?.job) return undefined;
  const { pid, host, started_at, job, progress } = run;
  const { kind, file, target } = job;
  const rows = progress?.total ?? rowsOfShard(job.rows, job.shard);
  const counts = { ...zeros(finalResults), ...progress?.results };
  const { updated, disabled, ...results } = counts;
  const done = sumOf(counts);
  const opensAt = progress?.opens_at;
  const rate = opensAt === undefined ? (progress?.rows_per_second ?? 0) : 0;
  const { window, done: ended = 0 } = progress ?? {};
  const left = secondsLeft(rate > 0 ? (rows - ended) / rate : Infinity, { now, window });
  const status: JobStatus = {
    job: directory,
    kind,
    state: 'running',
    file,
    target,
    started_at,
    seconds: secondsSince(Date.parse(started_at), now),
    process: { pid, host, last_outcome_at: progress?.at ?? null },
    rows_per_second: Math.round(rate),
    seconds_left: left === undefined ? null : Math.round(left),
    ...(opensAt === undefined ? {} : { waiting_until: opensAt }),
    rows,
    ...results,
    ...(kind === 'plan' ? { updated, disabled } : {}),
    pending: rows - done,
    verified: shownVerifications(progress?.canaries ?? []),
  };
  return { job, status };
}

/** Returns the status of a job that no run has open; `undefined` if it was not begun. `isCutOff`: its last run was cut off. */
export function describeEnded(
  directory: string,
  connection: JournalDatabase,
  isCutOff = false,
): KnownJob | undefined {
  const {
    job,
    ended,
    former_targets: former,
    purged,
    undone,
    undone_shards: shards = [],
    command,
    canaries = [],
  } = readFacts(connection);
  const runs = readRuns(connection);
  const last = runs.at(-1);
  if (!job || !last) return undefined;
  const whole = ended?.summary ?? summarize(connection, job, { job: directory });
  const summary = { ...whole, job: directory };
  // What ends a run after the last row has stopped nothing. In a dry run, every valid row stays pending.
  const isStopped = ended?.isStopped && (summary.dry_run || unsentRows(summary) > 0);
  const isLeft = isStopped || (summary.pending > 0 && !summary.dry_run);
  // The log of SQLite alone may be that of a purge which was cut off: a run would not have ended.
  const isCrashed = !ended || (isCutOff && last.seconds === null);
  const state = isCrashed ? 'crashed' : isLeft ? 'stopped' : 'finished';
  const counts = Object.fromEntries(rowResults.map((result) => [result, summary[result]])) as Pick<
    Summary,
    RowResult
  >;
  const status: JobStatus = {
    job: directory,
    kind: job.kind,
    state: purged === undefined ? state : 'purged',
    file: job.file,
    target: job.target,
    ...(former ? { former_targets: [...former] } : {}),
    runs: runs.length,
    started_at: new Date(last.started_at).toISOString(),
    seconds: last.seconds,
    ...(purged === undefined ? {} : { purged_at: purged }),
    ...(undone === undefined ? {} : { undone_at: undone }),
    ...(shards.length > 0 ? { undone_shards: [...shards] } : {}),
    rows: summary.rows,
    ...(summary.in_no_row === undefined ? {} : { in_no_row: summary.in_no_row }),
    ...counts,
    ...(summary.disabled_after_create === undefined
      ? {}
      : { disabled_after_create: summary.disabled_after_create }),
    ...(summary.unanswered === undefined ? {} : { unanswered: summary.unanswered }),
    verified: shownVerifications(canaries),
    not_verified: summary.not_verified,
    ...(summary.ramp ? { ramp: summary.ramp } : {}),
  };
  return { job, status, summary, ...(command ? { command } : {}) };
}

function shownVerifications(verifications: readonly AlgorithmVerification[]): JobStatus['verified'] {
  return verifications.map(({ algorithm, tried, matched }) => ({ algorithm, tried, matched }));
}
