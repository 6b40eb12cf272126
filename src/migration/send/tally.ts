import { type Count, resultsOf, sumOf } from '../journal/read-journal.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { Progress } from '../model/summary.ts';

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
