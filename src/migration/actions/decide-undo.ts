import type { User } from '../../contract/wire.ts';
import type { ReasonCode } from './reasons.ts';

/** True for a user who has logged in, as far as the tenant counts it or says when. */
export function hasLoggedIn({ usr_auth_times: times, usr_last_login: last }: User): boolean {
  return Number(times) > 0 || (last ?? '') !== '';
}

/**
 * Decides what an undo does with a user whom its job created: nothing where somebody uses the account by now, unless
 * `withActive` says so. `undefined`: the tenant does not know the user any more.
 */
export function decideUndo(user: User | undefined, withActive: boolean): ReasonCode {
  if (!user) return 'GONE';
  if (user.disabled) return 'IS_DISABLED';
  const isChanged = user.updated_at !== user.created_at;
  if (!hasLoggedIn(user) && !isChanged) return 'CREATED';
  if (withActive) return 'ACTIVE';
  return hasLoggedIn(user) ? 'LOGGED_IN' : 'CHANGED';
}
