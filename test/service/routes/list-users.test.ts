import { expect, test } from 'vitest';
import type { User } from '../../../src/contract/wire.ts';
import type { Database } from '../../../src/service/storage/engine/database.ts';
import { StoreError } from '../../../src/service/storage/engine/store-error.ts';
import { startTestService, type TestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { keptDatabase } from '../storage/test-database.ts';

const users = '/api/v2/tenant/users';
const start = Date.UTC(2026, 0, 1, 12);

async function create({ client }: TestService, names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const user_name of names) ids.push((await client.createUser({ user_name })).user_id);
  return ids;
}

function names(page: { users: User[] }): string[] {
  return page.users.map((user: User) => user.user_name);
}

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `user-${number}`);

test.each([
  '',
  '?offset=0',
  '?limit=10',
  '?offset=&limit=10',
  '?offset=0&limit=',
  '?offset=-1&limit=10',
  '?offset=0&limit=9',
  '?offset=0&limit=101',
  '?offset=0&limit=0',
  '?offset=0&limit=-10',
  '?offset=0.5&limit=10',
  '?offset=0&limit=10.0',
  '?offset=0&limit=1e1',
  '?offset=0&limit=0x10',
  '?offset=%200&limit=10',
  '?offset=a&limit=10',
  '?offset=0&limit=10&limit=10',
  '?offset=0&offset=1&limit=10',
  '?offset=99999999999999999999&limit=10',
])('%j is rejected, since both numbers must be whole and within bounds', async (query) => {
  const { request } = await startTestService();
  expect(await request('GET', users + query)).toMatchObject(errorReply('pageInvalid'));
});

test('list accepts pages of 10 to 100 and returns them in the order of creation', async () => {
  const service = await startTestService();
  const ids = await create(service, numbered(25));
  const { client } = service;
  const pages = [0, 1, 2].map((offset) => client.listUsers({ offset, limit: 10 }));
  expect((await Promise.all(pages)).map(names)).toEqual([
    numbered(25).slice(0, 10),
    numbered(25).slice(10, 20),
    numbered(25).slice(20),
  ]);
  const all = await client.listUsers({ offset: 0, limit: 100 });
  expect(all.users.map(({ user_id }) => user_id)).toEqual(ids);
  expect(all.total).toBe(25);
});

test('a page after the last one has no users, and the same total', async () => {
  const service = await startTestService();
  await create(service, numbered(11));
  for (const offset of [2, 3, 1_000_000, 9_999_999_999]) {
    expect(await service.client.listUsers({ offset, limit: 10 })).toEqual({ total: 11, users: [] });
  }
});

test('no update, login or rejected create moves a user to another page', async () => {
  const service = await startTestService();
  const { client } = service;
  const ids = await create(service, numbered(12));
  for (const [number, id] of ids.entries()) {
    if (number % 2 === 0) await client.updateUser(id, { name: `Name ${number}`, user_name: `z-${number}` });
    if (number % 3 === 0) await client.disableUser(id);
    await client.createUser({ user_name: 'USER-1' }).catch(() => undefined);
  }
  const first = await client.listUsers({ offset: 0, limit: 10 });
  const second = await client.listUsers({ offset: 1, limit: 10 });
  expect([...first.users, ...second.users].map(({ user_id }) => user_id)).toEqual(ids);
  expect([first.total, second.total]).toEqual([12, 12]);
});

test('list shows a user as look-ups do', async () => {
  const service = await startTestService();
  const [id = ''] = await create(service, ['ann']);
  await service.client.updateUser(id, { email: 'a@b', extension: { age: '42' } });
  const page = await service.client.listUsers({ offset: 0, limit: 10 });
  expect(page).toEqual({ total: 1, users: [await service.client.getUser(id)] });
});

const pictureSize = 200_000;
const picture = `data:image/png;base64,${'A'.repeat(pictureSize)}`;

/** A service, and how many characters the largest answer of its database to one query had. */
async function startMeasured(database: Database, now = Date.now) {
  const largest = { answer: 0 };
  const measured: Database = {
    ...database,
    async query<Row>(...asked: Parameters<Database['query']>) {
      const rows = await database.query<Row>(...asked);
      largest.answer = Math.max(largest.answer, JSON.stringify(rows).length);
      return rows;
    },
  };
  return { ...(await startTestService({ database: measured, now })), largest };
}

