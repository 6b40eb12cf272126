import { usualTimeout } from '../client/client.ts';
import { systemClock, waitOrAbort } from '../client/retry.ts';
import { secondsSince } from '../contract/time.ts';
import type { CanaryList } from './canaries/read-canaries.ts';
import { limitsOfCall } from './journal/database/job-facts.ts';
import { type OpenJournal, openJournal } from './journal/open-journal.ts';
import { countOutcomes } from './journal/reading/count-outcomes.ts';
import { afterSending } from './model/errors.ts';
import type { CommandLine, Job, RunMode } from './model/job.ts';
import { rowsOfShard } from './model/shard.ts';
import { type Summary, unsentRows } from './model/summary.ts';
import type { RateSample } from './rate-limit/history.ts';
import { writeResults } from './report/write-results.ts';
import type { ValidRow } from './rows/validate-rows.ts';
import { createRunControl, type RunControl, type RunControlOptions } from './send/call-api.ts';
import { acceptsToken } from './send/existing-user.ts';
import type { ImportClient } from './send/import-row.ts';
import { createJobMemory } from './send/job-memory.ts';
import { keepRowsYoung } from './send/keep-rows-young.ts';
import type { JobRows } from './send/launch-rows.ts';
import { proveCanaries, type TryCanaries } from './send/prove-canaries.ts';
import { type Ramp, rampUp } from './send/ramp.ts';
import { createTally, type RunListeners, runRows } from './send/run-rows.ts';

export interface JobOptions extends RunControlOptions, RunListeners {
  /** Directory for the journal and the job records; created if missing. */
  jobDirectory: string;
  mode?: RunMode | undefined;
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
}

export interface RampOptions extends Pick<Ramp, 'stages' | 'onStage'> {
  /** Tries the canaries on the tenant; without it, they are not a stage of their own. */
  tryCanaries?: TryCanaries;
}

export interface JobResult {
  summary: Summary;
  /** Number of users whom the run itself created or changed. */
  changed: number;
  /** Why rows were left pending: the failure, or the reason of the signal. */
  stoppedBy?: Error;
  /** The history of the run, in 300 samples at most. */
  history: readonly RateSample[];
}

/** A run of a job, from its lock on the journal until `close`. Its steps are `send`, `complete` and `close`. */
export type JobRun = Awaited<ReturnType<typeof openRun>>;

/**
 * Opens a run of a job, be it an import or the application of a plan. `started`: epoch milliseconds. Rejects with a
 * `JobDirectoryError` if the journal cannot be opened.
 */
export async function openRun(
  client: ImportClient | undefined,
  job: Job,
  started: number,
  options: JobOptions & Pick<OpenJournal, 'runsSeen' | 'carryOver'>,
) {
  const { jobDirectory, version, command, clock = systemClock, now = Date.now } = options;
  const { timeout = usualTimeout, ramp } = options;
  // Our timeout does not end a request: it may wait longer than that in a gateway or in the service.
  const requestTimeout = Math.ceil(Math.max(timeout, usualTimeout) * 1000);
  const journal = await openJournal(jobDirectory, job, { ...options, now });
  const seconds = () => secondsSince(started, now());
  const close = () => journal.close(seconds());
  try {
    // An earlier run may have waited longer for its answers.
    const longest = Math.max(requestTimeout, journal.facts().request_timeout ?? 0);
    journal.set('request_timeout', longest);
    const control: RunControl = {
      ...createRunControl(options),
      acceptsToken: client && (() => acceptsToken(client)),
    };
    const total = rowsOfShard(job.rows, job.shard);
    const tally = createTally(total, countOutcomes(journal.committed()), job.kind === 'dry-run');
    const arrival = limitsOfCall * requestTimeout;
    const memory = createJobMemory(journal, client, control, { now, arrival, longest });
    let heldUntil = 0;
    /** A look-up before a request of an earlier run has arrived would not find the user that it still creates. */
    const held = ({ arrivesUntil = 0 }: ValidRow) => {
      // In case a clock was set back, not longer than a call of the job may take to arrive.
      const wait = Math.min(arrivesUntil - now(), limitsOfCall * longest);
      const { signal } = control.breaker;
      if (wait <= 0 || signal.aborted) return undefined;
      heldUntil = Math.max(heldUntil, now() + wait);
      return waitOrAbort(wait, clock, signal).catch(() => {});
    };
    const heldFor = () => heldUntil - now();
    function inStages(rows: JobRows, { stages, onStage, tryCanaries }: RampOptions): JobRows {
      const { canaries = new Map() } = rows;
      const by = job.kind === 'plan' || job.kind === 'rehearsal' ? job.kind : 'import';
      // A user may be listed twice.
      const first = new Map(tryCanaries ? [...canaries.values()].map((row) => [row.row, row]) : []);
      const ramp: Ramp = {
        stages,
        onStage,
        first: [...first.values()],
        prove: async (outcomes) => tryCanaries && proveCanaries(canaries, journal, outcomes, tryCanaries, by),
      };
      const { ofValues } = journal.fingerprints.open();
      const sending: JobRows = {
        ...rows,
        // The fingerprints of the rows follow only after this stage, and never if the run ends with it.
        async runRow(row) {
          const outcome = await rows.runRow(row);
          if (!first.has(row.row)) return outcome;
          return { ...outcome, sent: outcome.sent ?? { hash: '', ...ofValues(row.user, row.isDisabled) } };
        },
      };
      return rampUp(sending, ramp, {
        breaker: control.breaker,
        maxFailures: options.maxFailures,
        total: rows.toSend ?? total,
      });
    }
    return {
      ...{ journal, control, memory, tally },
      /** Must be called on every path. Never throws. */
      close,
      /** Runs the rows to their outcomes. Rejects with a `JobDirectoryError` if these cannot be written. */
      async send(given: JobRows) {
        const recorded = job.kind === 'dry-run' ? given.rows : journal.fingerprints.record(given.rows);
        const rows: JobRows = { ...given, rows: recorded, held, heldFor };
        const inTurn = ramp && options.mode !== 'only unanswered' ? inStages(rows, ramp) : rows;
        return await keepRowsYoung(total, () => runRows(journal, control, tally, inTurn, options));
      },
      /** Writes the records of the job, from what the journal has by now. Rejects with a `JobDirectoryError`. */
      async complete({
        done,
        changed,
        reason,
        sent,
      }: Awaited<ReturnType<typeof runRows>>): Promise<JobResult> {
        const stoppedBy = afterSending(reason, sent, job.kind === 'plan');
        const history = control.limiter.history();
        const summary = await writeResults(jobDirectory, journal, job, {
          ...{ done, seconds: seconds(), waited: control.gate?.closedSeconds() ?? 0 },
          version,
          command,
          startedAt: started,
          endedAt: now(),
          isStopped: reason !== undefined,
          samples: history,
        });
        // Set last: if a run is cut off before this, the next one writes its records.
        if (unsentRows(summary) + summary.unknown === 0)
          journal.set('completed', new Date(now()).toISOString());
        // The users whom it found are those of the run that was cut off.
        const own = options.mode === 'only unanswered' ? 0 : changed;
        return { summary, changed: own, history, ...(stoppedBy ? { stoppedBy } : {}) };
      },
    };
  } catch (failure) {
    close();
    throw failure;
  }
}

/** Asks a person, and returns how many milliseconds it took: waiting for an answer is no part of a run. */
export async function timeToAsk(
  now: () => number,
  ask: () => void | Promise<void> | undefined,
): Promise<number> {
  const asked = now();
  await ask();
  return now() - asked;
}
