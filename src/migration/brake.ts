import { AuthenticationError, NetworkError } from '../client/failures.ts';
import type { FailureLimit } from './failure-limit.ts';
import type { Outcome } from './outcome.ts';
import { StoppedError } from './stopped-error.ts';
import { watchOutcomes } from './watch-outcomes.ts';

/** Decides when a run takes no more rows. */
export interface Brake {
  /** Aborted with the brake, for what waits. */
  signal: AbortSignal;
  /** True when no more rows are to be taken. */
  isPulled(): boolean;
  /** Why rows were left; `undefined` when nobody was told to stop. */
  reason(): Error | undefined;
  /** The service answered, with a user or with a refusal: it is there. */
  answered(): void;
  /** A call got no answer; when none gets one for some time, the run stops. */
  unanswered(failure: NetworkError): void;
  /** What became of a row: too many failures stop the run, and so do failures that are all of one kind. */
  watch(outcome: Outcome): void;
  /** Stops the run; the first reason counts. */
  stop(failure: unknown): void;
}

/** When a brake pulls itself. */
export interface BrakeOptions {
  /** Pulls the brake from outside. */
  signal?: AbortSignal | undefined;
  maxFailures?: FailureLimit | undefined;
  /** Milliseconds without any answer that are borne; a service that is restarted is back by then. */
  patience?: number | undefined;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** Failures in a row that say nothing yet, however long they take. */
const fewestFailures = 10;
/** Answers in a row that are none of the API: waiting does not mend that. */
const mostStrangeAnswers = 20;
/** A service that throttles is there: it is given this much more time. */
const throttledPatience = 4;

/** Makes a brake. */
export function createBrake(options: BrakeOptions = {}): Brake {
  const { signal, maxFailures, patience = 30_000, now = () => performance.now() } = options;
  const pulled = new AbortController();
  const judge = watchOutcomes(maxFailures);
  let stopped: Error | undefined;
  let failures = 0;
  let firstFailure = 0;

  function stop(failure: unknown): void {
    if (stopped) return;
    stopped = failure instanceof Error ? failure : new Error('the run was stopped', { cause: failure });
    pulled.abort(stopped);
  }

  function isPulled(): boolean {
    if (signal?.aborted) stop(signal.reason);
    return stopped !== undefined;
  }

  if (signal?.aborted) stop(signal.reason);
  signal?.addEventListener('abort', () => stop(signal.reason), { once: true });

  return {
    signal: pulled.signal,
    isPulled,
    reason: () => stopped,
    answered() {
      failures = 0;
    },
    unanswered(failure) {
      if (failure.fault === 'tls') return stop(failure);
      if (failures === 0) firstFailure = now();
      failures += 1;
      const silent = now() - firstFailure;
      const isThrottled = failure.status === 429;
      const borne = isThrottled ? patience * throttledPatience : patience;
      const isStrange = failure.fault === 'notTheApi';
      if (isStrange ? failures >= mostStrangeAnswers : failures >= fewestFailures && silent >= borne) {
        stop(goneError(failure, isThrottled, silent));
      }
    },
    watch(outcome) {
      const reason = judge(outcome);
      if (reason) stop(reason);
    },
    stop,
  };
}

function goneError(failure: NetworkError, isThrottled: boolean, silent: number): StoppedError {
  const seconds = Math.round(silent / 1000);
  if (isThrottled) {
    const hint = 'Ask for a higher limit, or run the same command again later: it goes on where it stopped.';
    return new StoppedError(
      'THROTTLED',
      `nothing was let through for ${seconds} s: ${failure.message}`,
      hint,
      failure,
    );
  }
  const hint = 'Run the same command again when the service answers: it goes on where it stopped.';
  const since = silent < 1000 ? '' : `no answer for ${seconds} s: `;
  return new StoppedError('HOST_GONE', `${since}${failure.message}`, hint, failure);
}

/** True for a failure after which every other row would fail too. */
export function isFatal(failure: unknown): failure is AuthenticationError | NetworkError {
  return (
    failure instanceof AuthenticationError || (failure instanceof NetworkError && failure.fault === 'tls')
  );
}
