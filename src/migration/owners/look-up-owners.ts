import { keyQueries, loginNameQueries } from '../actions/keys.ts';
import type { RunControl } from '../send/call-api.ts';
import { lookUpOwners, type UserFinder } from '../send/existing-user.ts';
import type { OwnerSource } from './owner-source.ts';

/** Looks up each row separately, as many rows at a time as the rate limiter allows. */
export function createLookUps(finder: UserFinder, control: RunControl): OwnerSource {
  const claimed = new Set<string>();

  async function ask(queries: ReturnType<typeof keyQueries>) {
    const search = await lookUpOwners(finder, queries, control);
    if (search.kind === 'found') return search.owners;
    throw control.breaker.reason() ?? (search.kind === 'unanswered' ? search.error : undefined);
  }

  return {
    find: (rows, { key } = {}) =>
      Promise.all(
        rows.map(async (row) => {
          const owners = await ask(keyQueries(row, key));
          return owners.size > 0 ? owners : ask(loginNameQueries(row));
        }),
      ),
    claim({ user_id: id }) {
      const isNew = !claimed.has(id);
      claimed.add(id);
      return isNew;
    },
  };
}
