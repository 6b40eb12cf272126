import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import { runCommand, temporaryDirectory } from '../../../../world.ts';
import { emptyPostgres } from '../../temporary-database.ts';

test('the database of another program is refused and not changed', async () => {
  const url = await emptyPostgres();
  const admin = new Client(url);
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query('CREATE TABLE users (a BIGINT); CREATE TABLE orders (b BIGINT)');
  await expect(openPostgres(url)).rejects.toThrow(
    'it is the database of another program, which has a table "users", too: give one without tables',
  );
  const { rows } = await admin.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  expect(rows).toEqual([{ tablename: 'orders' }, { tablename: 'users' }]);
});

test('a database that cannot store every character is refused and not changed', async () => {
  const url = await emptyPostgres('LATIN1');
  const admin = new Client(url);
  await admin.connect();
  onTestFinished(() => admin.end());
  await expect(openPostgres(url)).rejects.toThrow('the database has the encoding LATIN1');
  const { rows } = await admin.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  expect(rows).toEqual([]);
});

test('for a database of another user, in use or new, the error says whose it must be', async () => {
  const url = await emptyPostgres();
  const admin = new Client(url);
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query('CREATE ROLE newcomer LOGIN');
  onTestFinished(async () => void (await admin.query('DROP ROLE newcomer')));
  const address = Object.assign(new URL(url), { username: 'newcomer', password: '' }).href;
  const configDirectory = await temporaryDirectory();
  const list = (database: string) => runCommand(['list', '--local', database], { env: {}, configDirectory });
  const advice =
    'For a database in use, name the user who has its tables, or give this one the rights. A new one must belong to this user, who creates the tables: createdb --owner USER.';
  expect(await list(address)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`permission denied for schema public\n${advice}\n`),
  });
  expect(await list(url)).toMatchObject({ exitCode: 0 });
  expect(await list(address)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`permission denied for table schema_steps\n${advice}\n`),
  });
});
