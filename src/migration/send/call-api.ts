import type { ApiError } from '../../client/errors.ts';
import { type Clock, systemClock } from '../../client/retry.ts';
import type { RowLimit } from '../model/row-limit.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limit/limiter.ts';
import type { StartingPace } from '../rate-limit/measure-pace.ts';
import type { SendingWindow } from '../rate-limit/sending-window.ts';
import { createWindowGate, type WindowGate } from '../rate-limit/window-gate.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { type CallKind, type CallResult, classifyFailure } from './classify-result.ts';

/** What all calls of a run share: when the next may be made, and whether one may be made at all. */
export interface RunControl {
  limiter: RateLimiter;
  breaker: CircuitBreaker;
  /** Left out where rows may begin at any time. */
  gate?: WindowGate | undefined;
}

/** What limits the calls of a run. */
export interface RunControlOptions {
  /** Most requests in flight; default `auto`: as many as work best. */
  concurrency?: number | 'auto' | undefined;
  /** Most calls a second; without it a limit of the tenant is found. */
  rate?: number | undefined;
  /** What the tenant bore earlier: where the search for its pace begins. */
  start?: StartingPace | undefined;
  /** The hours in which rows are sent; at any other time the run waits. */
  window?: SendingWindow | undefined;
  /** Epoch milliseconds; default the system's clock. */
  now?: (() => number) | undefined;
  /** Aborted: no more rows are read. */
  signal?: AbortSignal | undefined;
  /** Failed rows that are accepted; more stop the run. */
  maxFailures?: RowLimit | undefined;
  /** Milliseconds without any answer after which the service counts as gone; default 30,000. */
  silenceLimit?: number | undefined;
  /** What the run waits by; default the system's clock. */
  clock?: Clock | undefined;
}

/** Makes the control of a run. */
export function createRunControl(options: RunControlOptions): RunControl {
  const { concurrency = 'auto', rate, start, window, now = Date.now, clock = systemClock } = options;
  const breaker = createCircuitBreaker({ ...options, now: clock.now });
  const gate = window && createWindowGate(window, now);
  // A service that was not asked was not silent.
  gate?.onChange(breaker.answered);
  return {
    breaker,
    limiter: createRateLimiter({ concurrency, rate, start, gate, signal: breaker.signal, ...clock }),
    gate,
  };
}

/** The control of the calls that complete a row which was sent: they come before others, and wait for no window. */
export function completing(control: RunControl): RunControl {
  const { limiter } = control;
  const first = { acquire: () => limiter.acquire(true), tryAcquire: () => limiter.tryAcquire(true) };
  return { ...control, limiter: { ...limiter, ...first } };
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
  let isBegun = false;
  for (let attempt = 1; ; attempt += 1) {
    const permit = limiter.tryAcquire(isBegun) ?? (await limiter.acquire(isBegun));
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
    isBegun = kind === 'write' && result.kind === 'unknown';
    if (isBegun && (breaker.isOpen() || !(await mayRepeat()))) return result;
  }
}

/** What a look-up came to: its answer, or what `refused` makes of the API's error. Any other failure is thrown. */
export async function answerOf<Answer, Refused = never>(
  control: RunControl,
  call: () => Promise<Answer>,
  refused: (error: ApiError) => Refused = (error) => {
    throw error;
  },
): Promise<Answer | Refused> {
  const result = await callApi(control, 'lookUp', call);
  if (result.kind === 'answered') return result.answer;
  if (result.kind === 'refused') return refused(result.error);
  throw result.kind === 'stopped' ? control.breaker.reason() : result.error;
}
