import {
  ApiError,
  AuthenticationError,
  NetworkError,
  type NetworkFault,
  NotSentError,
} from '../../client/errors.ts';
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
    | { kind: 'notSent'; error: ApiError | NetworkError | AuthenticationError }
    | { kind: 'unknown'; error: ApiError | NetworkError }
    | { kind: 'fatal'; error: unknown; mayHaveBeenSent: boolean }
  );

interface Repetition {
  /** Why the call may be made again. A write with an `unknown` effect is looked up before. */
  again: Again;
  /** What is reported to the rate limiter. */
  permit: PermitOutcome;
  /** Milliseconds that the service asked to wait. */
  retryAfter: number | undefined;
}

/** How often a call may fail for each reason, the last time included, before its failure is final. */
export const mostFailures = {
  never: 1,
  /** Only the circuit breaker ends this. */
  throttled: Number.POSITIVE_INFINITY,
  /** The service was not reached. If that is so for all calls, the circuit breaker ends the run earlier. */
  notSent: 50,
  /** The token had expired. Many calls at once can meet several such tokens, one after the other, but not without end. */
  expiredToken: 10,
  /** A stored token, a fresh one and one more may have expired early; a fourth failure has another cause. */
  refusedToken: 4,
  failedLookUp: 5,
  unknownWrite: 10,
} as const;

/** Why a call may be made again; `never`: its failure is final. */
export type Again = keyof typeof mostFailures;

/** The one place that decides what a failed call means, whether it is made again, and what is reported to the rate limiter. */
export function classifyFailure(error: unknown, kind: CallKind): CallFailure {
  if (error instanceof ApiError) return classifyApiError(error, kind);
  if (error instanceof NetworkError) return classifyNetworkError(error, kind);
  if (error instanceof AuthenticationError) return classifyAuthentication(error);
  if (!(error instanceof NotSentError)) return { ...final, kind: 'fatal', error, mayHaveBeenSent: true };
  const failure = classifyFailure(error.cause, 'repeatable');
  if (failure.kind === 'unknown') return { ...failure, kind: 'notSent' };
  return failure.kind === 'fatal' ? { ...failure, mayHaveBeenSent: false } : failure;
}

/** An answer after which the same call is not made again. */
const final = { again: 'never', permit: 'answered', retryAfter: undefined } as const;

/** If other calls are accepted with its token, it is this call that the service, or a gateway before it, refuses. */
function classifyAuthentication(error: AuthenticationError): CallFailure {
  const { code, tokenWasAccepted } = error;
  const isToken = code === 'invalid_token';
  if (tokenWasAccepted && (isToken || code === 'invalid_request')) {
    return { ...final, kind: 'notSent', error, again: isToken ? 'expiredToken' : 'never' };
  }
  return {
    ...final,
    kind: 'fatal',
    error,
    again: isToken ? 'refusedToken' : 'never',
    mayHaveBeenSent: false,
  };
}

/** A service that fails (500) may have carried the call out first. */
function classifyApiError(error: ApiError, kind: CallKind): CallFailure {
  if (error.effect === 'none') return { ...final, kind: 'refused', error };
  const again = kind === 'repeatable' ? 'failedLookUp' : 'unknownWrite';
  return { kind: 'unknown', error, again, permit: 'failing', retryAfter: undefined };
}

function classifyNetworkError(error: NetworkError, kind: CallKind): CallFailure {
  const { fault, retryAfter } = error;
  const effect = effectOf(error, kind);
  const shared = { permit: permitOutcome(error, effect), retryAfter };
  if (fault === 'tls') {
    return { ...shared, kind: 'fatal', error, again: 'never', mayHaveBeenSent: effect === 'unknown' };
  }
  if (effect === 'unknown') {
    return { ...shared, kind: 'unknown', error, again: kind === 'repeatable' ? 'never' : 'unknownWrite' };
  }
  const again = fault === 'throttled' ? 'throttled' : 'notSent';
  return { ...shared, kind: 'notSent', error, again: isAnswered(fault) ? 'never' : again };
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

function effectOf(error: NetworkError, kind: CallKind): NetworkError['effect'] {
  const { fault, effect, status } = error;
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
