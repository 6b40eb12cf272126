import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import { temporaryDatabase } from '../../temporary-database.ts';

const add = {
  sql: `INSERT INTO users (seq, changed, user_name_key, email_key, tenant, user_id, profile, pwd_must_modify, created_at,
    updated_at, disabled, usr_auth_times, version)
    VALUES (?, ?, ?, ?, 1, ?, ?, 0, 0, 0, 0, 0, 1) ON CONFLICT DO NOTHING`,
  types: ['bigint', 'bigint', 'text', 'text', 'text', 'text'] as const,
  tenantLock: 1,
  numbers: 'user' as const,
};

/** The query that the service makes before it adds a user whose name could be an e-mail address. */
const conditions = ['user_name_key IN ($3, $4, $5, $6)', 'email_key = $3', 'mobile_key = $3'];

const profile = (name: string) => JSON.stringify({ user_name: name, email: name, name: 'Ann' });

/** A database without autovacuum. */
async function start() {
  const url = await temporaryDatabase();
  const admin = new Client(url);
  await admin.connect();
  await admin.query('ALTER TABLE users SET (autovacuum_enabled = off); INSERT INTO numbers VALUES (1, 0, 0)');
  await admin.query('SET plan_cache_mode = force_generic_plan');
  const database = await openPostgres(url);
  onTestFinished(async () => {
    await database.close();
    await admin.end();
  });
  for (const [index, condition] of conditions.entries()) {
    const sql = `SELECT 1 FROM users WHERE tenant = $1 AND user_id <> $2 AND ${condition}`;
    const types = Array(condition.includes('$6') ? 5 : 2).fill('text');
    await admin.query(`PREPARE find_${index} (bigint, ${types.join(', ')}) AS ${sql}`);
  }
  /** The indexes by which a prepared statement finds users. */
  async function indexes(): Promise<string[]> {
    const found: string[] = [];
    for (const [index, condition] of conditions.entries()) {
      const values = Array(condition.includes('$6') ? 5 : 2).fill("'x'");
      const { rows } = await admin.query(`EXPLAIN EXECUTE find_${index} (1, ${values.join(', ')})`);
      found.push(/users_\w+/.exec(JSON.stringify(rows))?.[0] ?? '');
    }
    return found;
  }
  /** The number of users by the statistics of the table. */
  const counted = async () =>
    (await admin.query("SELECT reltuples FROM pg_class WHERE relname = 'users'")).rows[0].reltuples;
  const addUsers = (from: number, to: number, node = database) =>
    Promise.all(
      Array.from({ length: to - from }, (_, at) => {
        const name = `u${from + at}@example.com`;
        return node.commit([{ ...add, values: [name, name, `id ${from + at}`, profile(name)] }]);
      }),
    );
  return { url, indexes, counted, addUsers };
}

test('after a thousand new users PostgreSQL finds each by its own index, without reading all users of the tenant', async () => {
  const { indexes, counted, addUsers } = await start();
  await addUsers(0, 999);
  expect(await counted(), 'nobody has looked at the table').toBe(-1);
  await addUsers(999, 1020);
  await expect.poll(indexes).toEqual(['users_user_name', 'users_email', 'users_mobile']);
});

test('statistics of a table of about the same size are left to PostgreSQL', async () => {
  const { url, counted, addUsers } = await start();
  await addUsers(0, 1020);
  await expect.poll(counted).not.toBe(-1);
  const before = await counted();
  const other = await openPostgres(url);
  await addUsers(1020, 2040, other);
  await other.close();
  expect(await counted()).toBe(before);
});
