import type { FastifyRequest } from 'fastify';
import { errorCode } from '../../text/error-code.ts';
import type { ServiceContext } from '../context/context.ts';
import { apiError, ErrorReply, systemBusyNow } from '../errors/api-error.ts';
import type { HashingRequest, Lane } from '../passwords/hashing-queue.ts';
import { checkPasswordPolicy } from '../passwords/policy/check-password.ts';
import {
  countAttempt,
  type LoginAccounts,
  type LoginAttempt,
  uncountAttempt,
} from '../storage/access/login-attempts.ts';
import { findUsedPasswords } from '../storage/access/password-history.ts';
import type { StoredProfile, UserRow } from '../storage/users/user-row.ts';
import type { Tenant } from '../tenant/definition.ts';

/**
 * Counts an attempt to log in, and, unless the name is locked, carries it out with the result of `read`, which runs meanwhile. The
 * attempts with one typed name run one after another, so that a successful one is no longer counted when the next begins. Not those
 * of one person: their times would show that two names belong to one. Throws `loginLocked` with the seconds of the lock, only after
 * the time that a wrong password takes, and `systemBusy` if the password cannot be compared now. Nothing is counted if the answer is
 * 503, because a busy service must not lock anybody, and a proxy may repeat the call.
 */
export async function attemptLogin<Read, Result>(
  { database, passwords, loginTurns, now }: ServiceContext,
  tenant: Tenant,
  accounts: LoginAccounts,
  read: () => Promise<Read>,
  carryOut: (attempt: LoginAttempt, read: Read) => Promise<Result>,
): Promise<Result> {
  const attemptOnce = () =>
    loginTurns(`${tenant.key} ${accounts.typed}`, async () => {
      if (passwords.isFull('logins')) throw systemBusyNow();
      const [found, counted] = await Promise.allSettled([
        read(),
        countAttempt(database, tenant, accounts, now()),
      ]);
      if (counted.status === 'rejected') throw counted.reason;
      const attempt = counted.value;
      if ('secondsLocked' in attempt) return attempt;
      try {
        if (found.status === 'rejected') throw found.reason;
        return { result: await carryOut(attempt, found.value) };
      } catch (error) {
        // The queue can have become full since then, because many logins were counted together.
        if (mayBeRepeated(error))
          await database.commit([uncountAttempt(tenant, accounts, attempt)]).catch(refuseRepetition);
        throw error;
      }
    });
  const first = await attemptOnce();
  if ('result' in first) return first.result;
  await passwords.wait();
  // The last attempt may have been that of a right login on another node, which has given it back meanwhile.
  const second = await attemptOnce();
  if ('result' in second) return second.result;
  throw apiError('loginLocked', String(second.secondsLocked));
}

/** True if the answer is 503. */
function mayBeRepeated(error: unknown): boolean {
  if (error instanceof ErrorReply) return error.status === 503;
  return errorCode(error) === 'NOT_CONNECTED';
}

function refuseRepetition(cause: unknown): never {
  throw new Error('an attempt to log in stays counted: the database could not be reached to take it back', {
    cause,
  });
}

/** Returns a request's entry for the hashing queue, which drops it when its caller has gone (decision 41). */
export function waitingAs(lane: Lane, { raw }: FastifyRequest): HashingRequest {
  return { lane, isAbandoned: () => raw.socket.destroyed };
}

/** Hashes a user's new password. Throws the errors of `checkPasswordPolicy`, then `passwordUsedBefore` (decision 36). */
export async function choosePassword(
  { database, passwords }: ServiceContext,
  tenant: Tenant,
  row: UserRow,
  password: string,
  request: HashingRequest,
): Promise<string> {
  await checkPasswordPolicy(password, JSON.parse(row.profile) as StoredProfile, tenant.definition);
  for (const used of await findUsedPasswords(database, tenant, row)) {
    if (await passwords.matches(used, password, request)) throw apiError('passwordUsedBefore');
  }
  return passwords.hash(password, request);
}
