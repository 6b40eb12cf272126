import type { HashedUser, User } from '../../contract/wire.ts';
import type { OwnersByKey } from '../actions/decide.ts';
import { differencesOf } from '../actions/differences.ts';
import { hasUniqueKey, type KeyField, keyQueries, loginNameQueries, queryOfKey } from '../actions/keys.ts';
import type { RunControl } from '../send/call-api.ts';
import { lookUpOwners, type UserFinder } from '../send/existing-user.ts';

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
  /** True if a user has this external ID, whom this does not mark as the owner of a row. Rejects if the tenant cannot be read. */
  hasExternalId(externalId: string): boolean | Promise<boolean>;
  /** True the first time that a user returned by `find` is claimed as the person of a row: two rows cannot have the same user. */
  claim(user: User): boolean;
}

/** Looks up each row separately, as many rows at a time as the rate limiter allows. */
export function createLookUps(finder: UserFinder, control: RunControl): OwnerSource {
  const claimed = new Set<string>();

  async function ask(queries: ReturnType<typeof keyQueries>) {
    const search = await lookUpOwners(finder, queries, control);
    if (search.kind === 'found') return search.owners;
    throw control.breaker.reason() ?? (search.kind === 'unanswered' ? search.error : undefined);
  }

  return {
    find: (rows, options = {}) =>
      Promise.all(
        rows.map(async (row) => {
          const { key, withRenamed } = options;
          const byKeys = await ask(keyQueries(row, key));
          const owners = byKeys.size > 0 ? byKeys : await ask(loginNameQueries(row));
          const { external_id: value } = row;
          const isAsked =
            withRenamed &&
            hasUniqueKey(row) &&
            key !== 'external_id' &&
            (key === undefined || owners.size > 0);
          if (!isAsked || value === undefined || isHeld(row, owners)) return owners;
          const named = await ask([queryOfKey(`external_id=${value}`)]);
          return withNamed(row, owners, [...named.values()].flat(), options);
        }),
      ),
    hasExternalId: async (externalId) => (await ask([queryOfKey(`external_id=${externalId}`)])).size > 0,
    claim({ user_id: id }) {
      const isNew = !claimed.has(id);
      claimed.add(id);
      return isNew;
    },
  };
}
