import type { HashedUser, User } from '../../contract/wire.ts';
import type { Existing, NotCreated } from '../outcome.ts';
import { differences } from './compare-user.ts';
import type { KeyField } from './find-holders.ts';

/** Why a row met somebody: the code that it was refused with, or the one that says that it was looked up first. */
export interface Meeting {
  code: string;
  hint: string;
}

/**
 * "Already exists" is a question: the same person is `existing`; anybody else a `conflict`, which names the fields that
 * differ and who holds which key, and never a value. `undefined` when nobody holds a key of the row.
 */
export function judgeHolders(
  row: HashedUser,
  holders: ReadonlyMap<KeyField, User>,
  { code, hint }: Meeting,
): Existing | NotCreated | undefined {
  const users = new Map([...holders.values()].map((user) => [user.user_id, user]));
  const [first] = users.values();
  if (first === undefined) return undefined;
  const byMobile = holders.get('mobile')?.user_id;
  const differing = [
    ...new Set([...users.values()].flatMap((user) => differences(row, user, user.user_id === byMobile))),
  ];
  const isDisabled = String(first.disabled) === 'true';
  if (users.size === 1 && differing.length === 0 && !isDisabled) {
    return { result: 'existing', userId: first.user_id };
  }
  const held = [...users.keys()].map((id) => `${heldBy(holders, id)} by ${id}`).join(', ');
  const parts = [`held: ${held}`];
  if (differing.length > 0) parts.push(`different there: ${differing.join(', ')}`);
  if (users.size === 1 && isDisabled) parts.push('the user is disabled, which the API cannot take back');
  return { result: 'conflict', code, message: parts.join('; '), hint };
}

function heldBy(holders: ReadonlyMap<KeyField, User>, id: string): string {
  return [...holders].flatMap(([field, user]) => (user.user_id === id ? [field] : [])).join(' and ');
}
