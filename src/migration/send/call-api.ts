import { AuthenticationError } from '../../client/errors.ts';
import { type Clock, systemClock } from '../../client/retry.ts';
import type { OnStep } from '../model/progress-step.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../rate-limit/limiter.ts';
import { createWindowGate, type SendingWindow, type WindowGate } from '../rate-limit/sending-window.ts';
import { type CircuitBreaker, type CircuitBreakerOptions, createCircuitBreaker } from './circuit-breaker.ts';
import {
  type Again,
  type CallKind,
  type CallResult,
  classifyFailure,
  mostFailures,
} from './classify-result.ts';

/** What all calls of a run share: it decides when the next call may be made, and whether calls may be made at all. */
export interface RunControl {
  limiter: RateLimiter;
  breaker: CircuitBreaker;
  /** Left out if rows may be sent at any time. */
  gate?: WindowGate | undefined;
  /** Finds out whether the service accepts the client's token for other calls; left out if there is nobody to ask. */
  acceptsToken?: (() => Promise<boolean>) | undefined;
  /** Called while users are read. */
  onStep?: OnStep | undefined;
}

/** What limits the calls of a run. */
export interface RunControlOptions
  extends Pick<RateLimiterOptions, 'rate' | 'start'>,
    Omit<CircuitBreakerOptions, 'now'> {
  /** Maximum requests in flight; default `auto`: as many as work best. */
  concurrency?: RateLimiterOptions['concurrency'] | undefined;
  /** Hours of the day in which rows are sent; at any other time the run waits. */
  window?: SendingWindow | undefined;
  /** Epoch milliseconds; default the system's clock. */
  now?: (() => number) | undefined;
  /** Clock for the waits of the run; default the system's clock. */
  clock?: Clock | undefined;
  /** Called while users are read, and while rows are decided or compared. */
  onStep?: OnStep | undefined;
}

export function createRunControl(options: RunControlOptions): RunControl {
  const { concurrency = 'auto', rate, start, window, now = Date.now, clock = systemClock, onStep } = options;
  const breaker = createCircuitBreaker({ ...options, now: clock.now });
  const gate = window && createWindowGate(window, now);
  // While the window is closed no calls are made, which does not count as silence of the service.
  gate?.onChange(() => breaker.answered());
  return {
    breaker,
    limiter: createRateLimiter({ concurrency, rate, start, gate, signal: breaker.signal, ...clock }),
    gate,
    onStep,
  };
}

/** Returns the control for calls that complete a row already sent: they take precedence over others and ignore the window. */
export function completing(control: RunControl): RunControl {
  const { limiter } = control;
  const first = { acquire: () => limiter.acquire(true), tryAcquire: () => limiter.tryAcquire(true) };
  return { ...control, limiter: { ...limiter, ...first } };
}

/**
 * Makes a call of the API, and makes it again if its failure allows that. This is the only retry loop of an import: the client
 * sends each request once, so that each has a permit and the limiter learns from every answer. Before a create or a
 * change that may have had an effect is repeated, `mayRepeat` is called. Rejects only with what `mayRepeat` rejects with.
 */
export async function callApi<Answer>(
  { limiter, breaker, acceptsToken }: RunControl,
  kind: CallKind,
  call: () => Promise<Answer>,
  mayRepeat: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<CallResult<Answer>> {
  let isBegun = false;
  let failures: Map<Again, number> | undefined;
  for (;;) {
    const permit = limiter.tryAcquire(isBegun) ?? (await limiter.acquire(isBegun));
    if (!permit) return { kind: 'stopped' };
    let result: Exclude<CallResult<Answer>, { kind: 'stopped' }>;
    try {
      result = { kind: 'answered', answer: await call() };
    } catch (error) {
      result = classifyFailure(error, kind);
    }
    const isWrite = kind !== 'repeatable';
    if (result.kind === 'answered') {
      permit.end('answered');
      breaker.answered(isWrite);
      return result;
    }
    permit.end(result.permit, result.retryAfter);
    if (result.permit === 'answered') breaker.answered(isWrite && result.kind === 'refused');
    else breaker.unanswered(result.permit, result.error);
    const { again } = result;
    failures ??= new Map();
    const count = (failures.get(again) ?? 0) + 1;
    failures.set(again, count);
    if (count >= mostFailures[again]) {
      const { error } = result;
      if (!(error instanceof AuthenticationError)) {
        if (result.kind === 'fatal') breaker.stop(error);
        return result;
      }
      // A service, or a gateway before it, may refuse one call with every token: then the others need not stop.
      const isOnlyThis = result.kind === 'notSent' || (again === 'refusedToken' && (await acceptsToken?.()));
      if (!isOnlyThis) breaker.stop(error);
      else if (isWrite) breaker.barred(error);
      return isOnlyThis ? { ...result, kind: 'notSent', error } : result;
    }
    isBegun = isWrite && result.kind === 'unknown';
    if (isBegun && (breaker.isOpen() || !(await mayRepeat()))) return result;
  }
}

/** Returns the answer of a look-up. Rejects with its failure, or with the reason why the run was stopped. */
export async function answerOf<Answer>(control: RunControl, call: () => Promise<Answer>): Promise<Answer> {
  const result = await callApi(control, 'repeatable', call);
  if (result.kind === 'answered') return result.answer;
  throw result.kind === 'stopped' ? control.breaker.reason() : result.error;
}
