import { exceeds, type FailureLimit, wordsOf } from './failure-limit.ts';
import type { Outcome } from './outcome.ts';
import { StoppedError } from './stopped-error.ts';

/** Answers that are looked back upon. */
const remembered = 200;
/** Answers that are enough where not one row was accepted since the run began. */
const fromTheStart = 50;
const dominant = 0.95;

/** Results of rows that are users when the run is over. */
const fine: ReadonlySet<string> = new Set(['created', 'existing']);
/** Results that say nothing about how the service takes the rows. */
const unsent: ReadonlySet<string> = new Set(['invalid', 'pending']);

/**
 * Tells scattered bad rows from a fault that every row meets: of the last 200 answers 95 % are the same refusal and none
 * is a user, or of the first 50 where none ever was. Says why the run must stop, if it must. A limit of 100 % means that
 * nothing of this is to stop it.
 */
export function watchOutcomes(limit?: FailureLimit): (outcome: Outcome) => StoppedError | undefined {
  const isBoundless = limit !== undefined && 'share' in limit && limit.share >= 1;
  const codes = new Map<string, number>();
  const last: string[] = [];
  let oldest = 0;
  let sinceFine = 0;
  let done = 0;
  let failed = 0;
  let hasFine = false;

  function remember(code: string): number {
    const gone = last.length < remembered ? undefined : last[oldest];
    if (gone !== undefined) codes.set(gone, (codes.get(gone) ?? 1) - 1);
    last[oldest] = code;
    oldest = (oldest + 1) % remembered;
    const count = (codes.get(code) ?? 0) + 1;
    codes.set(code, count);
    return count;
  }

  function systemic(outcome: Outcome): StoppedError | undefined {
    const code = 'code' in outcome ? outcome.code : '';
    const count = remember(code);
    if (fine.has(outcome.result)) {
      hasFine = true;
      sinceFine = 0;
      return undefined;
    }
    sinceFine += 1;
    if (isBoundless || sinceFine < (hasFine ? remembered : fromTheStart)) return undefined;
    if (count < dominant * last.length) return undefined;
    const message = 'message' in outcome ? outcome.message : '';
    return new StoppedError(
      'SYSTEMIC',
      `the last ${sinceFine} rows that were sent all failed, nearly all with ${code} (${message})`,
      'Mend the cause, then run the same command again: it goes on where it stopped. --max-failures 100% never stops.',
    );
  }

  return (outcome) => {
    if (outcome.result === 'pending') return undefined;
    done += 1;
    if (!fine.has(outcome.result)) failed += 1;
    if (limit && !isBoundless && exceeds(limit, failed, done)) {
      return new StoppedError(
        'MAX_FAILURES',
        `${failed} of ${done} rows failed, which is more than --max-failures ${wordsOf(limit)} allows`,
        'See failures.csv in the job directory, mend the cause, then run the same command again: it goes on where it stopped.',
      );
    }
    return unsent.has(outcome.result) ? undefined : systemic(outcome);
  };
}
