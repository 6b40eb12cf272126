import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startWorld, type TestWorld } from '../../../world.ts';

const header = 'user_name,email,algorithm,hash,key';
const md5 = 'e10adc3949ba59abbe56e057f20f883e';

async function importing(world: TestWorld, lines: string[], ...args: string[]) {
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `${[header, ...lines].join('\n')}\n`);
  const job = join(world.directory, 'job');
  return { job, ...(await world.run('import-hashes', file, '--job', job, ...args)) };
}

const row = (name: string, hash = md5) => `${name},${name}@example.com,md5,${hash},`;

test('an import exits with 0 if every row is a user, and lists the new ids', async () => {
  const world = await startWorld();
  const { exitCode, stdout, stderr, job } = await importing(world, [row('ann'), row('bob')], '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    job,
    target: { base_url: world.baseUrl, client_id: 'test-application' },
    rows: 2,
    created: 2,
    found_by_look_up: 0,
    existing: 0,
    hashes_not_sent: 0,
    conflict: 0,
    failed: 0,
    invalid: 0,
    unknown: 0,
    pending: 0,
    resumed: false,
    dry_run: false,
    rehearsal: false,
    must_change_password: 2,
    must_change_by_default: 2,
    ...{ without_password: 0, without_login_name: 0, to_disable: 0, same_hash: 0 },
    skipped: 0,
    ignored_columns: [],
    seconds: expect.any(Number),
    rows_per_second: expect.any(Number),
    ...{ codes: {}, issues: {}, unknown_algorithms: {} },
    not_verified: ['md5'],
    by_algorithm: { md5: { created: 2, failed: 0, canaries: 0 } },
  });
  const users = parse(await readFile(join(job, 'users.csv')), { columns: true });
  const { user_id } = await world.client.getUserByUserName('bob');
  expect(users).toContainEqual({
    row: '2',
    user_name: 'bob',
    external_id: '',
    user_id,
    result: 'created',
    found_by_look_up: '',
    disabled: '',
  });
});

test('the rate is shown only after a run of at least a second', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  let step = 0;
  const world = await startWorld({ now: () => (time += step) });
  const quick = await importing(world, [row('ann')]);
  expect(quick.stderr).toContain('\nTook 0.0 s\n');
  step = 100;
  const lines = Array.from({ length: 50 }, (_, index) => row(`user${index}`));
  const slow = await importing(world, lines, '--restart');
  expect(slow.stderr).toMatch(/\nTook \d+\.\d s, [1-9]\d* rows per second\n/);
});

test('columns that are named appear in one table', async () => {
  const world = await startWorld();
  const { stdout } = await importing(world, [row('ann'), row('cut', 'e10adc')], '--columns', 'job,invalid');
  expect(stdout.match(/invalid/g)).toHaveLength(1);
});

test('an import continues after rows that fail, lists each with row, code and message, and exits with 7', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'taken' });
  const lines = [row('ann'), row('taken'), row('cut', 'e10adc'), row('bob')];
  const { exitCode, stdout, stderr, job } = await importing(world, lines);
  expect(exitCode).toBe(7);
  expect(stdout).toMatch(/│ 4 +│ 2 +│ 0 +│ 1 +│ 0 +│ 1 +│ 0 +│ 0 +│/);
  expect(stdout).toContain('SVC.TENANT.USER.0034');
  expect(stderr).toContain(`2 rows were not imported. Details: ${job}/failures.csv`);
  const failures: { row: string }[] = parse(await readFile(join(job, 'failures.csv')), { columns: true });
  expect(failures.sort((one, other) => Number(one.row) - Number(other.row))).toMatchObject([
    {
      row: '2',
      line: '3',
      user_name: 'taken',
      code: 'SVC.TENANT.USER.0034',
      message: expect.stringMatching(/^held: user_name by \S+; different there: email$/),
    },
    { row: '3', line: '4', user_name: 'cut', code: 'HASH_SHAPE' },
  ]);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});

test('a run that had nothing left to do has no rate', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const world = await startWorld({ now: () => (time += 1000) });
  await importing(world, [row('ann')]);
  const { stderr, job } = await importing(world, [row('ann')]);
  expect(stderr).toMatch(/\n1 row: 1 created\nTook \d+\.0 s\n/);
  const report = await readFile(join(job, 'report.html'), 'utf8');
  expect(report).toMatch(/This run took [\d.]+ s; earlier runs/);
});

test('an import counts every outcome even if answers arrive in any order', async () => {
  const world = await startWorld();
  for (let index = 0; index < 150; index += 5) {
    await world.client.createUser({ user_name: `user${index}`, email: `user${index}@example.com` });
  }
  const lines = Array.from({ length: 150 }, (_, index) => row(`user${index}`));
  const { exitCode, stdout } = await importing(world, lines, '--json', '--concurrency', '20');
  const { rows, created, existing, pending } = JSON.parse(stdout);
  expect({ exitCode, rows, created, existing, pending }).toEqual({
    exitCode: 0,
    rows: 150,
    created: 120,
    existing: 30,
    pending: 0,
  });
});

