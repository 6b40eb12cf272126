import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { insertUsers } from '../../../service/storage/insert-users.ts';
import { keptDatabase } from '../../../service/storage/test-database.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

/** Checks rows of user name, e-mail address and name against the tenant. */
async function checkLive(world: TestWorld, rows: readonly string[], ...args: string[]) {
  const file = join(world.directory, 'legacy.csv');
  const job = join(world.directory, 'job');
  const lines = rows.map((row) => `${row},md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,email,name,algorithm,hash\n${lines.join('')}`);
  const ended = await world.run('import-hashes', file, '--dry-run', '--live', '--job', job, ...args);
  const listOf = async (name: string): Promise<Record<string, string>[]> =>
    parse(await readFile(join(job, name), 'utf8'), { columns: true });
  const { total } = await world.client.listUsers({ offset: 0, limit: 10 });
  return { ...ended, job, total, listOf };
}

test('a live dry run counts created, existing and conflict in all its records, and changes nothing', async () => {
  const world = await startWorld();
  const bob = await world.client.createUser({ user_name: 'bob', name: 'Bob' });
  const cid = await world.client.createUser({ user_name: 'cid', name: 'Somebody Else' });
  const rows = ['ann,,Ann', 'BOB,,Bob', 'cid,,Cid', 'dan,no address,Dan'];
  const { exitCode, stdout, stderr, job, total, listOf } = await checkLive(world, rows);
  expect({ exitCode, total }).toEqual({ exitCode: 7, total: 2 });
  expect(stderr).toContain(`Target: ${world.baseUrl}`);
  expect(stderr).toContain('4 rows: 1 existing, 1 conflict, 1 invalid, 1 would be created\n');
  expect(stderr).toContain('Tenant asked by a complete listing, since it is cheaper: 2 pages');
  expect(stderr).toContain('keeps the password stored then: the hash of the row would not be sent again\n');
  expect(stderr).toMatch(/import-hashes \S+ --job \S+ --dry-run --live\n/);
  expect(stdout).toContain('OTHER_PERSON');
  expect(await listOf('users.csv')).toMatchObject([{ row: '2', user_id: bob.user_id, result: 'existing' }]);
  expect(await listOf('failures.csv')).toMatchObject([
    { row: '3', code: 'OTHER_PERSON', message: expect.stringContaining(`user_name by ${cid.user_id}`) },
    { row: '4', code: 'EMAIL' },
  ]);
  const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
  expect(summary).toMatchObject({ rows: 4, created: 0, existing: 1, conflict: 1, invalid: 1, pending: 1 });
  // Bob keeps his password, and of Cid no user is created.
  expect(summary).toMatchObject({ must_change_password: 1, must_change_by_default: 1 });
  expect(stderr).toContain('1 user must change the password at the first login by the default of the API');
  expect(summary).toMatchObject({ dry_run: true, target: { base_url: world.baseUrl } });
  const report = await readFile(join(job, 'report.html'), 'utf8');
  expect(report).toContain('Of 4 rows 1 would be created, 1 is already there, 2 would be rejected.');
  expect(report).toContain('an identifier of the row belongs to a different person.');
});

test('a live dry run says of a row with only an external ID that its user would be created a second time', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  await writeFile(
    file,
    `external_id,user_name,algorithm,hash\nx1,,md5,${goodHashes.md5}\nx2,bob,md5,${goodHashes.md5}\n`,
  );
  const importing = (job: string, ...words: string[]) =>
    world.run('import-hashes', file, '--json', '--yes', '--job', join(world.directory, job), ...words);
  await importing('first');
  const checked = await importing('live', '--dry-run', '--live');
  expect(JSON.parse(checked.stdout)).toMatchObject({ pending: 1, existing: 1, copies: 1 });
  const imported = await importing('second');
  expect(JSON.parse(imported.stdout)).toMatchObject({ created: 1, existing: 1 });
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
  const shown = await world.run(
    'import-hashes',
    file,
    '--dry-run',
    '--live',
    '--job',
    join(world.directory, 'again'),
  );
  expect(shown.stderr).toContain(
    '1 user would be created a second time: its row has no identifier but an external ID',
  );
});

test.for([0, 310])(
  'rows are counted whose external ID another user has, with %i more users in the tenant',
  async (others) => {
    const database = await keptDatabase();
    const world = await startWorld({ database });
    const shop = await world.client.createUser({
      user_name: 'shop',
      name: 'Somebody Else',
      external_id: '1',
    });
    await world.client.createUser({ user_name: 'cid', external_id: '3' });
    await insertUsers(database, others, (number) => ({ user_name: `user${number}` }));
    const file = join(world.directory, 'legacy.csv');
    const rows = ['ann,1,Ann', 'bob,2,', 'cid,3,', 'dan,,'].map((row) => `${row},md5,${goodHashes.md5}\n`);
    await writeFile(file, `user_name,external_id,name,algorithm,hash\n${rows.join('')}`);
    const text =
      'Warning: 1 row has an external ID that another user of the tenant has: the API accepts it again, and nobody can change it later.';
    const job = join(world.directory, 'job');
    const checked = await world.run('import-hashes', file, '--dry-run', '--live', '--job', job);
    expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(text) });
    const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
    expect(summary).toMatchObject({ pending: 3, existing: 1, shared_external_ids: 1 });
    expect(await readFile(join(job, 'report.html'), 'utf8')).toContain('1 row has an external ID');
    const to = join(world.directory, 'plan');
    const planned = await world.run('plan', file, '--to', to);
    expect(planned).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(text) });
    const plan = JSON.parse(await readFile(join(to, 'plan.json'), 'utf8'));
    expect(plan).toMatchObject({ totals: { create: 3, same: 1 }, shared_external_ids: 1 });
    const shown = await world.run('plan', 'show', to);
    expect(shown.stdout + shown.stderr).toContain('1 row has an external ID');
    expect((await world.client.getUser(shop.user_id)).external_id).toBe('1');
  },
);

test('in a large tenant a few rows are looked up one by one, and only those of the shard', async () => {
  const database = await keptDatabase();
  const world = await startWorld({ database });
  await insertUsers(database, 310, (number) => ({ user_name: `user${number}` }));
  const rows = ['user1,,', 'new,,'];
  const whole = await checkLive(world, rows, '--json');
  expect(JSON.parse(whole.stdout)).toMatchObject({ rows: 2, existing: 1, pending: 1 });
  expect(JSON.parse(whole.stdout).asked).toMatch(/^look-ups, since they are cheaper: 4 requests/);
  const shard = await checkLive(world, rows, '--json', '--shard', '2/2');
  expect(shard).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(shard.stdout)).toMatchObject({ rows: 1, existing: 0, pending: 1, shard: '2/2' });
});

test('--live needs --dry-run, and a tenant that does not answer ends it before records are written', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  const job = join(world.directory, 'job');
  expect(await world.run('import-hashes', file, '--live', '--job', job)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('--live requires --dry-run'),
  });
  const env = { TENANT_USERS_BASE_URL: world.baseUrl, TENANT_USERS_CLIENT_ID: 'other' };
  const args = ['import-hashes', file, '--dry-run', '--live', '--job', job];
  const refused = await world.runWith({ env: { ...env, TENANT_USERS_CLIENT_SECRET: 'wrong' } }, ...args);
  expect(refused).toMatchObject({ exitCode: 4, stdout: '' });
  await expect(readdir(job)).rejects.toThrow('ENOENT');
});
