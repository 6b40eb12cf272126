import { ApiError, AuthenticationError, NetworkError } from '../../client/errors.ts';
import type { PermitOutcome } from '../rate-limit/limiter.ts';

/** A write may make a user; a look-up changes nothing, so that it can always be repeated. */
export type CallKind = 'write' | 'lookUp';

/** What a call of the API came to: an answer, a failure, or nothing because the run was stopped before its permit came. */
export type CallResult<Answer> = { kind: 'answered'; answer: Answer } | CallFailure | { kind: 'stopped' };

/**
 * A failed call, classified. `refused`: the API said no, and will say no again. `notSent`: it had no effect. `unknown`: it
 * was sent, and nobody knows what it did. `fatal`: every other call would fail as well.
 */
export type CallFailure = Repetition &
  (
    | { kind: 'refused'; error: ApiError }
    | { kind: 'notSent'; error: NetworkError }
    | { kind: 'unknown'; error: ApiError | NetworkError }
    | { kind: 'fatal'; error: unknown; mayHaveBeenSent: boolean }
  );

interface Repetition {
  /** How often the call is made before this is its result. A write with an `unknown` effect is looked up each time before. */
  attempts: number;
  /** What the rate limiter learns. */
  permit: PermitOutcome;
  /** Milliseconds that the service asked to wait. */
  retryAfter: number | undefined;
}

/** How often a call is made that may succeed the next time. */
const attempts = {
  /** It was throttled or the service was not reached; the circuit breaker ends the run when that is so for all calls. */
  notSent: 50,
  /** Its token had expired: tokens that others are let in with expire one after the other. */
  expiredToken: 50,
  /** A kept token and a fresh one may have expired early, and one more; a fourth has not. */
  refusedToken: 4,
  failedLookUp: 5,
  unknownWrite: 10,
} as const;

/** The one place that says what a failed call means, whether it is made again, and what the rate limiter hears of it. */
export function classifyFailure(error: unknown, kind: CallKind): CallFailure {
  if (error instanceof ApiError) return classifyApiError(error, kind);
  if (error instanceof NetworkError) return classifyNetworkError(error, kind);
  const once = { permit: 'answered', retryAfter: undefined } as const;
  if (!(error instanceof AuthenticationError)) {
    return { ...once, kind: 'fatal', error, attempts: 1, mayHaveBeenSent: true };
  }
  const again = error.tokenHasExpired ? attempts.expiredToken : attempts.refusedToken;
  const times = error.code === 'invalid_token' ? again : 1;
  return { ...once, kind: 'fatal', error, attempts: times, mayHaveBeenSent: false };
}

/** A service that fails (500) may have carried the call out before. */
function classifyApiError(error: ApiError, kind: CallKind): CallFailure {
  const retryAfter = undefined;
  if (error.effect === 'none') return { kind: 'refused', error, attempts: 1, permit: 'answered', retryAfter };
  const times = kind === 'lookUp' ? attempts.failedLookUp : attempts.unknownWrite;
  return { kind: 'unknown', error, attempts: times, permit: 'failing', retryAfter };
}

function classifyNetworkError(error: NetworkError, kind: CallKind): CallFailure {
  const { fault, effect, retryAfter } = error;
  const shared = { permit: permitOutcome(error), retryAfter };
  if (fault === 'tls') {
    return { ...shared, kind: 'fatal', error, attempts: 1, mayHaveBeenSent: effect === 'unknown' };
  }
  if (effect === 'unknown') {
    return { ...shared, kind: 'unknown', error, attempts: kind === 'write' ? attempts.unknownWrite : 1 };
  }
  return { ...shared, kind: 'notSent', error, attempts: fault === 'notTheApi' ? 1 : attempts.notSent };
}

function permitOutcome({ fault, effect, status }: NetworkError): PermitOutcome {
  if (status === 429) return 'throttled';
  if (status === 503) return 'busy';
  if (fault === 'notTheApi') return 'notTheApi';
  if (fault === 'unavailable') return 'failing';
  return effect === 'none' ? 'unreachable' : 'lost';
}
