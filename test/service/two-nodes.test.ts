import { request } from 'undici';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { device } from '../test-service.ts';
import { refused } from './refused.ts';
import { type ServeProcess, startServe } from './serve-process.ts';
import { emptyPostgres, isPostgres, temporaryFile } from './store/temporary-database.ts';
import { tally } from './tally.ts';

const twoHundred = Array.from({ length: 200 }, (_, number) => number);

/** Two processes of the program, started at the same moment on a database without any table. */
async function startTwo(): Promise<[ServeProcess, ServeProcess]> {
  const database = isPostgres ? await emptyPostgres() : temporaryFile();
  return Promise.all([startServe(database, { known: false }), startServe(database, { known: false })]);
}

/** A client of each, by the application that one of them has made; their connections are open. */
async function connectBoth(nodes: [ServeProcess, ServeProcess]): Promise<[Client, Client]> {
  const { client_id, client_secret = '' } = nodes.map(({ tenant }) => tenant).find(isTold) ?? nodes[0].tenant;
  const [one, other] = nodes;
  const clients: [Client, Client] = [
    one.connect({ client_id, client_secret }),
    other.connect({ client_id, client_secret }),
  ];
  await Promise.all(
    twoHundred.map((n) => (n % 2 ? clients[0] : clients[1]).listUsers({ offset: 0, limit: 10 })),
  );
  return clients;
}

function isTold({ client_secret }: ServeProcess['tenant']): boolean {
  return client_secret !== undefined;
}

async function keysOf({ baseUrl }: ServeProcess) {
  const reply = await request(`${baseUrl}/api/v1/oauth2/keys`);
  return (await reply.body.json()) as { keys: object[] };
}

test('of two nodes that start at once one makes the application, and both sign with one key', async () => {
  const nodes = await startTwo();
  expect(nodes.map(({ tenant }) => isTold(tenant)).sort()).toEqual([false, true]);
  expect(nodes[0].tenant.client_id).toBe(nodes[1].tenant.client_id);
  const keys = await Promise.all(nodes.map(keysOf));
  expect(keys[0]?.keys).toHaveLength(1);
  expect(keys[0]).toEqual(keys[1]);
});

test('of 200 creates of one user name through two nodes exactly one succeeds', async () => {
  const [one, other] = await connectBoth(await startTwo());
  const calls = twoHundred.map((n) =>
    (n % 2 ? one : other).createUser({ user_name: n % 3 ? 'Same' : 'same' }),
  );
  expect(await tally(calls)).toEqual({ fulfilled: 1, [refused('userNameTaken').code]: 199 });
  expect((await one.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
});

test('of 200 verifies of one ticket through two nodes exactly one succeeds', async () => {
  const [one, other] = await connectBoth(await startTwo());
  await one.createUser({ user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false });
  const login = await one.logIn('ann', 'qwe123!@#', device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  const { sso_ticket } = await other.issueSsoTicket(session, device);
  const calls = twoHundred.map((n) => (n % 2 ? one : other).verifySsoTicket({ sso_ticket, ...device }));
  expect(await tally(calls)).toEqual({ fulfilled: 1, [refused('ticketInvalid').code]: 199 });
});

test('users that two nodes create at once have places without a gap, and both list them alike', async () => {
  const [one, other] = await connectBoth(await startTwo());
  const made = await Promise.all(twoHundred.map((n) => (n % 2 ? one : other).createUser({})));
  const filter = { updated_at_greater: '2020-01-01 00:00:00' };
  const pages = [0, 1].flatMap((offset) =>
    [one, other].flatMap((client) => [
      client.listUsers({ offset, limit: 100 }),
      client.listUsers({ offset, limit: 100, ...filter }),
    ]),
  );
  const [first, ...alike] = await Promise.all(pages.slice(0, 4));
  const [second, ...asWell] = await Promise.all(pages.slice(4));
  expect([first?.total, first?.users.length, second?.users.length]).toEqual([200, 100, 100]);
  for (const page of alike) expect(page).toEqual(first);
  for (const page of asWell) expect(page).toEqual(second);
  const listed = [...(first?.users ?? []), ...(second?.users ?? [])].map(({ user_id }) => user_id);
  expect(listed.sort()).toEqual(made.map(({ user_id }) => user_id).sort());
});

test('a change through one node moves a user in the filtered listing of the other', async () => {
  const [one, other] = await connectBoth(await startTwo());
  const ids = await Promise.all(
    twoHundred.slice(0, 20).map((n) => one.createUser({ user_name: `user-${n}` })),
  );
  const { users } = await other.listUsers({
    offset: 0,
    limit: 100,
    updated_at_greater: '2020-01-01 00:00:00',
  });
  expect(users).toHaveLength(20);
  const last =
    users
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1) ?? '';
  const later = { offset: 0, limit: 10, updated_at_greater: last };
  expect(await other.listUsers(later)).toEqual({ total: 0, users: [] });
  const user_id = ids[7]?.user_id ?? '';
  for (let change = 0; (await one.getUser(user_id)).updated_at === last; change += 1) {
    await one.updateUser(user_id, { name: `Name ${change}` });
  }
  const page = await other.listUsers(later);
  expect({ total: page.total, ids: page.users.map((user) => user.user_id) }).toEqual({
    total: 1,
    ids: [user_id],
  });
});