test.each(['', '&updated_at_greater=2020-01-01%2000:00:00'])(
  'large users of a page are read one at a time, and shown as look-ups show them (filter: "%s")',
  async (filter) => {
    const { client, request, largest } = await startMeasured(await keptDatabase());
    const ids: string[] = [];
    for (const number of numbered(10).keys()) {
      const head_img = number % 3 === 0 ? 'https://example.com/a.png' : picture;
      ids.push((await client.createUser({ user_name: `Ünï-${number}`, head_img })).user_id);
    }
    const shown = await Promise.all(ids.map((id) => client.getUser(id)));
    largest.answer = 0;
    const { body, headers } = await request('GET', `${users}?offset=0&limit=10${filter}`);
    expect(body).toEqual({ total: 10, users: shown });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(largest.answer).toBeGreaterThan(pictureSize);
    expect(largest.answer).toBeLessThan(2 * pictureSize);
  },
);

test('a page is cut off, and the failure reported, if a large user of it cannot be read', async () => {
  const database = await keptDatabase();
  let fails = false;
  const failing: Database = {
    ...database,
    query: (sql, values) =>
      fails && sql.includes('user_id = ?')
        ? Promise.reject(new StoreError('the disk is gone'))
        : database.query(sql, values),
  };
  const { client, request, reports } = await startTestService({ database: failing });
  await client.createUser({ head_img: picture });
  await client.createUser({ user_name: 'ann' });
  fails = true;
  await expect(request('GET', `${users}?offset=0&limit=10`)).rejects.toThrow('other side closed');
  expect(reports.splice(0)).toEqual([new StoreError('the disk is gone')]);
  fails = false;
  expect((await client.listUsers({ offset: 0, limit: 10 })).users).toHaveLength(2);
});

/** Users changed at 12:00:00.000, 12:00:00.999, 12:00:01.000, …, in milliseconds after the start. */
const moments = [0, 999, 1000, 1999, 2000, 60_000];

async function startWithMoments() {
  let time = start;
  const service = await startTestService({ now: () => time });
  for (const moment of moments) {
    time = start + moment;
    await service.client.createUser({ user_name: `at-${moment}` });
  }
  return service;
}

test.each([
  [{ updated_at_greater: '2026-01-01 12:00:00' }, [1000, 1999, 2000, 60_000]],
  [{ updated_at_greater: '2026-01-01 12:00:01' }, [2000, 60_000]],
  [{ updated_at_greater: '2026-01-01 11:59:59' }, moments],
  [{ updated_at_greater: '2026-01-01 12:01:00' }, []],
  [{ updated_at_less: '2026-01-01 12:00:01' }, [0, 999]],
  [{ updated_at_less: '2026-01-01 12:00:00' }, []],
  [{ updated_at_less: '2026-01-01 12:00:02' }, [0, 999, 1000, 1999]],
  [{ updated_at_greater: '2026-01-01 12:00:00', updated_at_less: '2026-01-01 12:00:02' }, [1000, 1999]],
  [{ updated_at_greater: '2026-01-01 12:00:01', updated_at_less: '2026-01-01 12:00:02' }, []],
  [{ updated_at_greater: '2026-01-01 12:00:02', updated_at_less: '2026-01-01 12:00:01' }, []],
  [{ updated_at_greater: '' }, moments],
])(
  '%j compares strictly with the seconds that are shown, and counts only the users that match',
  async (filter, expected) => {
    const { client } = await startWithMoments();
    const page = await client.listUsers({ offset: 0, limit: 10, ...filter });
    expect(names(page)).toEqual(expected.map((moment) => `at-${moment}`));
    expect(page.total).toBe(expected.length);
  },
);

test('a filtered list has its pages in the order of creation, and reflects every change', async () => {
  let time = start;
  const service = await startTestService({ now: () => time });
  const ids = await create(service, numbered(30));
  time += 10_000;
  for (const id of ids.slice(5, 20).reverse()) await service.client.updateUser(id, { name: 'x' });
  const filter = { limit: 10, updated_at_greater: '2026-01-01 12:00:00' };
  const pages = await Promise.all([0, 1, 2].map((offset) => service.client.listUsers({ offset, ...filter })));
  expect(pages.map(names)).toEqual([numbered(30).slice(5, 15), numbered(30).slice(15, 20), []]);
  expect(pages.map(({ total }) => total)).toEqual([15, 15, 15]);
});

test.each([
  'updated_at_greater=yesterday',
  'updated_at_less=2026-01-01',
  'updated_at_less=2026-02-30%2000:00:00',
  'updated_at_greater=1767268800000',
  'updated_at_greater=2026-01-01T12:00:00',
  'updated_at_less=2026-01-01%2012:00:00&updated_at_less=2026-01-01%2012:00:00',
])('%s is not a time, and the answer names the parameter', async (query) => {
  const { request } = await startTestService();
  const name = query.split('=')[0];
  expect(await request('GET', `${users}?offset=0&limit=10&${query}`)).toMatchObject(
    errorReply('requestInvalid', `${name} must be a time, yyyy-MM-dd HH:mm:ss`),
  );
});
