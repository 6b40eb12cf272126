import { formatCount } from '../../text/format-count.ts';
import { StoppedError } from '../model/errors.ts';
import { type Outcome, userResults } from '../model/outcome.ts';
import { describeRowLimit, isExceeded, type RowLimit, rowsIn } from '../model/row-limit.ts';

/** Number of latest outcomes that are judged together. */
const remembered = 200;
/** Number of outcomes that suffice if not one row has been accepted since the run began. */
const fromTheStart = 50;
const dominant = 0.95;

const fine: ReadonlySet<string> = new Set(userResults);
/** Results that do not show whether the service accepts the rows. */
const unsent: ReadonlySet<string> = new Set(['invalid', 'skipped', 'pending']);

/** Rows that were sent and have no answer yet. They may all become users. */
export interface Unanswered {
  /** Number of all of them. */
  all: number;
  /** Number of those that were sent before the row whose outcome came. */
  sentBefore: number;
}

/**
 * Distinguishes scattered bad rows from an error that every row has: of the last 200 outcomes, 95 % have the same error code and
 * none is a user; 50 are enough if there has never been a user. Returns why the run must stop, if it must. A limit of 100 % turns
 * this off.
 *
 * A service refuses a row sooner than it creates a user, so with many rows in flight the first answers may all be API errors. So
 * rows without an answer count as users: in a percentage all of them, and among failures those that were sent before.
 */
export function watchOutcomes(limit?: RowLimit) {
  const isBoundless = limit !== undefined && 'fraction' in limit && limit.fraction >= 1;
  /** Codes of the latest outcomes. */
  const last: string[] = [];
  let sinceFine = 0;
  let done = 0;
  let failed = 0;
  let hasFine = false;

  function systemic(outcome: Outcome, sentBefore: number): StoppedError | undefined {
    const code = 'code' in outcome ? (outcome.code ?? '') : '';
    last.push(code);
    if (last.length > remembered) last.shift();
    if (fine.has(outcome.result)) {
      hasFine = true;
      sinceFine = 0;
      return undefined;
    }
    sinceFine += 1;
    if (isBoundless || sinceFine < (hasFine ? remembered : fromTheStart)) return undefined;
    if (last.filter((one) => one === code).length < dominant * last.length) return undefined;
    if (sinceFine < dominant * (sinceFine + sentBefore)) return undefined;
    const message = 'message' in outcome ? outcome.message : '';
    return new StoppedError(
      'SYSTEMIC',
      `the last ${sinceFine} rows that were sent all failed, nearly all with ${code} (${message})`,
      'Fix the cause, then rerun the same command: it resumes where it stopped. With --max-failures 100% rows that fail do not stop it.',
    );
  }

  return (outcome: Outcome, unanswered: Unanswered): StoppedError | undefined => {
    if (outcome.result === 'pending' || outcome.result === 'skipped') return undefined;
    done += 1;
    if (!fine.has(outcome.result)) failed += 1;
    if (limit && !isBoundless && isExceeded(limit, failed, done + unanswered.all, done)) {
      return new StoppedError(
        'MAX_FAILURES',
        `${failed} of ${formatCount(done, 'row')} of this run failed, which is more than --max-failures ${describeRowLimit(limit)} allows${besidesForeseen(limit)}`,
        'See failures.csv in the job directory, and fix the cause. The same command goes on with the rows not sent yet; --only failed retries those of an import that failed.',
      );
    }
    return unsent.has(outcome.result) ? undefined : systemic(outcome, unanswered.sentBefore);
  };
}

/** True if the outcome is a user as wanted, or says nothing about the service. */
export function isFine({ result }: Pick<Outcome, 'result'>): boolean {
  return fine.has(result) || unsent.has(result);
}

/** True if a stage of a ramp has more failures than the limit allows; without a limit, if nearly all of its rows failed. */
export function isBeyond(
  limit: RowLimit = { fraction: dominant },
  { rows, failed }: { rows: number; failed: number },
): boolean {
  return failed > rowsIn(limit, rows);
}

function besidesForeseen(limit: RowLimit): string {
  const { foreseen = 0 } = 'rows' in limit ? limit : {};
  return foreseen === 0 ? '' : ` besides ${foreseen} that the plan cannot carry out`;
}
