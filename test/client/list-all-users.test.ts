import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { NetworkError } from '../../src/client/errors.ts';
import { listAllUsers, pagesAhead } from '../../src/client/list-all-users.ts';
import type { ListQuery } from '../../src/contract/wire.ts';
import { startTestService } from '../test-service.ts';
import { listedUser, listedUsers, startListing } from './start-listing.ts';

type Query = Partial<Omit<ListQuery, 'offset'>>;

/** Reads the complete list, 10 users a page. */
async function walked(client: Pick<Client, 'listUsers'>, query: Query = {}) {
  const listing = listAllUsers(client, { limit: 10, ...query });
  const names: string[] = [];
  for await (const page of listing.pages) names.push(...page.map(({ user_name }) => user_name));
  return { names, ...listing.completeness() };
}

function namesOf(count: number): string[] {
  return listedUsers(count).map(({ user_name }) => user_name);
}

/** A service with 25 users, and a client of it that runs `before` before it requests a page. */
async function startLive(before: (offset: number, client: Client) => Promise<unknown>) {
  let time = Date.parse('2026-03-01T10:00:00Z');
  const { client } = await startTestService({ now: () => time });
  for (const user_name of namesOf(25)) await client.createUser({ user_name });
  time += 86_400_000;
  const listUsers: Client['listUsers'] = async (query) => {
    await before(query.offset, client);
    return client.listUsers(query);
  };
  return { listUsers };
}

test('every user is returned once, in order', async () => {
  const client = await startLive(async () => {});
  const verdict = { complete: true, users: 25, duplicates: 0, total: 25, faults: [] };
  expect(await walked(client)).toEqual({ names: namesOf(25), ...verdict });
  expect(await walked(client, { updated_at_greater: '2026-03-02 00:00:00' })).toEqual({
    ...{ names: [], ...verdict },
    ...{ users: 0, total: 0 },
  });
});

test.each([1, 6])('%d users that are added before the last page is requested are included', async (more) => {
  const client = await startLive(async (offset, live) => {
    if (offset !== 2) return;
    for (const user_name of namesOf(25 + more).slice(25)) await live.createUser({ user_name });
  });
  const total = 25 + more;
  expect(await walked(client)).toMatchObject({ names: namesOf(total), complete: true, users: total, total });
});

test('if a user leaves the filter, another may be missing, and the list is not complete', async () => {
  const client = await startLive(async (offset, live) => {
    if (offset !== 2) return;
    const { user_id } = await live.getUserByUserName('user3');
    await live.updateUser(user_id, { name: 'Changed' });
  });
  expect(await walked(client, { updated_at_less: '2026-03-02 00:00:00' })).toEqual({
    names: namesOf(25).filter((name) => name !== 'user20'),
    complete: false,
    users: 24,
    duplicates: 0,
    total: 24,
    faults: ['the total fell from 25 to 24 during the listing, so users may have been skipped'],
  });
});

test('a repeated user after a shift of the pages is left out, and the count shows that one is missing', async () => {
  const users = listedUsers(25);
  const peer = await startListing(users, ({ offset, answer }) => {
    if (offset === 1) users.unshift(listedUser(99));
    answer();
  });
  expect(await walked(peer.connect())).toEqual({
    names: namesOf(25),
    complete: false,
    users: 25,
    duplicates: 1,
    total: 26,
    faults: ['25 different users were received, but the total is 26'],
  });
});

test('repeated users alone do not make a complete list incomplete', async () => {
  const users = [...listedUsers(12), listedUser(3)];
  const peer = await startListing(users, ({ offset, limit, answer }) =>
    answer({ total: 12, users: users.slice(offset * limit, (offset + 1) * limit) }),
  );
  expect(await walked(peer.connect())).toMatchObject({ names: namesOf(12), duplicates: 1, complete: true });
});

test('the total shows that a user was deleted', async () => {
  const users = listedUsers(25);
  const peer = await startListing(users, ({ offset, answer }) => {
    if (offset === 2) users.splice(0, 1);
    answer();
  });
  const faults = ['the total fell from 25 to 24 during the listing, so users may have been skipped'];
  expect(await walked(peer.connect())).toMatchObject({ complete: false, users: 24, total: 24, faults });
});

test('a page that is too short is reported, and the pages after it are still read', async () => {
  const users = listedUsers(35);
  const peer = await startListing(users, ({ offset, answer }) => {
    if (offset === 1) answer({ total: 35, users: users.slice(10, 14) });
    else answer();
  });
  const { names, complete, faults } = await walked(peer.connect());
  expect({ names, complete }).toEqual({
    names: [...namesOf(14), ...namesOf(35).slice(20)],
    complete: false,
  });
  expect(faults).toEqual([
    'page 1 had 4 users instead of 10',
    '29 different users were received, but the total is 35',
  ]);
});

test.each([[0], [2], [0, 1, 2, 3]])(
  'pages that are longer than the client takes (%j ...) are listed in shorter ones',
  async (...long) => {
    const users = listedUsers(345);
    const asked: string[] = [];
    const listUsers: Client['listUsers'] = async ({ offset, limit }) => {
      asked.push(`${offset}/${limit}`);
      if (limit > 10 && long.includes(offset))
        throw new NetworkError('tooLong', 'the answer is longer than 64 MiB', { effect: 'none' });
      return { total: 345, users: users.slice(offset * limit, (offset + 1) * limit) };
    };
    const verdict = { complete: true, users: 345, duplicates: 0, total: 345, faults: [] };
    expect(await walked({ listUsers }, { limit: 100 })).toEqual({ names: namesOf(345), ...verdict });
    expect(asked.filter((page) => page.endsWith('/10'))).toHaveLength(35 - 10 * Math.min(...long));
  },
);

