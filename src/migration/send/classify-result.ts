import { ApiError, AuthenticationError, NetworkError, type NetworkFault } from '../../client/errors.ts';
import type { PermitOutcome } from '../rate-limit/limiter.ts';

/** If it may have had an effect, a `create` or a `change` must not be repeated without a look-up. */
export type CallKind = 'create' | 'change' | 'repeatable';

/** Result of an API call: an answer, a failure, or `stopped` if the run was stopped before the call got a permit. */
export type CallResult<Answer> = { kind: 'answered'; answer: Answer } | CallFailure | { kind: 'stopped' };

/**
 * A failed call, classified. `refused`: the API refused it and would do so again. `notSent`: it had no effect. `unknown`: it was
 * sent, and its effect is not known. `fatal`: every other call would fail as well.
 */
export type CallFailure = Repetition &
  (
    | { kind: 'refused'; error: ApiError }
    | { kind: 'notSent'; error: NetworkError }
    | { kind: 'unknown'; error: ApiError | NetworkError }
    | { kind: 'fatal'; error: unknown; mayHaveBeenSent: boolean }
  );

interface Repetition {
  /** Number of attempts before the failure is final. A write with an `unknown` effect is looked up before it is repeated. */
  attempts: number;
  /** What is reported to the rate limiter. */
  permit: PermitOutcome;
  /** Milliseconds that the service asked to wait. */
  retryAfter: number | undefined;
}

/** Maximum number of attempts for a call that may succeed the next time. */
const attempts = {
  /** Throttled, or the service was not reached. If that is so for all calls, the circuit breaker ends the run earlier. */
  notSent: 50,
  /** The token had expired. That can happen many times in a row while other calls get through with each new token. */
  expiredToken: 50,
  /** A stored token, a fresh one and one more may have expired early; a fourth failure has another cause. */
  refusedToken: 4,
  failedLookUp: 5,
  unknownWrite: 10,
} as const;

/** The one place that decides what a failed call means, whether it is made again, and what is reported to the rate limiter. */
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

/** A service that fails (500) may have carried the call out first. */
function classifyApiError(error: ApiError, kind: CallKind): CallFailure {
  const retryAfter = undefined;
  if (error.effect === 'none') return { kind: 'refused', error, attempts: 1, permit: 'answered', retryAfter };
  const times = kind === 'repeatable' ? attempts.failedLookUp : attempts.unknownWrite;
  return { kind: 'unknown', error, attempts: times, permit: 'failing', retryAfter };
}

function classifyNetworkError(error: NetworkError, kind: CallKind): CallFailure {
  const { fault, retryAfter } = error;
  const effect = effectOf(error, kind);
  const shared = { permit: permitOutcome(error, effect), retryAfter };
  if (fault === 'tls') {
    return { ...shared, kind: 'fatal', error, attempts: 1, mayHaveBeenSent: effect === 'unknown' };
  }
  if (effect === 'unknown') {
    return { ...shared, kind: 'unknown', error, attempts: kind === 'repeatable' ? 1 : attempts.unknownWrite };
  }
  return { ...shared, kind: 'notSent', error, attempts: isAnswered(fault) ? 1 : attempts.notSent };
}

/** True if there was an answer, which would be the same again. */
function isAnswered(fault: NetworkFault): boolean {
  return fault === 'notTheApi' || fault === 'tooLong';
}

/** Faults after which a change may have been made, although the client says that repeating it would do no harm. */
const uncertain: ReadonlySet<NetworkFault> = new Set([
  'timeout',
  'interrupted',
  'unavailable',
  'failing',
  'tooLong',
]);

function effectOf({ fault, effect, status }: NetworkError, kind: CallKind): NetworkError['effect'] {
  if (kind !== 'change') return effect;
  const saysDone = fault === 'notTheApi' && status !== undefined && status < 300;
  return saysDone || uncertain.has(fault) ? 'unknown' : effect;
}

/** What a fault means for the rate limiter. For any other one, it matters whether the call may have had an effect. */
const permits: { [Fault in NetworkFault]?: PermitOutcome } = {
  throttled: 'throttled',
  busy: 'busy',
  unavailable: 'failing',
  failing: 'failing',
  tooLong: 'answered',
  notTheApi: 'notTheApi',
};

function permitOutcome({ fault }: NetworkError, effect: NetworkError['effect']): PermitOutcome {
  return permits[fault] ?? (effect === 'none' ? 'unreachable' : 'lost');
}
