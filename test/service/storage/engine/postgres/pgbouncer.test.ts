import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { credentials, runProgram } from '../../../../cli/process/start-program.ts';
import { writeBcryptUsers } from '../../../../cluster/bcrypt-users.ts';
import { pgbouncer, startPgBouncer } from '../../../../cluster/pgbouncer.mjs';
import { temporaryDirectory } from '../../../../world.ts';
import { type ServeProcess, startServe } from '../../../serve-process.ts';
import { emptyPostgres } from '../../temporary-database.ts';

/** Each node sends more of them at once than there are connections. */
const users = 300;

/** Transaction mode has far fewer connections than the two nodes would open: the nodes must share them. */
const modes = [
  { mode: 'session', connections: 40 },
  { mode: 'transaction', connections: 4 },
] as const;

test.skipIf(pgbouncer === undefined).each(modes)(
  'behind PgBouncer in $mode mode two nodes import two shards of a file, and every user is created once',
  { timeout: 120_000 },
  async ({ mode, connections }) => {
    const url = await emptyPostgres();
    const pooler = await startPgBouncer(url, { mode, connections });
    onTestFinished(pooler.stop);
    const admin = new Client(url);
    await admin.connect();
    onTestFinished(() => admin.end());
    const start = () => startServe(pooler.through(url), { known: true });
    const nodes = await Promise.all([start(), start()]);

    const summaries = await importShards(nodes);
    expect(summaries.map(({ created }) => created).reduce((one, other) => one + other)).toBe(users);
    const sql = `SELECT count(*) AS users, count(DISTINCT user_name_key) AS names, max(seq) AS last,
      (SELECT seq FROM numbers) AS number FROM users`;
    const counted = String(users);
    expect((await admin.query(sql)).rows).toEqual([
      { users: counted, names: counted, last: counted, number: counted },
    ]);

    await lookUp(nodes);
    const open =
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    expect((await admin.query(open)).rowCount).toBeLessThanOrEqual(connections);
  },
);

async function importShards(nodes: readonly ServeProcess[]): Promise<{ created: number }[]> {
  const directory = await temporaryDirectory();
  const file = await writeBcryptUsers(users);
  return Promise.all(
    nodes.map(async ({ baseUrl }, index) => {
      const share = ['--shard', `${index + 1}/${nodes.length}`, '--job', join(directory, `${index}.import`)];
      const args = ['import-hashes', file, '--yes', '--json', '--base-url', baseUrl, ...share];
      const { exitCode, stdout, stderr } = await runProgram(args, credentials);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return JSON.parse(stdout);
    }),
  );
}

/** Makes more calls at the same time than there are connections; each node finds what the other one changed. */
async function lookUp(nodes: readonly ServeProcess[]): Promise<void> {
  const [one, other] = nodes.map((node) => node.connect());
  const page = await one?.listUsers({ offset: 0, limit: 100 });
  const listed = page?.users ?? [];
  expect([page?.total, listed.length]).toEqual([users, 100]);
  const found = await Promise.all(listed.map(({ user_id }) => other?.getUser(user_id)));
  expect(found).toEqual(listed);
  const [{ user_id } = { user_id: '' }] = listed;
  await one?.updateUser(user_id, { name: 'Ann' });
  expect(await other?.getUser(user_id)).toMatchObject({ name: 'Ann' });
}
