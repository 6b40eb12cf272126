import type { Calls } from '../../client/calls.ts';
import { listAllUsers } from '../../client/list-all-users.ts';
import { parseMobile } from '../../contract/normal-forms.ts';
import { pageLimits } from '../../contract/operations.ts';
import { formatTime, parseTime } from '../../contract/time.ts';
import type { HashedUser, ListQuery, User } from '../../contract/wire.ts';
import type { OwnersByKey } from '../actions/decide.ts';
import { userState } from '../actions/fingerprints.ts';
import { type KeyField, type KeyQuery, keyQueries, loginNameQueries, queryOfKey } from '../actions/keys.ts';
import type { InvalidRow } from '../rows/validate-rows.ts';
import { answerOf, type RunControl } from '../send/call-api.ts';
import { type UserFinder, userOrNobody } from '../send/existing-user.ts';
import { type FindOptions, isHeld, type OwnerSource, withNamed } from './owner-source.ts';
import { createUserIndex, type IndexedUser } from './user-index.ts';

export type TenantReader = Pick<Calls, 'listUsers' | 'getUser'> & UserFinder;

/** Lists the users of a tenant, paced like an import. `query`: which of them; by default all. */
export function listTenant(
  reader: Pick<TenantReader, 'listUsers'>,
  control: RunControl,
  query: Pick<ListQuery, 'updated_at_greater'> = {},
) {
  const listUsers = (page: ListQuery) => answerOf(control, () => reader.listUsers(page));
  return listAllUsers({ listUsers }, { limit: pageLimits.max, ...query });
}

/** A complete listing of a tenant. */
export type ListedOwners = Awaited<ReturnType<typeof listOwners>>;

/** Makes an index of all users of the tenant. */
export async function listOwners(reader: TenantReader, control: RunControl) {
  const index = await createUserIndex();
  try {
    const started = performance.now();
    const listing = listTenant(reader, control);
    let newest = '';
    for await (const users of listing.pages) {
      index.add(users);
      for (const { updated_at: at } of users) if (at > newest) newest = at;
      const { users: done, total } = listing.completeness();
      control.onStep?.({ what: 'users read', done, total });
    }
    index.complete();
    const { users } = listing.completeness();
    const marks = createMarks(users);
    const isDefaultArea = createAreaCheck(reader, control);
    const faults = [...listing.completeness().faults];

    async function ask({ key, value }: KeyQuery): Promise<IndexedUser[]> {
      const found = index.find(key, value);
      if (key !== 'mobile') return found;
      const same = await Promise.all(found.map(({ user }) => hasMobile(user, value, isDefaultArea)));
      return found.filter((_, at) => same[at]);
    }

    async function askAll(queries: readonly KeyQuery[]): Promise<Map<KeyField, User[]>> {
      const owners = new Map<KeyField, User[]>();
      for (const query of queries) {
        for (const { seq, user } of await ask(query)) {
          owners.set(query.field, [...(owners.get(query.field) ?? []), user]);
          marks.see(seq, user);
        }
      }
      return owners;
    }

    async function findOne(row: HashedUser, options: FindOptions): Promise<OwnersByKey> {
      const byKeys = await askAll(keyQueries(row, options.key));
      const owners = byKeys.size > 0 ? byKeys : await askAll(loginNameQueries(row));
      if (row.external_id === undefined || isHeld(row, owners)) return owners;
      const named = index.find('external_id', row.external_id);
      for (const { seq } of named) marks.name(seq);
      const found = withNamed(
        row,
        owners,
        named.map(({ user }) => user),
        options,
      );
      if (found !== owners) for (const { seq, user } of named) marks.see(seq, user);
      return found;
    }

    const source: OwnerSource = {
      async find(rows, options = {}) {
        marks.forget();
        const found: OwnersByKey[] = [];
        for (const row of rows) found.push(await findOne(row, options));
        return found;
      },
      hasExternalId: (externalId) => index.find('external_id', externalId).length > 0,
      claim: marks.claim,
    };
    return {
      ...source,
      /** Number of users listed. */
      users,
      /**
       * Marks the users who have the first identifier or the external ID of a row that fails the checks, so that they are not among the
       * `others`. False if there are none: the row may be about any user.
       */
      recognise({ key, externalId }: Pick<InvalidRow, 'key' | 'externalId'>): boolean {
        const queries = [
          ...(key === undefined ? [] : [queryOfKey(key)]),
          ...(externalId === undefined ? [] : [{ key: 'external_id', value: externalId } as const]),
        ];
        const found = queries.flatMap((query) => index.find(query.key, query.value));
        for (const { seq, user } of found) marks.see(seq, user);
        return found.length > 0;
      },
      /** Returns the user with this ID, who is then not among the `others`; `undefined` if there is none. */
      findById(userId: string): User | undefined {
        const found = index.findById(userId);
        if (found) marks.see(found.seq, found.user);
        return found?.user;
      },
      /**
       * The users who have no key of any row, in lists. A row none of whose owners has its external ID names every user who has it, who
       * is left out unless `withNamed` is set.
       */
      *others(withNamed?: boolean): Generator<User[], void> {
        for (const list of index.all()) {
          yield list.flatMap(({ seq, user }) => (marks.isSeen(seq, withNamed) ? [] : [user]));
        }
      },
      /** Why users may be missing from the listing; empty if it is complete. */
      faults,
      /**
       * Returns how many users were changed or created since the listing began; adds to `faults` why there may be more. By the tenant's
       * clock, which may differ from ours, it began no earlier than the newest change that was read, less the time since; without one all
       * users count who are there.
       */
      async countChanged(): Promise<number> {
        const time = parseTime(newest);
        const since = performance.now() - started + 2000;
        const query = time === undefined ? {} : { updated_at_greater: formatTime(time - since) };
        const again = listTenant(reader, control, query);
        let changed = 0;
        for await (const users of again.pages) {
          for (const user of users) {
            const read = index.find('user_name', user.user_name);
            if (!read.some((before) => userState(before.user) === userState(user))) changed += 1;
          }
        }
        faults.push(...again.completeness().faults.map((fault) => `when it was read again, ${fault}`));
        return changed;
      },
      close: index.close,
    };
  } catch (failure) {
    index.close();
    throw failure;
  }
}

