import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../../../engine-proxy.mjs';
import { type EngineName, engines } from '../../../../engines.mjs';
import { device, startTestService } from '../../../../test-service.ts';
import { apiErrorOf } from '../../../api-errors.ts';
import { tally } from '../../../tally.ts';
import { emptyPostgres, temporaryDatabase } from '../../temporary-database.ts';

async function start(url: string, name: EngineName, races?: number) {
  const engine = await startEngine(url, name, races === undefined ? {} : { races });
  onTestFinished(engine.stop);
  return { engine, location: engine.through(url) };
}

test.each(Object.keys(engines) as EngineName[])(
  'the service works on %s, and callers do not see that every tenth transaction fails',
  async (name) => {
    const { engine, location } = await start(await emptyPostgres(), name, 0.1);
    const { client } = await startTestService({ database: location });
    const names = Array.from({ length: 60 }, (_, n) => ({
      user_name: `user${n % 50}`,
      email: `u${n}@example.com`,
    }));
    const made = await tally(names.map((values) => client.createUser(values)));
    expect(made).toEqual({ fulfilled: 50, [apiErrorOf('userNameTaken').code]: 10 });
    const { total, users } = await client.listUsers({ offset: 0, limit: 100 });
    expect([total, new Set(users.map(({ user_name }) => user_name)).size]).toEqual([50, 50]);
    const [{ user_id } = { user_id: '' }] = users;
    await client.updateUser(user_id, { name: 'Ann', email: 'ann@example.com' });
    await client.createUser({ user_name: 'bob', pwd: 'qwe123!@#', pwd_must_modify: false });
    const login = await client.logIn('bob', 'qwe123!@#', device);
    const { sso_ticket } = await client.issueSsoTicket(
      login.status === 'SUCCESS' ? login.session_token : '',
      device,
    );
    expect(await client.verifySsoTicket({ sso_ticket, ...device })).toMatchObject({ userName: 'bob' });
    await client.disableUser(user_id);
    const changed = await client.listUsers({
      offset: 0,
      limit: 10,
      updated_at_greater: '2020-01-01 00:00:00',
    });
    expect(changed.total).toBe(51);
    expect(changed.users.find((user) => user.user_id === user_id)).toMatchObject({
      name: 'Ann',
      disabled: true,
    });
    expect(engine.injected.races).toBeGreaterThan(5);
  },
);

const refused: [EngineName, string[], RegExp][] = [
  ['cockroach', ['SELECT pg_advisory_xact_lock(1)'], /no advisory locks/],
  ['cockroach', ['BEGIN', 'CREATE TABLE a (b INT)'], /no definitions in a transaction block/],
  ['citus', ['INSERT INTO a VALUES ((SELECT max(b) FROM a))'], /no a subquery in VALUES/],
  ['pgbouncer-transaction', ["SET lock_timeout = '1s'"], /no state of a session/],
  ['strictest', ['BEGIN', 'SAVEPOINT one'], /no savepoints/],
  ['strictest', ['CREATE TABLE a (b INT); CREATE TABLE c (d INT)'], /no two definitions in a transaction/],
  ['strictest', ['CREATE TABLE a (b INT); INSERT INTO a VALUES (1)'], /no definitions beside changes/],
  ['strictest', ['CREATE UNIQUE INDEX i ON a (b) WHERE b IS NOT NULL'], /no partial indexes/],
];

test('each simulated engine refuses the statements that it does not support, and PostgreSQL itself does not refuse them for that reason', async () => {
  const url = await emptyPostgres();
  const run = async (location: string, statements: string[]) => {
    const client = new Client(location);
    await client.connect();
    try {
      for (const sql of statements) await client.query(sql);
      return 'done';
    } catch (error) {
      return String(error);
    } finally {
      await client.end();
    }
  };
  for (const [name, statements, reason] of refused) {
    const { location } = await start(url, name, 0);
    expect(await run(`${location}?application_name=tenant-users`, statements)).toMatch(reason);
    expect(await run(location, statements)).not.toMatch(reason);
  }
});

test('a pooler in transaction mode accepts no settings at the start, and keeps no prepared statements', async () => {
  const { location } = await start(await temporaryDatabase(), 'pgbouncer-transaction');
  const ours = `${location}?application_name=tenant-users`;
  const client = new Client({ connectionString: ours, lock_timeout: 1000 });
  await expect(client.connect()).rejects.toThrow('unsupported startup parameter: lock_timeout');
  const second = new Client(ours);
  await second.connect();
  onTestFinished(() => second.end());
  await expect(second.query({ name: 'one', text: 'SELECT 1' })).rejects.toThrow(/no state of a session/);
  expect((await second.query('SELECT $1::int AS n', [1])).rows).toEqual([{ n: 1 }]);
});
