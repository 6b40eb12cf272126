import { setMaxListeners } from 'node:events';
import { ApiError, AuthenticationError, NetworkError } from '../../client/errors.ts';
import { StoppedError } from '../model/errors.ts';
import type { Outcome } from '../model/outcome.ts';
import type { RowLimit } from '../model/row-limit.ts';
import type { PermitOutcome } from '../rate-limit/limiter.ts';
import { type Unanswered, watchOutcomes } from './watch-outcomes.ts';

export interface CircuitBreakerOptions {
  /** When aborted, opens the breaker, so that no more rows are read. */
  signal?: AbortSignal | undefined;
  /** Limit on failed rows; more open the breaker. */
  maxFailures?: RowLimit | undefined;
  /** Milliseconds without any answer after which the service counts as gone; default 30,000, long enough for a restart. */
  silenceLimit?: number | undefined;
  /** Clock in milliseconds that never goes back. */
  now?: () => number;
}

/** Fewer consecutive failures do not open the breaker, however long they take. */
const fewestFailures = 10;
/** Consecutive answers from something other than the API that open the breaker at once, because waiting does not help. */
const mostForeignAnswers = 20;
/** Creates and changes that are refused with good tokens, before one is accepted, that open the breaker. */
const mostBarred = 10;
/** Long pauses that the service asks for, one after the other without an answer in between, that open the breaker. */
const mostPauses = 5;
/** A service that throttles is not gone: the silence limit is this many times longer. */
const throttledFactor = 4;

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Makes a circuit breaker, which decides when a run stops sending rows: it opens when the run must stop, and is closed until then. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}) {
  const { signal, maxFailures, silenceLimit = 30_000, now = () => performance.now() } = options;
  const opened = new AbortController();
  // Many rows may wait at the same time.
  setMaxListeners(0, opened.signal);
  const judge = watchOutcomes(maxFailures);
  let stopped: Error | undefined;
  /** Long pauses since the last answer, when the first was asked for, and when the last ends. */
  let pauses = { count: 0, since: 0, until: 0 };
  let failures = 0;
  let firstFailure = 0;
  /** Consecutive answers from something other than the API. */
  let foreign = 0;
  /** Writes refused with good tokens; none is counted once the token of a write was accepted. */
  let barred = 0;

  /** Opens the breaker; only the first reason is kept. */
  function stop(failure: unknown): void {
    if (stopped) return;
    stopped = failure instanceof Error ? failure : new Error('the run was stopped', { cause: failure });
    opened.abort(stopped);
  }

  /** True if no more rows may be sent. */
  function isOpen(): boolean {
    if (signal?.aborted) stop(signal.reason);
    return stopped !== undefined;
  }

  /** Milliseconds since calls began to fail without any answer in between; 0 while the service answers. */
  const silence = () => (failures === 0 ? 0 : now() - firstFailure);

  if (signal?.aborted) stop(signal.reason);
  const onAbort = () => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });

  return {
    /** Aborted when the breaker opens, which ends all waits. */
    signal: opened.signal,
    isOpen,
    /** Forgets the signal, which may outlast the calls, such as that of a watch. */
    release: () => signal?.removeEventListener('abort', onAbort),
    /** Why the run was stopped; `undefined` while the breaker is closed. */
    reason: () => stopped,
    /** Called when the service answered with a user, or with an API error that is no failure of its own. `toWrite`: to a write. */
    answered(toWrite = false): void {
      failures = 0;
      foreign = 0;
      pauses = { count: 0, since: 0, until: 0 };
      if (toWrite) barred = Number.NEGATIVE_INFINITY;
    },
    /** Called when a create or a change is refused with tokens that other calls are accepted with. Stops the run if all are. */
    barred(error: AuthenticationError): void {
      barred += 1;
      if (barred >= mostBarred) stop(barredError(error));
    },
    /** Called when a call got no answer of the API or the service failed (500). If all calls do so for some time, stops the run. */
    unanswered(permit: PermitOutcome, error: unknown): void {
      const isThrottled = permit === 'throttled';
      const limit = isThrottled ? silenceLimit * throttledFactor : silenceLimit;
      // A service that asks for a longer pause is not silent: what follows the pause is judged by itself.
      const pause = error instanceof NetworkError ? (error.retryAfter ?? 0) : 0;
      if (pause >= limit) {
        failures = 0;
        const { count, since, until } = pauses;
        // The calls that were under way together are asked for the same pause.
        if (count > 0 && now() < until) return;
        if (count >= mostPauses) stop(goneError(error, true, now() - since));
        else pauses = { count: count + 1, since: count === 0 ? now() : since, until: now() + pause };
        return;
      }
      if (failures === 0) firstFailure = now();
      failures += 1;
      const isForeign = permit === 'notTheApi';
      foreign = isForeign ? foreign + 1 : 0;
      if (isForeign ? foreign >= mostForeignAnswers : failures >= fewestFailures && silence() >= limit) {
        stop(goneError(error, isThrottled, silence()));
      }
    },
    /** Called with the outcome of a row. Stops the run if too many rows fail, or if nearly all fail in the same way. */
    watch(outcome: Outcome, unanswered: Unanswered): void {
      const reason = judge(outcome, unanswered);
      if (reason) stop(reason);
    },
    silence,
    stop,
  };
}

function barredError({ code, message, status }: AuthenticationError): AuthenticationError {
  const hint = 'Ask those who run it if this application may write users; then rerun the same command.';
  const said = `the service accepts the token for look-ups, but refuses every row with it: ${message}`;
  return new AuthenticationError(code, said, status, true, hint);
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