test.each([10, 25])('if pages of %d are too long and cannot be divided, the listing fails', async (limit) => {
  const tooLong = new NetworkError('tooLong', 'the answer is longer than 64 MiB', { effect: 'none' });
  const listUsers = () => Promise.reject(tooLong);
  await expect(walked({ listUsers }, { limit })).rejects.toBe(tooLong);
});

test('an empty page ends the listing, however many users the total promises', async () => {
  const peer = await startListing([], ({ answer }) => answer({ total: 1_000_000, users: [] }));
  expect(await walked(peer.connect())).toMatchObject({ users: 0, total: 1_000_000, complete: false });
  expect(peer.calls.length).toBeLessThanOrEqual(pagesAhead);
});

test.each([undefined, '25', Number.MAX_SAFE_INTEGER])(
  'pages that only repeat earlier users end the listing, with the total %s',
  async (total) => {
    const peer = await startListing([], ({ answer }) => answer({ total, users: listedUsers(10) }));
    const faults = expect.arrayContaining(['10 pages in a row had only users of earlier pages']);
    expect(await walked(peer.connect())).toMatchObject({ names: namesOf(10), complete: false, faults });
    expect(peer.calls.length).toBeLessThanOrEqual(11 + pagesAhead);
  },
);

test('a few pages that only repeat earlier users do not end the listing', async () => {
  const users = listedUsers(35);
  let shift = 0;
  const peer = await startListing(users, ({ offset, limit, answer }) => {
    if (offset > 1 && shift < 9) shift += 1;
    const from = (offset - shift) * limit;
    answer({ users: users.slice(from, from + limit) });
  });
  expect((await walked(peer.connect())).names).toEqual(namesOf(35));
  expect(shift).toBe(9);
});

test('without a total the listing continues while pages are full, and completeness is unknown', async () => {
  const users = listedUsers(25);
  const peer = await startListing(users, ({ offset, answer }) =>
    answer({ users: users.slice(offset * 10, offset * 10 + 10) }),
  );
  expect(await walked(peer.connect())).toEqual({
    ...{ names: namesOf(25), complete: false, users: 25, duplicates: 0, total: 25 },
    faults: ['the service did not send the number of users'],
  });
});

test('a retry corrects a temporary 503', async () => {
  let failures = 0;
  const peer = await startListing(listedUsers(25), ({ offset, answer }) => {
    if (offset !== 1 || failures > 0) return answer();
    failures += 1;
    answer('', 503, { 'retry-after': '0' });
  });
  expect(await walked(peer.connect())).toMatchObject({ names: namesOf(25), complete: true });
  expect(failures).toBe(1);
});

test('a page that fails ends the listing after the pages before it', async () => {
  const peer = await startListing(listedUsers(95), ({ offset, answer }) =>
    offset === 3 ? answer('', 500) : answer(),
  );
  const listing = listAllUsers(peer.connect(), { limit: 10 });
  const names: string[] = [];
  const reading = (async () => {
    for await (const page of listing.pages) names.push(...page.map(({ user_name }) => user_name));
  })();
  await expect(reading).rejects.toThrow(NetworkError);
  expect(names).toEqual(namesOf(30));
  expect(listing.completeness()).toMatchObject({ complete: false, users: 30 });
});

test('the order is kept when answers arrive in another order, and the last page is requested alone', async () => {
  const waiting: (() => void)[] = [];
  const order: number[] = [];
  const peer = await startListing(listedUsers(45), ({ offset, answer }) => {
    order.push(offset);
    if (offset === 0 || offset === 4) return answer();
    waiting.unshift(answer);
    if (waiting.length === 3) for (const late of waiting) late();
  });
  expect(await walked(peer.connect())).toMatchObject({ names: namesOf(45), complete: true });
  expect(order[0]).toBe(0);
  expect(order[4]).toBe(4);
});

test('a reader that does not read is never more than a few pages behind', async () => {
  const peer = await startListing(listedUsers(500));
  const client = peer.connect();
  const listing = listAllUsers(client, { limit: 10 });
  for (let page = 1; page <= 20; page += 1) {
    await listing.pages.next();
    // Requests for pages that are too far ahead would arrive before these are answered.
    for (let call = 0; call < 5; call += 1) await client.listUsers({ offset: 0, limit: 99 });
    const asked = peer.calls.filter(({ url }) => url.includes('limit=10'));
    expect(asked.length).toBe(page - 1 + pagesAhead);
  }
});

test('a caller can look at the pages ahead, also at the last of a short list, and a failure waits for its page', async () => {
  const short = listAllUsers((await startListing(listedUsers(25))).connect(), { limit: 10 });
  expect(await short.firstPages()).toHaveLength(25);
  const names = [];
  for await (const page of short.pages) names.push(...page.map(({ user_name }) => user_name));
  expect({ names, complete: short.completeness().complete }).toEqual({ names: namesOf(25), complete: true });

  const failing = await startListing(listedUsers(95), ({ offset, answer }) =>
    offset === 1 ? answer('', 500) : answer(),
  );
  const listing = listAllUsers(failing.connect(), { limit: 10 });
  expect(await listing.firstPages()).toHaveLength(50);
  expect((await listing.pages.next()).value).toHaveLength(10);
  await expect(listing.pages.next()).rejects.toThrow(NetworkError);
});
