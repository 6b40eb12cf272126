import { existsSync, readdirSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chainLine } from '../../../src/migration/evidence/evidence-lines.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';

async function imported(now = Date.now) {
  const world = await startWorld({ now });
  const within = (name: string) => join(world.directory, name);
  const rows = ['ann', 'bob', 'cid'].map((name) => `${name},md5,${goodHashes.md5}\n`);
  await writeFile(within('legacy.csv'), `user_name,algorithm,hash\n${rows.join('')}`);
  await world.run('import-hashes', within('legacy.csv'), '--job', within('job'));
  return { ...world, within };
}

test('only their owner can read the evidence and the key of its fingerprints, and neither file is overwritten', async () => {
  const { run, within } = await imported();
  const pack = () => run('evidence', within('job'), '--to', within('e'), '--json');
  expect(await run('evidence', within('job'))).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('Name one with --to FILE'),
  });
  await writeFile(within('e.key'), 'of another');
  const taken = await pack();
  expect(taken).toMatchObject({ exitCode: 3, stdout: '' });
  expect(taken.stderr).toContain('e.key cannot be used: something is already there');
  expect(await readFile(within('e.key'), 'utf8')).toBe('of another');
  expect(existsSync(within('e'))).toBe(false);
  await writeFile(within('e.key'), '');
  const { exitCode, stdout } = await run('evidence', within('job'), '--to', within('f'), '--json');
  expect({ exitCode, packed: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    packed: { rows: 3, signed: false },
  });
  for (const name of ['f', 'f.key']) expect((await stat(within(name))).mode & 0o777).toBe(0o600);
  const before = await readFile(within('f'), 'utf8');
  expect(await run('evidence', within('job'), '--to', within('f'))).toMatchObject({
    exitCode: 3,
    stdout: '',
  });
  expect(await readFile(within('f'), 'utf8')).toBe(before);
});

test('a chain of lines that is no evidence is refused, whatever its first line lacks', async () => {
  const { run, within } = await imported();
  await run('evidence', within('job'), '--to', within('e'));
  const first = (await readFile(within('e'), 'utf8')).split('\n')[0] ?? '';
  const { link: _, ...head } = JSON.parse(first);
  for (const job of [undefined, 7, { file: 'legacy.csv' }]) {
    const begin = chainLine('', { ...head, job });
    const end = chainLine(begin.link, { end: true, rows: 0, signed: false });
    const lines = [begin.line, end.line];
    await writeFile(within('forged'), lines.join(''));
    const { exitCode, stdout, stderr } = await run('evidence', 'verify', within('forged'));
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('line 1: it does not say which job the evidence is of');
  }
});

test('an interrupted evidence command leaves neither file, and can be repeated', async () => {
  const { run, runWith, within } = await imported();
  const pack = ['evidence', within('job'), '--to', within('e')];
  const stop = new AbortController();
  const ended = runWith({ signal: stop.signal }, ...pack);
  const names = () => readdirSync(within('.')).filter((name) => /^e[.]/.test(name));
  while (names().length === 0) await setImmediate();
  // If it is killed now, nothing is in the way of the same command.
  expect(names()).toEqual([expect.stringMatching(/^e[.][0-9a-f]{8}[.]new$/)]);
  stop.abort('SIGINT');
  expect(await ended).toEqual({
    exitCode: 130,
    stdout: '',
    stderr: `Interrupted: ${within('e')} was not written\n`,
  });
  expect(names()).toEqual([]);
  expect(await run(...pack)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('3') });
});

test('evidence contains no path of whoever imports: neither of the file, the recipe, the database nor the job', async () => {
  const { run, within } = await imported();
  const password = 'password: { column: hash, algorithm: { column: algorithm } }';
  await writeFile(within('mine.yaml'), `fields: { user_name: { column: user_name } }\n${password}\n`);
  const args = ['--recipe', within('mine.yaml'), '--local', within('tenant.db'), '--job', within('local')];
  expect(await run('import-hashes', within('legacy.csv'), ...args)).toMatchObject({ exitCode: 0 });
  expect(await run('evidence', within('local'), '--to', within('e'))).toMatchObject({ exitCode: 0 });
  const text = await readFile(within('e'), 'utf8');
  expect(text).not.toContain(dirname(within('e')));
  const { job, digests } = JSON.parse(text.split('\n')[0] ?? '');
  expect({ job, digests }).toMatchObject({
    job: { job: 'local', file: 'legacy.csv', target: { database: 'tenant.db' } },
    digests: { recipe: { name: 'mine.yaml' } },
  });
  expect(await run('evidence', 'verify', within('e'))).toMatchObject({ exitCode: 0 });
});

test('with the key, a person is found by identifier and by user id', async () => {
  const { run, within, client } = await imported();
  await run('evidence', within('job'), '--to', within('e'));
  const { user_id: id } = await client.getUserByUserName('bob');
  for (const [find, found] of [
    ['user_name=BOB', [{ row: 2, result: 'created' }]],
    [`user_id=${id}`, [{ row: 2, result: 'created' }]],
    ['user_name=eve', []],
  ] as const) {
    const { exitCode, stdout } = await run('evidence', 'verify', within('e'), '--find', find, '--json');
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, valid: true, found });
  }
  await writeFile(within('e.key'), 'another key');
  const other = await run('evidence', 'verify', within('e'), '--find', 'user_name=bob', '--json');
  expect(other).toMatchObject({ exitCode: 3, stdout: '' });
  expect(JSON.parse(other.stderr).error.message).toContain('e.key: it is not the key of this evidence');
});

