import type { User } from '../../contract/wire.ts';
import type { ReasonCode } from './reasons.ts';

/** True if the tenant shows that the user has logged in, by the number of logins or the time of the last one. */
export function hasLoggedIn({ usr_auth_times: times, usr_last_login: last }: User): boolean {
  return Number(times) > 0 || (last ?? '') !== '';
}

/**
 * Decides what an undo does with a user whom its job created. A user who has logged in or was changed since is left alone, unless
 * `withActive` is set; one who `isInNewImport`, in any case. `user` is `undefined` if the tenant no longer has them.
 */
export function decideUndo(
  user: User | undefined,
  { withActive, isInNewImport }: { withActive: boolean; isInNewImport: boolean },
): ReasonCode {
  if (!user) return 'GONE';
  if (user.disabled) return 'IS_DISABLED';
  if (isInNewImport) return 'IN_NEW_IMPORT';
  const isChanged = user.updated_at !== user.created_at;
  if (!hasLoggedIn(user) && !isChanged) return 'CREATED';
  if (withActive) return 'ACTIVE';
  return hasLoggedIn(user) ? 'LOGGED_IN' : 'CHANGED';
}
