import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';

async function worldWithFile() {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,x\n`);
  const within = (name: string) => join(world.directory, name);
  return { ...world, file, within, list: within('state/log/000001.jsonl') };
}

test('runs lists each job once, the latest first, with its present state', async () => {
  const { run, file, within, list, baseUrl } = await worldWithFile();
  await run('import-hashes', file, '--job', within('a'));
  await run('import-hashes', file, '--dry-run', '--job', within('b'));
  await run('plan', file, '--to', within('plan'));
  await run('plan', file, '--to', within('other'));
  await run('apply', within('plan'), '--yes');
  await run('import-hashes', file, '--job', within('a'));
  await rm(within('b'), { recursive: true });
  const { exitCode, stdout, stderr } = await run('runs', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { jobs, total } = JSON.parse(stdout);
  const target = { base_url: baseUrl, client_id: 'test-application' };
  expect(jobs).toMatchObject([
    { directory: within('a'), kind: 'import', state: 'finished', runs: 2, rows: 2, done: 1, target },
    { directory: within('plan'), command: 'apply', state: 'finished', runs: 2, done: 1 },
    { directory: within('other'), kind: 'plan', state: 'planned', done: null },
    { directory: within('b'), kind: 'dry-run', state: 'gone', done: null, target: {} },
  ]);
  expect(total).toBe(4);
  expect((await stat(list)).mode & 0o777).toBe(0o600);
  const lines = (await readFile(list, 'utf8')).trimEnd().split('\n');
  // Imports and applied plans have a line for their end.
  expect(lines).toHaveLength(10);
  expect(lines.join()).not.toMatch(/ann|bob|secret/);
});

test('a command for a file, or an undo, that has nothing to do is a finished run under its own name', async () => {
  const { run, client, within } = await worldWithFile();
  await client.createUser({ user_name: 'ann' });
  await writeFile(within('new.csv'), `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  const create = ['create', '--csv', within('new.csv'), '--to', within('create'), '--yes'];
  expect(await run(...create)).toMatchObject({ exitCode: 0 });
  await run('import-hashes', within('new.csv'), '--job', within('job'));
  expect(await run('undo', within('job'), '--to', within('undo'))).toMatchObject({ exitCode: 0 });
  const { stdout } = await run('runs', '--json');
  expect(JSON.parse(stdout).jobs).toMatchObject([
    { directory: within('undo'), command: 'undo', state: 'finished' },
    { directory: within('job') },
    { directory: within('create'), command: 'create', state: 'finished', rows: 1, done: 1 },
  ]);
});

test('users in no row, whom a plan disables, are named beside the rows', async () => {
  const { run, client, within } = await worldWithFile();
  for (const user_name of ['ann', 'bob']) await client.createUser({ user_name });
  await writeFile(within('new.csv'), 'user_name\nann\n');
  const plan = ['--key', 'user_name', '--allow-passwordless', '--disable-missing', '--at-most', 'disable=1'];
  await run('plan', within('new.csv'), '--to', within('plan'), ...plan);
  const counts = ['--columns', 'rows,in_no_row,done', '-o', 'csv'];
  expect((await run('runs', ...counts)).stdout).toBe('rows,in_no_row,done\n1,,\n');
  await run('apply', within('plan'), '--yes');
  expect((await run('runs', ...counts)).stdout).toBe('rows,in_no_row,done\n2,1,2\n');
  expect((await run('runs')).stdout).toContain('│ rows │ in_no_row │ done │');
});

test('runs accepts --limit, skips lines that are not runs, and shows a directory with something else in it', async () => {
  const { run, file, within, list } = await worldWithFile();
  await run('import-hashes', file, '--job', within('a'));
  await appendFile(list, '{"time":"20\n{"time":"2026","directory":"/tmp","target":{}}\n');
  await run('import-hashes', file, '--job', within('b'));
  await rm(within('b'), { recursive: true });
  await mkdir(within('b'));
  const { exitCode, stdout, stderr } = await run('runs', '--limit', '1', '--columns', 'state,rows');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/│ unreadable │ 2 {4}│/);
  expect(stderr).toBe(
    'The latest 1 of 2 jobs: see --limit\nWarning: 2 lines skipped: not written by this program\n',
  );
});

test('a job whose journal cannot be copied is shown as unreadable, and leaves no copy', async () => {
  const { run, file, within } = await worldWithFile();
  await run('import-hashes', file, '--job', within('a'));
  await run('import-hashes', file, '--job', within('b'));
  await mkdir(within('a/journal.db-wal'));
  await mkdir(within('tmp'));
  vi.stubEnv('TMPDIR', within('tmp'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { exitCode, stdout } = await run('runs', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).jobs).toMatchObject([{ state: 'finished' }, { state: 'unreadable' }]);
  expect(await readdir(within('tmp'))).toEqual([]);
});

test('a list that cannot be written causes a warning, and the import continues', async () => {
  const { run, file, within } = await worldWithFile();
  await writeFile(within('state'), 'a file where the directory should be');
  const { exitCode, stdout, stderr } = await run('import-hashes', file, '--job', within('a'));
  expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: expect.stringContaining('created') });
  expect(stderr).toMatch(
    /Warning: what this command does will not be in the log: .*log cannot be written: a part of its path is not a directory/,
  );
  expect(await run('import-hashes', file, '--job', within('a'), '--json')).toMatchObject({ stderr: '' });
  expect(await run('runs')).toMatchObject({
    exitCode: 0,
    stderr: 'There are no imports, plans or comparisons yet\n',
  });
});

test('a directory whose running.lock cannot be opened is shown as unreadable, and the others are listed', async () => {
  const { run, file, within } = await worldWithFile();
  await run('plan', file, '--to', within('a'));
  await run('plan', file, '--to', within('b'));
  await mkdir(within('a/running.lock'));
  const { exitCode, stdout, stderr } = await run('runs', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout).jobs).toMatchObject([{ state: 'planned' }, { state: 'unreadable' }]);
});
