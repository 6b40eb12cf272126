import type { Calls } from '../../client/calls.ts';
import { describeListingFaults, listAllUsers } from '../../client/list-all-users.ts';
import { parseMobile } from '../../contract/normal-forms.ts';
import { pageLimits } from '../../contract/operations.ts';
import { formatTime, parseTime } from '../../contract/time.ts';
import type { HashedUser, ListQuery, User } from '../../contract/wire.ts';
import type { OwnersByKey } from '../actions/decide.ts';
import { userState } from '../actions/fingerprints.ts';
import { type KeyField, type KeyQuery, keyQueries, loginNameQueries } from '../actions/keys.ts';
import { answerOf, type RunControl } from '../send/call-api.ts';
import type { UserFinder } from '../send/existing-user.ts';
import type { ListedOwners } from './owner-source.ts';
import { createUserIndex, type IndexedUser, type UserIndex } from './user-index.ts';

/** The calls by which a tenant is read. */
export type TenantReader = Pick<Calls, 'listUsers' | 'getUser'> & UserFinder;

/** Lists the whole tenant, paced like an import. `onUsers` hears how many of how many have come. */
export async function listOwners(
  reader: TenantReader,
  control: RunControl,
  onUsers: (users: number, total: number) => void = () => {},
): Promise<ListedOwners> {
  const index = await createUserIndex();
  try {
    const started = performance.now();
    const listUsers = (query: ListQuery) => answerOf(control, () => reader.listUsers(query));
    const listing = listAllUsers({ listUsers }, { limit: pageLimits.max });
    let newest = '';
    for await (const users of listing.pages) {
      index.add(users);
      for (const { updated_at: at } of users) if (at > newest) newest = at;
      const { users: count, total } = listing.verdict();
      onUsers(count, total);
    }
    index.complete();
    const { users } = listing.verdict();
    const marks = createMarks(users);
    const isDefaultArea = createAreaCheck(reader, control);

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

    async function findOne(row: HashedUser, by: KeyField | undefined): Promise<OwnersByKey> {
      const owners = await askAll(keyQueries(row, by));
      return owners.size > 0 ? owners : askAll(loginNameQueries(row));
    }

    return {
      users,
      async find(rows, by) {
        marks.forget();
        const found: OwnersByKey[] = [];
        for (const row of rows) found.push(await findOne(row, by));
        return found;
      },
      claim: marks.claim,
      *others() {
        for (const list of index.all()) {
          yield list.flatMap(({ seq, user }) => (marks.isSeen(seq) ? [] : [user]));
        }
      },
      faults: describeListingFaults(listing.verdict().faults),
      countChanged: async () =>
        newest === '' ? 0 : countChanged(listUsers, index, newest, performance.now() - started),
      close: index.close,
    };
  } catch (failure) {
    index.close();
    throw failure;
  }
}

/** Two bits for each user: a row has a key of theirs, and a row has them as its person. */
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
    /** Of the users who were seen before only the marks stay. */
    forget: () => seqs.clear(),
    isSeen: (seq: number) => (marks[seq] ?? 0) > 0,
    claim: (user: User) => mark(seqs.get(user) ?? 0, 2),
  };
}

type IsDefaultArea = (area: string, value: string, owner: User) => Promise<boolean>;

/** A number with an area code and one without are the same where it is the tenant's default, which the tenant is asked. */
async function hasMobile(user: User, value: string, isDefaultArea: IsDefaultArea): Promise<boolean> {
  const [asked, held] = [parseMobile(value), parseMobile(user.mobile ?? '')];
  if (asked?.area === held?.area) return true;
  const area = asked?.area ?? held?.area;
  if (area === undefined || (asked?.area !== undefined && held?.area !== undefined)) return false;
  return isDefaultArea(area, value, user);
}

/** Asks about each area code once, by a number that one user has. */
function createAreaCheck(reader: UserFinder, control: RunControl): IsDefaultArea {
  const known = new Map<string, Promise<boolean>>();
  const ask = async (value: string, owner: User) => {
    const found = await answerOf(
      control,
      () => reader.getUserByMobile(value),
      () => undefined,
    );
    return found?.user_id === owner.user_id;
  };
  return (area, value, owner) => {
    const answer = known.get(area) ?? ask(value, owner);
    known.set(area, answer);
    return answer;
  };
}

/**
 * Users who were changed since the reading began. Only the tenant knows its time: what was changed during `elapsed`
 * milliseconds was changed later than so long before the `newest` change that was read.
 */
async function countChanged(
  listUsers: TenantReader['listUsers'],
  index: UserIndex,
  newest: string,
  elapsed: number,
): Promise<number> {
  const time = parseTime(newest);
  if (time === undefined) return 0;
  const after = formatTime(time - elapsed - 2000);
  const listing = listAllUsers({ listUsers }, { limit: pageLimits.max, updated_at_greater: after });
  let changed = 0;
  for await (const users of listing.pages) {
    for (const user of users) {
      const read = index.find('user_name', user.user_name);
      if (!read.some((before) => userState(before.user) === userState(user))) changed += 1;
    }
  }
  return changed;
}
