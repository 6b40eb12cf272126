import { ApiError, AuthenticationError, NetworkError } from '../../client/errors.ts';
import type { PermitOutcome, RateLimiter } from '../rate-limit/limiter.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

/** The run was stopped before the call had its turn: nothing was sent. */
export class NoPermitError extends Error {
  override readonly name = 'NoTurnError';

  constructor() {
    super('the run was stopped before the call was made');
  }
}

/** Calls of the API that wait for a turn; the others of a client are left alone. */
const pacedCalls = [
  'importHashedUser',
  'getUserByUserName',
  'getUserByEmail',
  'getUserByMobile',
  'getUserByExternalId',
] as const;

/** A row that is turned away this often while others get through is not sent again. */
const mostSends = 50;
/** Two fresh tokens that are refused, one after the other, may have ended early; three have not. */
const mostTokens = 3;
/** How often a look-up is made that the service fails at. */
const mostLookUps = 5;

/**
 * The client with each call in its turn. A call that certainly had no effect, because it was throttled or the host was
 * not reached, is made again in its turn; the brake ends that when nothing gets through for long. Rejects as the client
 * does, or with a `NoTurnError` when the run is stopped first.
 */
export function limitClient<C extends object>(client: C, pace: RateLimiter, brake: CircuitBreaker): C {
  const paced = { ...client } as Record<string, unknown>;
  for (const name of pacedCalls) {
    const call = paced[name];
    if (typeof call !== 'function') continue;
    const isLookUp = name !== 'importHashedUser';
    paced[name] = (...parameters: unknown[]) => callInTurn(() => call(...parameters), pace, brake, isLookUp);
  }
  return paced as C;
}

async function callInTurn(
  call: () => Promise<unknown>,
  pace: RateLimiter,
  brake: CircuitBreaker,
  isLookUp: boolean,
): Promise<unknown> {
  for (let sends = 1; ; sends += 1) {
    const turn = await pace.acquire();
    if (!turn) throw new NoPermitError();
    try {
      const answer = await call();
      turn.end('answered');
      brake.answered();
      return answer;
    } catch (failure) {
      const outcome = outcomeOf(failure);
      turn.end(outcome, failure instanceof NetworkError ? failure.retryAfter : undefined);
      if (failure instanceof NetworkError) brake.unanswered(failure);
      else if (outcome === 'answered') brake.answered();
      if (sends >= mostSendsAfter(failure, isLookUp)) throw failure;
    }
  }
}

function outcomeOf(failure: unknown): PermitOutcome {
  if (failure instanceof ApiError) return failure.status >= 500 ? 'failing' : 'answered';
  if (failure instanceof AuthenticationError || !(failure instanceof NetworkError)) return 'answered';
  if (failure.status === 429) return 'throttled';
  if (failure.status === 503) return 'busy';
  if (failure.fault === 'notTheApi') return 'answered';
  return failure.fault === 'unavailable' ? 'failing' : failure.effect === 'none' ? 'unreachable' : 'lost';
}

/** How often a call is made that ends so: more than once where it did nothing, and the next time may be otherwise. */
function mostSendsAfter(failure: unknown, isLookUp: boolean): number {
  if (failure instanceof AuthenticationError) return failure.code === 'invalid_token' ? mostTokens : 1;
  if (failure instanceof ApiError) return isLookUp && failure.effect === 'unknown' ? mostLookUps : 1;
  if (!(failure instanceof NetworkError) || failure.effect !== 'none') return 1;
  return failure.fault === 'tls' || failure.fault === 'notTheApi' ? 1 : mostSends;
}
