import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { json, startPeer } from '../../client/start-peer.ts';
import { temporaryDirectory } from '../../world.ts';
import { openTerminal } from './open-terminal.ts';
import { bin, credentials } from './start-program.ts';
import { startTerminal, terminalTest } from './start-terminal.ts';

/** A service that answers when the test says so. */
async function startSlow(body: object = { total: 0, users: [] }) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = json(200, body);
  const { baseUrl, calls } = await startPeer({
    call: (received, response) => void released.then(() => answer(received, response)),
  });
  return { env: { ...credentials, TENANT_USERS_BASE_URL: baseUrl }, calls, release };
}

terminalTest('a long wait is shown, and leaves nothing on the screen', async () => {
  const { env, release } = await startSlow();
  const terminal = await startTerminal(['list'], { env });
  await terminal.waitFor('Listing users');
  release();
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect(await terminal.screen()).not.toContain('Listing');
  expect(await terminal.leftovers()).toEqual([]);
});

terminalTest.each([
  ['--json', {}],
  ['--quiet', {}],
  ['--no-color', { TERM: 'dumb' }],
])('no spinner is shown with %s %j', async (flag, more) => {
  const { env, release, calls } = await startSlow();
  const terminal = await openTerminal(['list', flag], { env: { ...env, ...more } });
  await expect.poll(() => calls.length).toBe(1);
  release();
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect(terminal.raw()).not.toContain('Listing');
  expect(terminal.raw()).not.toContain('\x1b[?');
});

terminalTest('Ctrl-C while waiting ends with 130, and the cursor is visible again', async () => {
  const { env } = await startSlow();
  const terminal = await startTerminal(['list'], { env });
  await terminal.waitFor('Listing users');
  terminal.type('\x03');
  expect(await terminal.exited).toEqual({ exitCode: 130, signal: 0 });
  expect(await terminal.leftovers()).not.toContain('hidden cursor');
});

terminalTest('Ctrl-C twice ends an import immediately, though its rows get no answer', async () => {
  const { env, calls } = await startSlow();
  const directory = await temporaryDirectory();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n');
  const terminal = await startTerminal(['import-hashes', file, '--job', join(directory, 'job'), '--yes'], {
    env,
  });
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  terminal.type('\x03');
  await terminal.waitFor('Stopping');
  // A second signal that follows at once counts as a copy. A third one would be too many: Ctrl-C makes a terminal discard
  // what it has not shown yet, such as the last output of the program.
  await setTimeout(200);
  terminal.type('\x03');
  expect(await terminal.exited).toEqual({ exitCode: 130, signal: 0 });
  expect(await terminal.screen()).toContain('Ended at once');
  expect(await terminal.leftovers()).not.toContain('hidden cursor');
});

terminalTest('Ctrl-C once waits for the rows in flight, also when the token was renewed before', async () => {
  const { env, calls, release } = await startSlow({ user_id: '20201028102749564-9082-DC8CD2722' });
  const [home, directory] = [await temporaryDirectory(), await temporaryDirectory()];
  await mkdir(join(home, '.config', 'tenant-users'), { recursive: true });
  // A profile is written under a lock, whose library handles signals as prompts and spinners do.
  const stored = {
    base_url: env.TENANT_USERS_BASE_URL,
    client_id: env.TENANT_USERS_CLIENT_ID,
    client_secret: env.TENANT_USERS_CLIENT_SECRET,
  };
  const configuration = join(home, '.config', 'tenant-users', 'config.json');
  await writeFile(configuration, JSON.stringify({ profiles: { default: stored } }), { mode: 0o600 });
  const file = join(directory, 'legacy.csv');
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n');
  const args = ['import-hashes', file, '--job', join(directory, 'job'), '--yes'];
  const terminal = await startTerminal(args, { env: { HOME: home } });
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await readFile(configuration, 'utf8')).toContain('access_token');
  terminal.type('\x03');
  await terminal.waitFor('for the requests under way');
  release();
  expect(await terminal.exited).toEqual({ exitCode: 130, signal: 0 });
  expect(await terminal.scrollback()).not.toContain('Ended at once');
});

terminalTest('status shows that it waits', async () => {
  const { env, release } = await startSlow();
  const terminal = await openTerminal(['status'], { env });
  await terminal.waitFor('Checking the token');
  release();
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect(await terminal.screen()).not.toContain('Asking');
  expect(await terminal.leftovers()).toEqual([]);
});

terminalTest(
  'list --all into a file shows its progress, and leaves nothing of it on the screen',
  async () => {
    const total = 12_300;
    let release = () => {};
    const last = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { baseUrl } = await startPeer({
      call(received, response) {
        const offset = Number(new URL(received.url ?? '', 'http://peer').searchParams.get('offset'));
        const users = Array.from({ length: 100 }, (_, at) => ({ user_id: String(offset * 100 + at) }));
        const answer = () => json(200, { total, users })(received, response);
        return void (offset < total / 100 - 1 ? answer() : last.then(answer));
      },
    });
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const file = join(await temporaryDirectory(), 'users.jsonl');
    const command = ['sh', '-c', `"$0" "$1" list --all -o jsonl > "$2"`] as const;
    const terminal = await startTerminal([process.execPath, bin, file], { env, command: [...command] });
    await terminal.waitFor('12,200 of 12,300 users');
    release();
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
    expect(await terminal.screen()).toBe('12,300 of 12,300 users');
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(total + 1);
    expect(await terminal.leftovers()).toEqual([]);
  },
);
