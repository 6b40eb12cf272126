import { mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { listedUsers, startListing } from '../../client/start-listing.ts';
import { anyAnswer, json, startPeer } from '../../client/start-peer.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { environmentFor, startWorld } from '../../world.ts';

/** A command line and an earlier result, in a directory of its own. */
async function startWithResult() {
  const world = await startWorld();
  const directory = join(world.directory, 'results');
  await mkdir(directory);
  const file = join(directory, 'users.jsonl');
  await writeFile(file, 'before\n', { mode: 0o644 });
  const names = () => readdir(directory);
  return { ...world, file, names, text: () => readFile(file, 'utf8') };
}

const lines = ['-o', 'jsonl', '--columns', 'user_name'];

test('a result replaces the old one, and only its owner can read it', async () => {
  const { client, run, file, names, text } = await startWithResult();
  await client.createUser({ user_name: 'ann' });
  const ended = await run('list', '--all', ...lines, '--output-file', file);
  expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '1 of 1 user\n' });
  expect(await text()).toBe('{"user_name":"ann"}\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await names()).toEqual(['users.jsonl']);
});

test('a result replaces an old one whose path is another word of the command, but not a file', async () => {
  const { run, file, text } = await startWithResult();
  const created = await run('create', '--name', file, '--output-file', file, '-o', 'jsonl');
  expect(created).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await text()).toMatch(/^\{"user_id":/);
});

test('a table in a file is not cut to the terminal', async () => {
  const { client, runWith, file, text } = await startWithResult();
  await client.createUser({ user_name: 'a'.repeat(90) });
  const ended = await runWith({ terminal: 40 }, 'list', '--output-file', file, '--columns', 'user_name');
  expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '1 of 1 user\n' });
  expect(await text()).toContain('a'.repeat(90));
});

test('an incomplete listing leaves the old file as it was', async () => {
  const { runWith, file, names, text } = await startWithResult();
  const users = listedUsers(25);
  const peer = await startListing(users, ({ offset, answer }) => {
    if (offset === 2) users.splice(0, 1);
    answer();
  });
  const env = environmentFor(peer.baseUrl);
  const ended = await runWith({ env }, 'list', '--all', '--limit', '10', ...lines, '--output-file', file);
  expect(ended).toMatchObject({ exitCode: 10, stdout: '' });
  expect(ended.stderr).toContain('the listing is incomplete');
  expect(ended.stderr).toContain(`${file} was not written, and is as it was before\n`);
  expect({ text: await text(), names: await names() }).toEqual({ text: 'before\n', names: ['users.jsonl'] });
});

test('an incomplete page leaves the old file as it was', async () => {
  const { runWith, file, text } = await startWithResult();
  const { baseUrl } = await startPeer({ call: json(200, { total: 50, users: [{ user_id: 'a' }] }) });
  const ended = await runWith({ env: environmentFor(baseUrl) }, 'list', ...lines, '--output-file', file);
  expect(ended).toMatchObject({ exitCode: 10, stdout: '' });
  expect(ended.stderr).toContain(`${file} was not written, and is as it was before\n`);
  expect(await text()).toBe('before\n');
});

test('a command that fails or is interrupted leaves the old file as it was, too', async () => {
  const { run, runWith, file, names, text } = await startWithResult();
  expect((await run('get', 'nobody', '--output-file', file)).exitCode).toBe(5);
  expect((await run('list', '--where', 'x=y', '--output-file', file)).exitCode).toBe(2);
  const signal = AbortSignal.abort('SIGINT');
  expect((await runWith({ signal }, 'list', '--output-file', file)).exitCode).toBe(130);
  const interrupted = async (...more: string[]) => {
    const stop = new AbortController();
    const { baseUrl } = await startListing(listedUsers(100), ({ offset, answer }) =>
      offset === 3 ? stop.abort('SIGINT') : answer(),
    );
    const cut = { signal: stop.signal, env: environmentFor(baseUrl) };
    return runWith(cut, 'list', '--all', '--limit', '10', '--output-file', file, ...more);
  };
  expect(await interrupted()).toEqual({
    exitCode: 130,
    stdout: '',
    stderr: `Interrupted: ${file} was not written, and is as it was before\n`,
  });
  const json = await interrupted('--json');
  expect([json.exitCode, json.stdout]).toEqual([130, '']);
  expect(JSON.parse(json.stderr).error).toMatchObject({
    code: 'INTERRUPTED',
    hint: `Run the same command again.\n${file} was not written, and is as it was before`,
  });
  const failed = await run('get', 'nobody', '--json', '--output-file', file);
  expect(JSON.parse(failed.stderr).error.hint).toContain(`${file} was not written`);
  expect({ text: await text(), names: await names() }).toEqual({ text: 'before\n', names: ['users.jsonl'] });
});

test('a result that itself says what failed is complete and written', async () => {
  const { client, run, file, text } = await startWithResult();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const ended = await run('disable', '--yes', user_id, 'nobody', '--json', '--output-file', file);
  expect(ended).toEqual({ exitCode: 7, stdout: '', stderr: '' });
  expect(JSON.parse(await text()).results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false]);
});

