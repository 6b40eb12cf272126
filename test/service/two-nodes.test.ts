import { request } from 'undici';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { device } from '../test-service.ts';
import { apiErrorOf } from './api-errors.ts';
import { type ServeProcess, startServe } from './serve-process.ts';
import { emptyPostgres, isPostgres, temporaryFile } from './storage/temporary-database.ts';
import { tally } from './tally.ts';

const twoHundred = Array.from({ length: 200 }, (_, number) => number);

/** Two processes of the program, started at the same moment on a database without tables. */
async function startTwo(): Promise<[ServeProcess, ServeProcess]> {
  const database = isPostgres ? await emptyPostgres() : temporaryFile();
  return Promise.all([startServe(database, { known: false }), startServe(database, { known: false })]);
}

/** A client for each node, with the application that one of them has created; the connections are open. */
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

// This is a single test, since starting the two nodes takes most of the time.
test('two nodes that start at the same time on an empty database work as one service', async () => {
  const nodes = await startTwo();
  expect(nodes.map(({ tenant }) => isTold(tenant)).sort(), 'one of them makes the application').toEqual([
    false,
    true,
  ]);
  expect(nodes[0].tenant.client_id).toBe(nodes[1].tenant.client_id);
  const [keys, others] = await Promise.all(nodes.map(keysOf));
  expect(keys?.keys, 'they sign with one key').toHaveLength(1);
  expect(keys).toEqual(others);

  const clients = await connectBoth(nodes);
  await createOneName(...clients);
  await verifyOneTicket(...clients);
  await createUsers(...clients);
  await changeUser(...clients);
});

async function createOneName(one: Client, other: Client): Promise<void> {
  const calls = twoHundred.map((n) =>
    (n % 2 ? one : other).createUser({ user_name: n % 3 ? 'Same' : 'same' }),
  );
  expect(await tally(calls)).toEqual({ fulfilled: 1, [apiErrorOf('userNameTaken').code]: 199 });
  expect((await one.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
}

async function verifyOneTicket(one: Client, other: Client): Promise<void> {
  await one.createUser({ user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false });
  const login = await one.logIn('ann', 'qwe123!@#', device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  const { sso_ticket } = await other.issueSsoTicket(session, device);
  const calls = twoHundred.map((n) => (n % 2 ? one : other).verifySsoTicket({ sso_ticket, ...device }));
  expect(await tally(calls)).toEqual({ fulfilled: 1, [apiErrorOf('ticketInvalid').code]: 199 });
}

/** The places in the list have no gap, and both nodes return the same list, with a filter and without. */
async function createUsers(one: Client, other: Client): Promise<void> {
  const made = await Promise.all(twoHundred.map((n) => (n % 2 ? one : other).createUser({})));
  const filter = { updated_at_greater: '2020-01-01 00:00:00' };
  const pages = await Promise.all(
    [0, 1, 2].map(async (offset) => {
      const page = { offset, limit: 100 };
      const [first, ...alike] = await Promise.all([
        one.listUsers(page),
        other.listUsers(page),
        one.listUsers({ ...page, ...filter }),
        other.listUsers({ ...page, ...filter }),
      ]);
      for (const again of alike) expect(again).toEqual(first);
      return first;
    }),
  );
  expect(pages.map(({ total, users }) => [total, users.length])).toEqual([
    [202, 100],
    [202, 100],
    [202, 2],
  ]);
  const listed = pages.flatMap(({ users }) => users.map(({ user_id }) => user_id));
  expect(listed.slice(2).sort()).toEqual(made.map(({ user_id }) => user_id).sort());
}

/** A change on one node moves a user in the filtered list of the other, which has returned the list before. */
async function changeUser(one: Client, other: Client): Promise<void> {
  const newest = await other.listUsers({ offset: 2, limit: 100, updated_at_greater: '2020-01-01 00:00:00' });
  const { user_id = '', updated_at = '' } = newest.users.at(-1) ?? {};
  const later = { offset: 0, limit: 10, updated_at_greater: updated_at };
  for (let change = 0; (await one.getUser(user_id)).updated_at === updated_at; change += 1) {
    await one.updateUser(user_id, { name: `Name ${change}` });
  }
  const { users, total } = await other.listUsers(later);
  expect({ total, ids: users.map((user) => user.user_id) }).toEqual({ total: 1, ids: [user_id] });
}
