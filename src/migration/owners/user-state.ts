import { attributeNames } from '../../contract/attributes.ts';
import type { User } from '../../contract/wire.ts';

/**
 * A user as one text: everything that a change could have changed, and nothing that a login changes. Two texts are equal
 * where two answers show the same user in the same state.
 */
export function userState(user: User): string {
  const extension = Object.entries(user.extension ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    user.user_id,
    user.disabled,
    attributeNames.map((name) => user[name] ?? ''),
    extension.filter(([, value]) => value !== ''),
  ]);
}
