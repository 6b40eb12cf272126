import { hasUniqueKey, keyQueries, loginNameQueries, queryOfKey } from '../actions/keys.ts';
import type { RunControl } from '../send/call-api.ts';
import { lookUpOwners, type UserFinder } from '../send/existing-user.ts';
import { isHeld, type OwnerSource, withNamed } from './owner-source.ts';

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
    claim({ user_id: id }) {
      const isNew = !claimed.has(id);
      claimed.add(id);
      return isNew;
    },
  };
}
