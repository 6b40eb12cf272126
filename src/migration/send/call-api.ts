import { type Clock, systemClock } from '../../client/retry.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limit/limiter.ts';
import type { StartingPace } from '../rate-limit/measure-pace.ts';
import { type CircuitBreaker, createCircuitBreaker, type FailureLimit } from './circuit-breaker.ts';
import { type CallKind, type CallResult, classifyFailure } from './classify-result.ts';

/** What all calls of a run share: when the next may be made, and whether one may be made at all. */
export interface RunControl {
  limiter: RateLimiter;
  breaker: CircuitBreaker;
}

/** What limits the calls of a run. */
export interface RunControlOptions {
  /** Most requests in flight; default `auto`: as many as work best. */
  concurrency?: number | 'auto';
  /** Most calls a second; without it a limit of the tenant is found. */
  rate?: number;
  /** What the tenant bore earlier: where the search for its pace begins. */
  start?: StartingPace;
  /** Aborted: no more rows are read. */
  signal?: AbortSignal;
  /** Failed rows that are accepted; more stop the run. */
  maxFailures?: FailureLimit;
  /** Milliseconds without any answer after which the service counts as gone; default 30,000. */
  silenceLimit?: number;
  /** What the run waits by; default the system's clock. */
  clock?: Clock | undefined;
}

/** Makes the control of a run. */
export function createRunControl(options: RunControlOptions): RunControl {
  const { concurrency = 'auto', rate, start, clock = systemClock } = options;
  const breaker = createCircuitBreaker({ ...options, now: clock.now });
  return {
    breaker,
    limiter: createRateLimiter({ concurrency, rate, start, signal: breaker.signal, ...clock }),
  };
}

/**
 * Makes a call of the API, again where its failure says so. This is the only loop of an import that retries: the client below
 * it sends each request once, so that every request has a permit, and the limiter hears of every answer. `mayRepeat` is asked
 * before a write is repeated that may have had an effect. Never rejects but with what `mayRepeat` rejects with.
 */
export async function callApi<Answer>(
  { limiter, breaker }: RunControl,
  kind: CallKind,
  call: () => Promise<Answer>,
  mayRepeat: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<CallResult<Answer>> {
  for (let attempt = 1; ; attempt += 1) {
    const permit = await limiter.acquire();
    if (!permit) return { kind: 'stopped' };
    let result: CallResult<Answer>;
    try {
      result = { kind: 'answered', answer: await call() };
      permit.end('answered');
      breaker.answered();
      return result;
    } catch (error) {
      result = classifyFailure(error, kind);
    }
    permit.end(result.permit, result.retryAfter);
    if (result.permit === 'answered') breaker.answered();
    else breaker.unanswered(result.permit, result.error);
    if (attempt >= result.attempts) {
      if (result.kind === 'fatal') breaker.stop(result.error);
      return result;
    }
    if (kind === 'write' && result.kind === 'unknown' && (breaker.isOpen() || !(await mayRepeat()))) {
      return result;
    }
  }
}