test('what a row was before its file was corrected is no row of the job, and is found as such', async () => {
  const { run, within } = await imported();
  const people = ['ann', 'cid'].map((name) => `${name},md5,${goodHashes.md5}\n`);
  await writeFile(within('legacy.csv'), `user_name,algorithm,hash\n${people.join('')}`);
  await run('import-hashes', within('legacy.csv'), '--job', within('job'), '--only', 'failed');
  const packed = await run('evidence', within('job'), '--to', within('e'), '--json');
  expect(JSON.parse(packed.stdout)).toMatchObject({ rows: 2 });
  const { exitCode, stderr } = await run('evidence', 'verify', within('e'), '--find', 'user_name=bob');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('complete and unchanged: 2 rows of the job of legacy.csv');
  expect(stderr).toContain('user_name=bob: row 2, created, before the file was corrected\n');
});

test.each(['ann', 'username=ann', 'user_name=', '=ann'])(
  '--find %s is refused, because it names no identifier with a value',
  async (find) => {
    const { run } = await startWorld();
    expect(await run('evidence', 'verify', 'e', '--find', find)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Write NAME=VALUE, such as user_name=ann; names: user_id, user_name'),
    });
  },
);

test('a person is found by another form of the mobile number, and in rows from before the file was corrected', async () => {
  const { run, directory } = await startWorld();
  const within = (name: string) => join(directory, name);
  const write = (...rows: string[]) =>
    writeFile(within('users.csv'), `mobile,external_id,name\n${rows.map((row) => `${row}\n`).join('')}`);
  const words = ['import-hashes', within('users.csv'), '--job', within('job'), '--allow-passwordless'];
  const accept = ['--accept', 'DUPLICATE_EXTERNAL_ID'];
  await write('+86-13800138000,,', ',x-1,Ann', ',x-1,Bob', '1x,,');
  expect((await run(...words, ...accept)).exitCode).toBe(7);
  await write('+86-13800138000,,', '13900139000,,');
  // Ann and Bob have no row any more.
  expect((await run(...words, '--only', 'failed')).exitCode).toBe(7);
  await run('evidence', within('job'), '--to', within('e'));
  for (const [find, rows] of [
    ['mobile=13800138000', [1]],
    ['mobile=86-13900139000', [2]],
    ['external_id=x-1', [2, 3]],
  ] as const) {
    const { stdout } = await run('evidence', 'verify', within('e'), '--find', find, '--json');
    const found: { row: number }[] = JSON.parse(stdout).found;
    expect([find, found.map(({ row }) => row)]).toEqual([find, rows]);
  }
});

test('a purge asks a person and needs --yes in a script, and deletes nothing before', async () => {
  const { runWith, run, within } = await imported();
  const before = readdirSync(within('job'));
  const refused = await runWith({}, 'job', 'purge', within('job'));
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(`Run:\n  tenant-users job purge ${within('job')} --yes\n`);
  expect(readdirSync(within('job'))).toEqual(before);
  const { exitCode, stdout } = await run('job', 'purge', within('job'), '--yes', '--json');
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, rows: 3, left: [] });
  expect(await run('import-hashes', within('legacy.csv'), '--job', within('job'))).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining('its personal data was deleted at'),
  });
});

test('a purge says before it asks, or with --yes warns, that a row was not sent', async () => {
  const { run, runWith, within } = await imported();
  const rows = [`ann,md5,no-hash\n`, `bob,md5,${goodHashes.md5}\n`];
  await writeFile(within('two.csv'), `user_name,algorithm,hash\n${rows.join('')}`);
  const args = ['--job', within('two'), '--max-failures', '0', '--concurrency', '1', '--json'];
  const { exitCode, stdout } = await run('import-hashes', within('two.csv'), ...args);
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 8, pending: 1 });
  const stop = new AbortController();
  let told = '';
  const stderr = new Writable({
    write(text, _encoding, done) {
      told += text;
      stop.abort('SIGINT');
      done();
    },
  });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const surroundings = { stdin, stderr, terminal: 200, signal: stop.signal };
  expect(await runWith(surroundings, 'job', 'purge', within('two'))).toMatchObject({ exitCode: 130 });
  expect(told).toMatch(/^1 row was not sent, or has no answer yet\.\n/);
  const purged = await run('job', 'purge', within('two'), '--yes');
  expect(purged).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('Warning: 1 row was not sent, or has no answer yet\n'),
  });
});

test('a purge that is interrupted before it deletes says so, leaves the job finished, and can be repeated', async () => {
  const stop = new AbortController();
  let isPurging = false;
  // A purge asks for the time when it has locked the job.
  const now = () => {
    if (isPurging) stop.abort('SIGINT');
    return Date.now();
  };
  const { run, runWith, within } = await imported(now);
  const before = readdirSync(within('job'));
  const purge = ['job', 'purge', within('job'), '--yes'];
  isPurging = true;
  expect(await runWith({ signal: stop.signal }, ...purge)).toEqual({
    exitCode: 130,
    stdout: '',
    stderr: 'Interrupted: nothing was deleted. Run the same command again.\n',
  });
  isPurging = false;
  expect(readdirSync(within('job'))).toEqual(before);
  const { stdout } = await run('import-hashes', 'status', within('job'), '--json');
  expect(JSON.parse(stdout).state).toBe('finished');
  expect(await run(...purge)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('users.csv') });
});
