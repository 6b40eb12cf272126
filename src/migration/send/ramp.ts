import { StoppedError } from '../model/errors.ts';
import type { Outcome } from '../model/outcome.ts';
import { type RowLimit, rowsIn } from '../model/row-limit.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { JobRows } from './launch-rows.ts';
import { isBeyond, isFine } from './watch-outcomes.ts';

/** A stage of a ramp, which ends after a number of rows from the beginning, or after a fraction of all rows. */
export interface RampStage {
  name: string;
  most: RowLimit;
}

export interface StageResult {
  name: string;
  /** Number of rows that got an outcome in the stage. */
  rows: number;
  failed: number;
}

export interface Ramp {
  stages: readonly RampStage[];
  /** Rows that are sent before all others; a stage of their own. */
  first: readonly ValidRow[];
  /** Called when the first rows have their outcomes; if it rejects, the run stops. */
  prove(outcomes: ReadonlyMap<number, Outcome>): Promise<void>;
  onStage?: ((stage: StageResult) => void) | undefined;
}

/**
 * Sends rows in stages: the next begins when every row of the one before has its outcome. A stage with more failures than the limit
 * allows, or without a limit one where nearly all fail, opens the breaker. `total`: number of rows of the job.
 */
export function rampUp(
  run: JobRows,
  { stages, first, prove, onStage }: Ramp,
  control: { breaker: CircuitBreaker; maxFailures: RowLimit | undefined; total: number },
): JobRows {
  const { breaker, maxFailures, total } = control;
  const early = new Set(first.map(({ row }) => row));
  /** Outcomes of the first rows. */
  const outcomes = new Map<number, Outcome>();
  /** Rows of the stage under way that got an outcome. */
  let counts = { rows: 0, failed: 0 };
  /** Rows that were handed out but not selected yet, and rows under way. */
  let waiting = 0;
  let underWay = 0;
  let wake = () => {};

  function whenAllEnded(): Promise<void> {
    return new Promise((resolve) => {
      wake = () => {
        if ((waiting > 0 || underWay > 0) && !breaker.isOpen()) return;
        breaker.signal.removeEventListener('abort', wake);
        resolve();
      };
      breaker.signal.addEventListener('abort', wake);
      wake();
    });
  }

  async function end(name: string): Promise<void> {
    await whenAllEnded();
    if (breaker.isOpen()) return;
    const stage = { name, ...counts };
    counts = { rows: 0, failed: 0 };
    onStage?.(stage);
    if (isBeyond(maxFailures, stage)) breaker.stop(stageFailed(stage));
  }

  function handOut(rows: readonly ValidatedRow[]): readonly ValidatedRow[] {
    waiting += rows.length;
    return rows;
  }

  async function* staged(): AsyncGenerator<readonly ValidatedRow[], void> {
    try {
      if (first.length > 0) {
        yield handOut(first.map((row) => ({ ...row, isExact: true })));
        await end('canaries');
        if (!breaker.isOpen()) await prove(outcomes).catch(breaker.stop);
      }
      const left = stages.map(({ name, most }) => ({ name, upTo: Math.ceil(rowsIn(most, total)) }));
      let sent = first.length;
      for await (const list of run.rows) {
        let from = 0;
        for (const [at, row] of list.entries()) {
          if (breaker.isOpen()) return;
          while (left[0] && left[0].upTo <= sent) left.shift();
          if (!run.isSent(row) || early.has(row.row)) continue;
          sent += 1;
          const [stage] = left;
          if (!stage || sent < stage.upTo || stage.upTo >= total) continue;
          yield handOut(list.slice(from, at + 1).filter(isLater));
          from = at + 1;
          await end(stage.name);
        }
        yield handOut(list.slice(from).filter(isLater));
      }
    } finally {
      await run.rows.return();
    }
  }

  const isLater = ({ row }: ValidatedRow) => !early.has(row);

  return {
    ...run,
    rows: staged(),
    isEarly: (row) => early.has(row),
    select(row) {
      const selected = run.select(row);
      waiting -= 1;
      if (selected?.user) underWay += 1;
      else wake();
      return selected;
    },
    async runRow(row) {
      const isCounted = run.isSent(row);
      const outcome = await run.runRow(row);
      underWay -= 1;
      if (early.has(outcome.row)) outcomes.set(outcome.row, outcome);
      if (isCounted && outcome.result !== 'pending' && run.isWatched(outcome)) {
        counts.rows += 1;
        if (!isFine(outcome)) counts.failed += 1;
      }
      wake();
      return outcome;
    },
  };
}

function stageFailed({ name, rows, failed }: StageResult): StoppedError {
  return new StoppedError(
    'MAX_FAILURES',
    `${failed} of ${rows} rows of the stage ${name} failed, so the next stage was not begun`,
    'See failures.csv in the job directory, fix the cause, then rerun the same command: it resumes where it stopped. --max-failures sets how many of a stage may fail.',
  );
}