/** Keeps three bits per user: a row has one of their keys; has them as its person; names them by external ID, and no owner of it. */
function createMarks(users: number) {
  const marks = new Uint8Array(users + 1);
  const seqs = new Map<User, number>();
  const mark = (seq: number, bit: number) => {
    const before = marks[seq] ?? 0;
    marks[seq] = before | bit;
    return (before & bit) === 0;
  };
  return {
    see(seq: number, user: User): void {
      mark(seq, 1);
      seqs.set(user, seq);
    },
    /** Forgets which `User` objects were seen, but keeps their marks. */
    forget: () => seqs.clear(),
    name: (seq: number) => mark(seq, 4),
    isSeen: (seq: number, withNamed = false) => ((marks[seq] ?? 0) & (withNamed ? 3 : 7)) > 0,
    claim: (user: User) => mark(seqs.get(user) ?? 0, 2),
  };
}

type IsDefaultArea = (area: string, value: string, owner: User) => Promise<boolean>;

/** True if two mobile numbers are the same; one of them may lack its area code if that is the tenant's default. */
async function hasMobile(user: User, value: string, isDefaultArea: IsDefaultArea): Promise<boolean> {
  const [asked, held] = [parseMobile(value), parseMobile(user.mobile ?? '')];
  if (asked?.area === held?.area) return true;
  const area = asked?.area ?? held?.area;
  if (area === undefined || (asked?.area !== undefined && held?.area !== undefined)) return false;
  return isDefaultArea(area, value, user);
}

/** Checks, with one look-up per area code, whether it is the tenant's default: then the number of the row finds the owner. */
function createAreaCheck(reader: UserFinder, control: RunControl): IsDefaultArea {
  const known = new Map<string, Promise<boolean>>();
  const ask = async (value: string, owner: User) => {
    const found = await userOrNobody(
      'getUserByMobile',
      answerOf(control, () => reader.getUserByMobile(value)),
    );
    return found?.user_id === owner.user_id;
  };
  return (area, value, owner) => {
    const answer = known.get(area) ?? ask(value, owner);
    known.set(area, answer);
    return answer;
  };
}
