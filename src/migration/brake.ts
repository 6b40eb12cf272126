import type { NetworkError } from '../client/failures.ts';

/** Network failures in a row, with no answer between, after which no more rows are taken. */
const mostNetworkErrors = 20;

/** Decides when a run takes no more rows. */
export interface Brake {
  /** True when no more rows are to be taken. */
  isPulled(): boolean;
  /** Why rows were left; `undefined` when nobody was told to stop. */
  reason(): Error | undefined;
  /** The service answered, with a user or with a refusal: it is there. */
  answered(): void;
  /** A row got no answer; enough of them in a row stop the run. */
  unanswered(failure: NetworkError): void;
  /** Stops the run; the first reason counts. */
  stop(failure: unknown): void;
}

/** Makes a brake which an aborted signal pulls too. */
export function createBrake(signal?: AbortSignal): Brake {
  let stopped: Error | undefined;
  let failures = 0;

  function stop(failure: unknown): void {
    stopped ??= failure instanceof Error ? failure : new Error('the run was stopped', { cause: failure });
  }

  return {
    isPulled() {
      if (signal?.aborted) stop(signal.reason);
      return stopped !== undefined;
    },
    reason: () => stopped,
    answered() {
      failures = 0;
    },
    unanswered(failure) {
      failures += 1;
      if (failures >= mostNetworkErrors) stop(failure);
    },
    stop,
  };
}
