import type { Journal } from '../journal/journal.ts';
import { type Count, resultsOf, sumOf } from '../journal/reading/count-outcomes.ts';
import { type FinalOutcome, hasChangedUser } from '../model/outcome.ts';
import type { Progress } from '../model/summary.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import type { SendingWindow } from '../rate-limit/sending-window.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { RunControl } from './call-api.ts';
import { type JobRows, launchRows } from './launch-rows.ts';

export interface RunListeners {
  /** Called when there are new outcomes. */
  onProgress?: ((progress: Progress, limits: () => RunLimits) => void) | undefined;
  /** Called when the window closes, with the time at which it opens (epoch milliseconds), and with `undefined` when it opens. */
  onWindow?: ((opensAt: number | undefined) => void) | undefined;
}

/** How fast a run may send at the moment. */
export interface RunLimits extends ReturnType<RateLimiter['limits']> {
  /** Milliseconds without an answer of the service; 0 while it answers. */
  silence: number;
  /** Milliseconds that rows still wait for requests of an earlier run. */
  heldFor?: number | undefined;
  /** When the window of the run opens, in epoch milliseconds; left out while it is open. */
  opensAt?: number | undefined;
  window?: SendingWindow | undefined;
}

/** Runs rows to their outcomes and records these in the journal: the main loop of an import, and of applying a plan. */
export async function runRows(
  journal: Journal,
  { limiter, breaker, gate }: RunControl,
  tally: Tally,
  run: JobRows,
  { onProgress, onWindow }: RunListeners = {},
) {
  const { isSending, isEarly, isWatched } = run;
  let lastUnknown = 0;
  let sent = 0;
  let changed = 0;
  /**
   * Numbers of the rows that were taken and have no outcome yet, in the order in which they were taken. No map of the rows: the
   * tables that it outgrows would keep each other's rows in memory.
   */
  const underWay: number[] = [];
  /** Those of them whose users are there already, and are looked up. */
  const again = new Map<number, ValidRow>();
  const take = (row: ValidatedRow) => {
    const taken = run.select(row);
    if (taken) underWay.push(taken.row);
    if (taken?.user && taken.enabled) again.set(taken.row, taken);
    return taken;
  };
  function report(isAtOnce: boolean): void {
    const opensAt = gate?.opensAt();
    // No intent follows for a long time that would commit it.
    if (opensAt !== undefined) journal.committed();
    journal.report(
      () => ({
        ...tally.progress(),
        results: tally.results(),
        ...(gate ? { window: gate.window } : {}),
        ...(opensAt === undefined ? {} : { opens_at: new Date(opensAt).toISOString() }),
      }),
      // Other processes see this state until the window opens.
      isAtOnce || opensAt !== undefined,
    );
    onProgress?.(tally.progress(), () => ({
      ...limiter.limits(),
      silence: breaker.silence(),
      heldFor: run.heldFor?.(),
      opensAt: gate?.opensAt(),
      window: gate?.window,
    }));
  }

  // Without this, a service that does not answer would look like a file that is still being checked.
  report(true);

  gate?.onChange((opensAt) => {
    try {
      report(true);
    } catch (failure) {
      // The limiter calls this from a timer, where nothing would catch it.
      breaker.stop(failure);
    }
    onWindow?.(opensAt);
  });
  const imported = launchRows({ ...run, select: take }, { concurrency: limiter.concurrency, breaker });
  for await (const outcomes of imported) {
    for (const outcome of outcomes) {
      const isInTurn = !isEarly(outcome.row);
      const isUnknown = outcome.result === 'pending' ? outcome.mayHaveBeenSent : outcome.result === 'unknown';
      if (isUnknown && isInTurn) lastUnknown = Math.max(lastUnknown, outcome.row);
      if (outcome.result !== 'pending') {
        journal.record(outcome);
        tally.add(outcome.result);
        const row = again.get(outcome.row);
        // The user of a row that is looked up again was created by an earlier run; this one can only have disabled them.
        const isAsBefore = outcome.result === 'failed' || 'isDisabled' in outcome;
        const isLeft = row && (isAsBefore || !row.isDisabled);
        if (hasChangedUser(outcome) && !isLeft) changed += 1;
        if (outcome.result !== 'invalid' && outcome.result !== 'skipped') sent += 1;
      } else if (!isSending) tally.pass();
      else if (!outcome.mayHaveBeenSent) journal.withdraw(outcome.row);
      const sentBefore = underWay.indexOf(outcome.row);
      underWay.splice(sentBefore, 1);
      again.delete(outcome.row);
      if (isSending && isWatched(outcome)) breaker.watch(outcome, { all: underWay.length, sentBefore });
    }
    report(false);
  }
  journal.lowerWatermark(lastUnknown);
  return {
    /** Rows that got an outcome in this run. */
    done: tally.doneNow(),
    /** Users whom this run created or changed. */
    changed,
    /** Why rows were left pending. */
    reason: breaker.reason(),
    /** Rows that were sent in this run, as far as they have an outcome. */
    sent,
  };
}

type Result = FinalOutcome['result'];

export type Tally = ReturnType<typeof createTally>;

/** Counts outcomes, starting with those of earlier runs of the job. */
export function createTally(total: number, earlier: readonly Count[], isCheck: boolean) {
  const results = resultsOf(earlier);
  let before = sumOf(results);
  let done = before;
  return {
    /** Counts a row that was checked and is not sent. */
    pass(): void {
      done += 1;
    },
    add(result: Result): void {
      results[result] += 1;
      done += 1;
    },
    /** Takes back the outcome of an earlier run, which another one replaces. */
    takeBack(result: Result): void {
      results[result] -= 1;
      done -= 1;
      before -= 1;
    },
    /** Number of rows that got an outcome in this run. */
    doneNow: () => done - before,
    /** Number of rows by outcome, including those of earlier runs. */
    results: () => results,
    progress(): Progress {
      const { created, updated, disabled, conflict, failed, unknown, invalid } = results;
      const changed = updated + disabled;
      return {
        total,
        done,
        created,
        ...(changed > 0 ? { changed } : {}),
        failed: conflict + failed + unknown,
        invalid,
        isCheck,
      };
    },
  };
}
