import { setMaxListeners } from 'node:events';
import { ApiError } from '../../client/errors.ts';
import { StoppedError } from '../model/errors.ts';
import { type Outcome, userResults } from '../model/outcome.ts';
import { describeRowLimit, type RowLimit } from '../model/row-limit.ts';
import type { PermitOutcome } from '../rate-limit/limiter.ts';

/** Decides when a run sends no more rows: closed while it may go on, open once it must stop. */
export interface CircuitBreaker {
  /** Aborted when the breaker opens, for what waits. */
  signal: AbortSignal;
  /** True when no more rows are to be sent. */
  isOpen(): boolean;
  /** Why rows were left; `undefined` while the breaker is closed. */
  reason(): Error | undefined;
  /** The service answered, with a user or an API error that is no failure of its own: it works. */
  answered(): void;
  /** A call got no answer of the API, or the service failed (500); when that is so of all calls for some time, the run stops. */
  unanswered(permit: PermitOutcome, error: unknown): void;
  /**
   * What became of a row: too many failures stop the run, and so do failures that are all of one kind. `underWay`: rows that
   * were sent and have no answer yet.
   */
  watch(outcome: Outcome, underWay?: number): void;
  /** Milliseconds since calls began to fail of which none was answered since; 0 where the service answers. */
  silence(): number;
  /** Opens the breaker; the first reason counts. */
  stop(failure: unknown): void;
}

