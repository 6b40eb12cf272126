import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { json, startPeer } from '../client/start-peer.ts';
import { temporaryDirectory } from '../world.ts';
import { credentials } from './start-program.ts';
import { startTerminal, terminalTest } from './start-terminal.ts';

/** A service that answers when it is told to. */
async function startSlow() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = json(200, { total: 0, users: [] });
  const { baseUrl, calls } = await startPeer({
    call: (received, response) => void released.then(() => answer(received, response)),
  });
  return { env: { ...credentials, TENANT_USERS_BASE_URL: baseUrl }, calls, release };
}

terminalTest('a long wait is shown, and leaves no trace', async () => {
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
])('nothing moves with %s %j', async (flag, more) => {
  const { env, release, calls } = await startSlow();
  const terminal = await startTerminal(['list', flag], { env: { ...env, ...more } });
  await expect.poll(() => calls.length).toBe(1);
  release();
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect(terminal.raw()).not.toContain('Listing');
  expect(terminal.raw()).not.toContain('\x1b[?');
});

terminalTest('Ctrl-C while waiting ends with 130, and the cursor is there again', async () => {
  const { env } = await startSlow();
  const terminal = await startTerminal(['list'], { env });
  await terminal.waitFor('Listing users');
  terminal.type('\x03');
  expect(await terminal.exited).toEqual({ exitCode: 130, signal: 0 });
  expect(await terminal.leftovers()).not.toContain('hidden cursor');
});

terminalTest('Ctrl-C twice ends an import at once, though its rows get no answer', async () => {
  const { env, calls } = await startSlow();
  const directory = await temporaryDirectory();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n');
  const terminal = await startTerminal(['import-hashes', file, '--job', join(directory, 'job')], { env });
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  const insist = setInterval(() => terminal.type('\x03'), 50);
  expect(await terminal.exited).toEqual({ exitCode: 130, signal: 0 });
  clearInterval(insist);
  expect(await terminal.leftovers()).not.toContain('hidden cursor');
});
