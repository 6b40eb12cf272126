import { usualTimeout } from '../client/client.ts';
import { systemClock } from '../client/retry.ts';
import { secondsSince } from '../contract/time.ts';
import type { Canary, CanaryList } from './canaries/read-canaries.ts';
import type { Journal } from './journal/journal.ts';
import { type EarlierJournal, type OpenJournal, openJournal } from './journal/open-journal.ts';
import { limitsOfCall } from './journal/read-journal.ts';
import { type CommandLine, isRealJob, type Job } from './model/job.ts';
import { rowsOfShard } from './model/shard.ts';
import { type Progress, type Summary, unsentRows } from './model/summary.ts';
import type { RateSample } from './rate-limit/history.ts';
import { writeResults } from './report/write-results.ts';
import type { ValidatedRow, ValidRow } from './rows/validate-rows.ts';
import { createRunControl, type RunControl, type RunControlOptions } from './send/call-api.ts';
import { acceptsToken } from './send/existing-user.ts';
import { holdRow } from './send/hold-row.ts';
import type { ImportClient } from './send/import-row.ts';
import { createJobMemory, type JobMemory } from './send/job-memory.ts';
import { proveCanaries, type TryCanaries } from './send/prove-canaries.ts';
import { type Ramp, rampUp } from './send/ramp.ts';
import { type RowRun, type RunLimits, runRows } from './send/run-rows.ts';
import { createTally, type Tally } from './send/tally.ts';

/** Options of every run of a job. */
export interface JobOptions extends RunControlOptions, EarlierJournal {
  /** Directory for the journal and the job records; created if missing. */
  jobDirectory: string;
  /** Identifies the tenant in the journal: base URL and client id. */
  target: Readonly<Record<string, string>>;
  /** Version of the program, for the report. */
  version: string;
  /** Seconds after which the client gives up a request, which then has arrived or never will; by default as the client. */
  timeout?: number | undefined;
  /** The command line, for the commands in the report. */
  command?: CommandLine | undefined;
  /** Users whose passwords are known: a hash that does not match stops the run before anything is sent. */
  canaries?: CanaryList | undefined;
  /** Send the rows in stages, the canaries first. */
  ramp?: RampOptions | undefined;
  /** Called when the run has opened the journal. */
  onJob?: (job: Job) => void;
  /** Called when there are new outcomes. */
  onProgress?: (progress: Progress, limits: () => RunLimits) => void;
  /** Called when the window closes, with the epoch milliseconds at which it opens, and with `undefined` when it has opened. */
  onWindow?: (opensAt: number | undefined) => void;
}

/** How the rows of a job are sent in stages. */
export interface RampOptions extends Pick<Ramp, 'stages' | 'onStage'> {
  /** Tries the canaries on the tenant; without it, they are not a stage of their own. */
  tryCanaries?: TryCanaries;
}

/** The result of a run of a job. */
export interface JobResult {
  summary: Summary;
  /** Why rows were left pending: the failure, or the reason of the signal. */
  stoppedBy?: Error;
  /** The history of the run, in 300 samples at most. */
  history: readonly RateSample[];
}

/** What a run works with, once its journal is open. */
export interface OpenJob {
  journal: Journal;
  control: RunControl;
  memory: JobMemory;
  tally: Tally;
}

/** What a run does with its rows. */
export interface JobRows extends Omit<RowRun, 'held' | 'onProgress' | 'onWindow' | 'isEarly'> {
  /** Rows of canaries that a ramp sends first. */
  canaries?: ReadonlyMap<Canary, ValidRow> | undefined;
  /** Returns false for a row for which nothing is sent: a ramp does not count it. */
  isSent?: (row: ValidatedRow) => boolean;
  /** Number of rows that `isSent` counts, of which a stage of a ramp may be a fraction; all rows if it is not known. */
  toSend?: number | undefined;
  /** Called when all rows have been run, before the records are written. */
  onEnd?(): void;
}

/**
 * Runs the rows of a job, and writes its records. Used by an import and by the application of a plan. `started`: epoch
 * milliseconds. Rejects with a `JobDirectoryError` if the journal or the records cannot be written, or with what `prepare` throws.
 */
export async function runJob(
  client: ImportClient | undefined,
  job: Job,
  started: number,
  options: JobOptions & Pick<OpenJournal, 'runsSeen'>,
  prepare: (open: OpenJob) => JobRows,
): Promise<JobResult> {
  const { jobDirectory, version, command, onProgress, clock = systemClock, now = Date.now } = options;
  const { timeout = usualTimeout, ramp } = options;
  // Our timeout does not end a request: it may wait longer than that in a gateway or in the service.
  const requestTimeout = Math.ceil(Math.max(timeout, usualTimeout) * 1000);
  const journal = await openJournal(jobDirectory, job, { ...options, now });
  const seconds = () => secondsSince(started, now());
  try {
    // An earlier run may have waited longer for its answers.
    const longest = Math.max(requestTimeout, journal.facts().request_timeout ?? 0);
    journal.set('request_timeout', longest);
    const control: RunControl = {
      ...createRunControl(options),
      acceptsToken: client && (() => acceptsToken(client)),
    };
    const total = rowsOfShard(job.rows, job.shard);
    const tally = createTally(total, journal.counts(), job.kind === 'dry-run');
    const memory = createJobMemory(journal, client, control, {
      now,
      arrival: limitsOfCall * requestTimeout,
      longest,
    });
    const rows = prepare({ journal, control, memory, tally });
    const waits = { clock, now, longest: limitsOfCall * longest, signal: control.breaker.signal };
    const recorded = {
      ...rows,
      rows: isRealJob(job.kind) ? journal.fingerprints.record(rows.rows) : rows.rows,
    };
    const { done, reason } = await runRows(journal, control, tally, {
      ...(ramp && !options.onlyUnanswered
        ? inStages(recorded, ramp, { ...options, job, journal, control, total: rows.toSend ?? total })
        : { ...recorded, isEarly: () => options.onlyUnanswered === true }),
      held: (row) => holdRow(row, waits),
      onProgress,
      onWindow: options.onWindow,
    });
    const history = control.limiter.history();
    rows.onEnd?.();
    const run = { done, seconds: seconds(), waited: control.gate?.closedSeconds() ?? 0 };
    const summary = await writeResults(jobDirectory, journal, job, run, {
      version,
      command,
      startedAt: started,
      endedAt: now(),
      isStopped: reason !== undefined,
      samples: history,
    });
    // Set last: if a run is cut off before this, the next one writes its records.
    if (unsentRows(summary) + summary.unknown === 0) journal.set('completed', new Date(now()).toISOString());
    return { summary, history, ...(reason ? { stoppedBy: reason } : {}) };
  } finally {
    journal.close(seconds());
  }
}

function inStages(
  rows: JobRows,
  { stages, onStage, tryCanaries }: RampOptions,
  {
    job,
    journal,
    control,
    maxFailures,
    total,
  }: Pick<OpenJob, 'journal' | 'control'> & Pick<JobOptions, 'maxFailures'> & { job: Job; total: number },
) {
  const { canaries = new Map() } = rows;
  const by = job.kind === 'plan' || job.kind === 'rehearsal' ? job.kind : 'import';
  const ramp: Ramp = {
    stages,
    onStage,
    // A user may be listed twice.
    first: tryCanaries ? [...new Map([...canaries.values()].map((row) => [row.row, row])).values()] : [],
    prove: async (outcomes) => tryCanaries && proveCanaries(canaries, journal, outcomes, tryCanaries, by),
  };
  return rampUp(rows, ramp, { breaker: control.breaker, maxFailures, total }, rows.isSent);
}