/** When a circuit breaker opens. */
export interface CircuitBreakerOptions {
  /** Opens it from outside. */
  signal?: AbortSignal | undefined;
  maxFailures?: RowLimit | undefined;
  /** Milliseconds without any answer before the service counts as gone; one that is restarted is back by then. */
  silenceLimit?: number | undefined;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** Failures in a row that say nothing yet, however long they take. */
const fewestFailures = 10;
/** Answers in a row that are none of the API: waiting does not change that. */
const mostForeignAnswers = 20;
/** A service that throttles is there: it is given this much more time. */
const throttledFactor = 4;

/** Makes a closed circuit breaker. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { signal, maxFailures, silenceLimit = 30_000, now = () => performance.now() } = options;
  const opened = new AbortController();
  // Many rows may wait at the same time.
  setMaxListeners(0, opened.signal);
  const judge = watchOutcomes(maxFailures);
  let stopped: Error | undefined;
  let failures = 0;
  let firstFailure = 0;

  function stop(failure: unknown): void {
    if (stopped) return;
    stopped = failure instanceof Error ? failure : new Error('the run was stopped', { cause: failure });
    opened.abort(stopped);
  }

  function isOpen(): boolean {
    if (signal?.aborted) stop(signal.reason);
    return stopped !== undefined;
  }

  const silence = () => (failures === 0 ? 0 : now() - firstFailure);

  if (signal?.aborted) stop(signal.reason);
  signal?.addEventListener('abort', () => stop(signal.reason), { once: true });

  return {
    signal: opened.signal,
    isOpen,
    reason: () => stopped,
    answered() {
      failures = 0;
    },
    unanswered(permit, error) {
      if (failures === 0) firstFailure = now();
      failures += 1;
      const isThrottled = permit === 'throttled';
      const limit = isThrottled ? silenceLimit * throttledFactor : silenceLimit;
      const isForeign = permit === 'notTheApi';
      if (isForeign ? failures >= mostForeignAnswers : failures >= fewestFailures && silence() >= limit) {
        stop(goneError(error, isThrottled, silence()));
      }
    },
    watch(outcome, underWay) {
      const reason = judge(outcome, underWay);
      if (reason) stop(reason);
    },
    silence,
    stop,
  };
}

function goneError(failure: unknown, isThrottled: boolean, silence: number): StoppedError {
  const seconds = Math.round(silence / 1000);
  const reason = failure instanceof Error ? failure.message : '';
  if (isThrottled) {
    const hint = 'Ask for a higher limit, or rerun the same command later: it resumes where it stopped.';
    return new StoppedError(
      'THROTTLED',
      `every request was throttled for ${seconds} s: ${reason}`,
      hint,
      failure,
    );
  }
  if (failure instanceof ApiError) {
    const hint = 'Rerun the same command when the service works again: it resumes where it stopped.';
    const message = `the service failed at every request for ${seconds} s: ${reason} (${failure.code})`;
    return new StoppedError('HOST_GONE', message, hint, failure);
  }
  const hint = 'Rerun the same command when the service answers: it resumes where it stopped.';
  const since = silence < 1000 ? '' : `no answer for ${seconds} s: `;
  return new StoppedError('HOST_GONE', `${since}${reason}`, hint, failure);
}

/** Latest answers that are judged together. */
const remembered = 200;
/** Answers that are enough where not one row was accepted since the run began. */
const fromTheStart = 50;
const dominant = 0.95;

const fine: ReadonlySet<string> = new Set(userResults);
/** Results that say nothing about how the service takes the rows. */
const unsent: ReadonlySet<string> = new Set(['invalid', 'skipped', 'pending']);

/**
 * Distinguishes scattered bad rows from an error that every row has: of the last 200 answers 95 % are the same API error and none
 * is a user, or of the first 50 where none ever was. Says why the run must stop, if it must. A limit of 100 % means that
 * nothing of this is to stop it.
 *
 * A service refuses a row sooner than it creates a user, so that the first answers of many rows in flight may all be
 * API errors. `underWay`: rows without an answer. They count as users in a percentage, and answers that all failed say nothing
 * while they are fewer.
 */
export function watchOutcomes(
  limit?: RowLimit,
): (outcome: Outcome, underWay?: number) => StoppedError | undefined {
  const isBoundless = limit !== undefined && 'fraction' in limit && limit.fraction >= 1;
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

  function systemic(outcome: Outcome, underWay: number): StoppedError | undefined {
    const code = 'code' in outcome ? (outcome.code ?? '') : '';
    const count = remember(code);
    if (fine.has(outcome.result)) {
      hasFine = true;
      sinceFine = 0;
      return undefined;
    }
    sinceFine += 1;
    if (isBoundless || sinceFine < Math.max(hasFine ? remembered : fromTheStart, underWay)) return undefined;
    if (count < dominant * last.length) return undefined;
    const message = 'message' in outcome ? outcome.message : '';
    return new StoppedError(
      'SYSTEMIC',
      `the last ${sinceFine} rows that were sent all failed, nearly all with ${code} (${message})`,
      'Fix the cause, then rerun the same command: it resumes where it stopped. --max-failures 100% never stops.',
    );
  }

  return (outcome, underWay = 0) => {
    if (outcome.result === 'pending') return undefined;
    done += 1;
    if (!fine.has(outcome.result)) failed += 1;
    if (limit && !isBoundless && exceeds(limit, { failed, done, underWay })) {
      return new StoppedError(
        'MAX_FAILURES',
        `${failed} of ${done} rows failed, which is more than --max-failures ${describeRowLimit(limit)} allows`,
        'See failures.csv in the job directory, fix the cause, then rerun the same command: it resumes where it stopped.',
      );
    }
    return unsent.has(outcome.result) ? undefined : systemic(outcome, underWay);
  };
}

/** True for an outcome that is a user as wanted, or that says nothing about the service. */
export function isFine({ result }: Pick<Outcome, 'result'>): boolean {
  return fine.has(result) || unsent.has(result);
}

/** Says whether a stage of a ramp has more failures than the limit allows; without one, whether nearly all of it failed. */
export function isBeyond(
  limit: RowLimit = { fraction: dominant },
  { rows, failed }: { rows: number; failed: number },
): boolean {
  return 'rows' in limit ? failed > limit.rows : failed > limit.fraction * rows;
}

/** Rows that must be done before a fraction is judged. */
const fewestJudged = 100;

/** Says whether so many rows failed that the limit is exceeded whatever becomes of those under way. */
function exceeds(
  limit: RowLimit,
  { failed, done, underWay }: { failed: number; done: number; underWay: number },
): boolean {
  if ('rows' in limit) return failed > limit.rows;
  return done >= fewestJudged && failed > limit.fraction * (done + underWay);
}
