import type { HashedUser, User } from '../../contract/wire.ts';
import type { OwnersByKey } from '../actions/decide.ts';
import { differencesOf } from '../actions/differences.ts';
import type { KeyField } from '../actions/keys.ts';

/** Whom `find` finds. */
export interface FindOptions {
  /** The key that tells people apart; without it, an external ID counts only where a row has no other key. */
  key?: KeyField | undefined;
  /**
   * Also users with the external ID of a row, unless another owner has it. With a `key` other than the external ID, those who hold
   * it beside the owners: they may be the person of the row. Without `key` the only one, if the names do not differ: this may be the
   * person, who has other login names now. A look-up finds one of several.
   */
  withRenamed?: boolean | undefined;
}

/** True if an owner has the external ID of a row. */
export function isHeld({ external_id: value }: HashedUser, owners: OwnersByKey): boolean {
  return [...owners.values()].flat().some((user) => user.external_id === value);
}

/** Returns the owners of a row with those of the users `named`, who have its external ID, whom `find` finds. None of the owners has it. */
export function withNamed(
  row: HashedUser,
  owners: OwnersByKey,
  named: readonly User[],
  { key, withRenamed }: FindOptions,
): OwnersByKey {
  const [only, ...others] = named;
  if (!withRenamed || !only) return owners;
  const isLikely = others.length === 0 && differencesOf(row, only, false, ['name']).length === 0;
  if (key === undefined ? !isLikely : owners.size === 0) return owners;
  return new Map([...owners, ['external_id', named]]);
}

/** Finds the users who have the keys of rows. */
export interface OwnerSource {
  /** Returns the owners of the keys of these rows, in the same order. Rejects if the tenant cannot be read. */
  find(rows: readonly HashedUser[], options?: FindOptions): Promise<OwnersByKey[]>;
  /** True the first time that a user returned by `find` is claimed as the person of a row: two rows cannot have the same user. */
  claim(user: User): boolean;
}