test('no file that an import writes contains a hash or an HMAC key', async () => {
  const world = await startWorld();
  const key = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
  const hmac = '32FYdvw5N5gSPC91hQoM2VjxzBHaASWz6+8aXVYZzOw=';
  const lines = [row('ann'), row('Ann'), `bob,bob@example.com,hmacsha256_base64_key,${hmac},${key}`];
  const { job } = await importing(world, [...lines, `carl,,hmacsha256_base64_key,${hmac}x,${key}`]);
  for (const name of await readdir(job)) {
    const text = await readFile(join(job, name), 'utf8');
    for (const secret of [md5, hmac, key])
      expect({ name, holds: text.includes(secret) }).toEqual({ name, holds: false });
  }
});

test('a dry run sends nothing', async () => {
  const world = await startWorld();
  const { exitCode, stdout } = await importing(world, [row('ann')], '--dry-run', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1, created: 0, pending: 1, dry_run: true });
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test('a dry run needs no tenant and no credentials', async () => {
  const { directory, runWith } = await startWorld();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, `${header}\n${row('ann')}\n`);
  const args = ['import-hashes', file, '--job', join(directory, 'job'), '--dry-run', '--json'];
  const { exitCode, stdout, stderr } = await runWith({ env: {} }, ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1, pending: 1, dry_run: true });
});

test('an import archives the records of a dry run', async () => {
  const world = await startWorld();
  expect((await importing(world, [row('ann')], '--dry-run')).exitCode).toBe(0);
  expect((await importing(world, [row('ann')])).exitCode).toBe(0);
  const { exitCode, stderr } = await importing(world, [row('ann')], '--dry-run');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringContaining('it was an import, and this is a dry run'),
  });
});

test('an import keeps the records of an earlier run', async () => {
  const world = await startWorld();
  const { job } = await importing(world, [row('ann')]);
  const before = await readFile(join(job, 'users.csv'), 'utf8');
  const second = await importing(world, [row('bob')]);
  expect(second.exitCode).toBe(3);
  expect(second.stderr).toContain('the source has changed since');
  expect(await readFile(join(job, 'users.csv'), 'utf8')).toBe(before);
});

test.each([
  ['an unclosed quote', `${header}\nann,"a@b,md5,${md5},\n`, 'quote'],
  ['an empty file', '', 'empty'],
  ['an unknown column', `user_name,hash,algorithm,shoe_size\nann,${md5},md5,40\n`, 'shoe_size'],
  ['no hash column', 'user_name,email\nann,a@b\n', 'hash'],
])('an import refuses %s before anything is sent', async (_, text, reason) => {
  const world = await startWorld();
  const file = join(world.directory, 'bad.csv');
  await writeFile(file, text);
  const { exitCode, stdout, stderr } = await world.run(
    'import-hashes',
    file,
    '--job',
    join(world.directory, 'job'),
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test('an interrupted import prints the command that resumes it', async () => {
  const world = await startWorld();
  const file = join(world.directory, "Ann's legacy.csv");
  const lines = Array.from({ length: 5000 }, (_, index) => row(`user${index}`));
  await writeFile(file, `${header}\n${lines.join('\n')}\n`);
  const stop = new AbortController();
  const job = join(world.directory, 'job');
  const running = world.runWith({ signal: stop.signal }, 'import-hashes', file, '--job', job);
  while ((await world.client.listUsers({ offset: 0, limit: 10 })).total === 0);
  stop.abort('SIGINT');
  const { exitCode, stderr } = await running;
  expect(exitCode).toBe(130);
  const quoted = `'${world.directory}/Ann'\\''s legacy.csv'`;
  expect(stderr).toContain(`twice.\n  tenant-users import-hashes ${quoted} --job ${job}\n`);
});

test('after an interrupt no more rows are sent, and the counts still add up', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  const lines = Array.from({ length: 5000 }, (_, index) => row(`user${index}`));
  await writeFile(file, `${header}\n${lines.join('\n')}\n`);
  const stop = new AbortController();
  const job = join(world.directory, 'job');
  const running = world.runWith({ signal: stop.signal }, 'import-hashes', file, '--job', job, '--json');
  while ((await world.client.listUsers({ offset: 0, limit: 10 })).total === 0);
  stop.abort('SIGINT');
  const { exitCode, stdout } = await running;
  const { created, pending } = JSON.parse(stdout);
  expect(exitCode).toBe(130);
  expect(pending).toBeGreaterThan(0);
  expect(created + pending).toBe(5000);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(created);
  expect(parse(await readFile(join(job, 'users.csv')), { columns: true })).toHaveLength(created);
});

test('a rejected token stops the import, which says how much is left', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `${header}\n${row('ann')}\n`);
  const env = {
    TENANT_USERS_BASE_URL: world.baseUrl,
    TENANT_USERS_CLIENT_ID: 'test-application',
    TENANT_USERS_CLIENT_SECRET: 'wrong',
  };
  const ended = await world.runWith({ env }, 'import-hashes', file, '--job', join(world.directory, 'job'));
  expect(ended.exitCode).toBe(4);
  expect(ended.stderr).toContain('Bad client credentials (invalid_client)');
});