test('what an interrupted command has done is complete and written', async () => {
  const { runWith, file, names, text } = await startWithResult();
  const stop = new AbortController();
  const ids = ['1', '2', '3'].map((last) => `20201028102749564-9082-DC8CD272${last}`);
  const { baseUrl } = await startPeer({
    call(received, response) {
      const user_id = ids.find((id) => received.url.includes(id));
      if (received.method !== 'GET' && user_id === ids[1]) stop.abort('SIGINT');
      json(200, { ...anyAnswer, user_id })(received, response);
    },
  });
  const cut = { signal: stop.signal, env: environmentFor(baseUrl) };
  const args = ['disable', '--yes', ...ids, '--output-file', file];
  expect(await runWith(cut, ...args, '--json')).toEqual({ exitCode: 130, stdout: '', stderr: '' });
  const done = { ok: true, action: 'disabled' };
  expect(JSON.parse(await text()).results).toMatchObject([
    { ...done, user_id: ids[0] },
    { ...done, user_id: ids[1] },
  ]);
  expect(await names()).toEqual(['users.jsonl']);
});

test('the summary of an import that was stopped is complete and written', async () => {
  const { client, directory, run, file, text } = await startWithResult();
  await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const [source, job] = [join(directory, 'people.csv'), join(directory, 'job')];
  await writeFile(source, 'user_name,email\nann,other@example.com\n');
  const args = ['import-hashes', source, '--job', job, '--allow-passwordless', '--max-failures', '0'];
  const { exitCode } = await run(...args, '--json', '--output-file', file);
  expect(exitCode).toBe(8);
  expect(JSON.parse(await text())).toMatchObject({ rows: 1, conflict: 1 });
});

/** A world whose service makes a directory in place of the output file while it answers. */
async function startSpoilt() {
  const { directory, runWith } = await startWorld();
  const file = join(directory, 'user.json');
  const user_id = '20201028102749564-9082-DC8CD2722';
  const { baseUrl } = await startPeer({
    call(received, response) {
      mkdirSync(file);
      json(200, { ...anyAnswer, user_id })(received, response);
    },
  });
  return { directory, runWith, file, user_id, env: environmentFor(baseUrl) };
}

test('a file that cannot be replaced is reported once', async () => {
  const { directory, runWith, file, user_id, env } = await startSpoilt();
  expect(await runWith({ env }, 'get', user_id, '--output-file', file)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: ${file} cannot be written: it is a directory\nName a file in it, or another one.\n`,
  });
  expect(await readdir(directory)).toEqual(['user.json']);
});

test('a result of a change that cannot be written says what was changed', async () => {
  const { runWith, file, user_id, env } = await startSpoilt();
  expect(await runWith({ env }, 'create', '--user-name', 'ann', '-q', '--output-file', file)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: ${file} cannot be written: it is a directory\nThe command had created user ${user_id}: check that before you repeat it.\nTo see it: tenant-users log\n`,
  });
});

test('the log is not named as the place to look if nothing could be written to it', async () => {
  const { directory, runWith, file, env } = await startSpoilt();
  await writeFile(join(directory, 'state'), 'in the place of the directory of the log');
  const { stderr } = await runWith({ env }, 'create', '--user-name', 'ann', '--output-file', file);
  expect(stderr).toContain('will not be in the log');
  expect(stderr).toMatch(/check that before you repeat it\.\n$/);
});

test('a result of a run that cannot be written names the command that shows the run, also without a log', async () => {
  const { directory, run, runWith, baseUrl } = await startWorld();
  const at = (name: string) => join(directory, name);
  const [file, csv, job] = [at('result.json'), at('legacy.csv'), at('job')];
  await writeFile(csv, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  let text = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      mkdirSync(file, { recursive: true });
      done();
    },
  });
  const env = { ...environmentFor(baseUrl), TENANT_USERS_NO_LOG: '1' };
  const ended = await runWith({ env, stderr }, 'import-hashes', csv, '--job', job, '--output-file', file);
  expect(ended).toMatchObject({ exitCode: 3, stdout: '' });
  const line = `import-hashes status ${job}`;
  expect(text).toContain(
    `The command had begun a run in ${job}: check that before you repeat it.\nTo see what it did: tenant-users ${line}\n`,
  );
  expect(await run(...line.split(' '), '--json')).toMatchObject({ exitCode: 0 });
});

test('a link stays, and its target is replaced', async () => {
  const { run, file, directory, text } = await startWithResult();
  const link = join(directory, 'link');
  await symlink(file, link);
  expect((await run('list', ...lines, '--output-file', link)).exitCode).toBe(0);
  expect(await text()).toBe('');
});

test('something that is not a file, and a command that serves, are refused before anything is done', async () => {
  const { run, directory } = await startWithResult();
  const refused = { exitCode: 2, stdout: '' };
  const inPlace = await run('list', '--output-file', directory);
  expect(inPlace).toMatchObject({
    ...refused,
    stderr: expect.stringContaining('is a directory\nName a file'),
  });
  const device = await run('list', '--output-file', '/dev/null');
  expect(device).toMatchObject({ ...refused, stderr: expect.stringContaining('/dev/null is no file') });
  const serve = await run('serve', '--output-file', join(directory, 'x'));
  expect(serve).toMatchObject({ ...refused, stderr: expect.stringContaining('serve has no result') });
  const missing = join(directory, 'missing', 'users.csv');
  expect(await run('list', '--output-file', missing)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: there is no directory ${dirname(missing)} for --output-file ${missing}\nCorrect the path, or run: mkdir -p ${dirname(missing)}\n`,
  });
});
