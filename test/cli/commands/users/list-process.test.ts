import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pagesAhead } from '../../../../src/client/list-all-users.ts';
import { listedUsers, startListing } from '../../../client/start-listing.ts';
import { temporaryDirectory } from '../../../world.ts';
import { bin, credentials, startProgram, textOf } from '../../process/start-program.ts';

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Sends a signal to a listing while it waits for the page after 2,000 users. */
async function interruptListing(signal: NodeJS.Signals, format: string) {
  let stop = () => {};
  const unanswered = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const peer = await startListing(listedUsers(100_000), ({ offset, answer }) =>
    offset === 20 ? stop() : answer(),
  );
  const env = { TENANT_USERS_BASE_URL: peer.baseUrl, ...credentials };
  const list = await startProgram(['list', '--all', format], env);
  const ended = Promise.all([once(list, 'exit'), textOf(list.stdout), textOf(list.stderr)]);
  await unanswered;
  list.kill(signal);
  const [exit, stdout, stderr] = await ended;
  return { exit, stdout, stderr };
}

test.each(signals)(
  '%s ends the document of a long listing, which says that it is not complete',
  async (signal, code) => {
    const { exit, stdout, stderr } = await interruptListing(signal, '--json');
    expect(exit).toEqual([code, null]);
    expect(JSON.parse(stdout)).toMatchObject({ users: expect.any(Array), total: 100_000, complete: false });
    expect(JSON.parse(stderr).error.code).toBe('INTERRUPTED');
  },
);

test.each(signals)(
  '%s ends a long listing with exit code %d, and keeps what was written',
  async (signal, code) => {
    const { exit, stdout, stderr } = await interruptListing(signal, '--output=jsonl');
    const said = 'Interrupted: the list is not complete\n';
    expect({ exit, stderr }).toEqual({ exit: [code, null], stderr: said });
    const names = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).user_name);
    expect(names).toEqual(listedUsers(names.length).map(({ user_name }) => user_name));
    expect(names.length).toBeLessThanOrEqual(2000);
  },
);

test.each(signals)('%s ends a listing that nobody reads, too', async (signal, code) => {
  const head_img = `data:image/png;base64,${'A'.repeat(20_000)}`;
  const users = listedUsers(10_000).map((user) => ({ ...user, head_img }));
  const peer = await startListing(users);
  const env = { TENANT_USERS_BASE_URL: peer.baseUrl, ...credentials };
  const list = await startProgram(['list', '--all', '-o', 'jsonl'], env);
  const exit = once(list, 'exit');
  await once(list.stdout ?? list, 'readable');
  list.kill(signal);
  expect(await exit).toEqual([code, null]);
  // A page is more than a pipe holds: only the pages read ahead were requested.
  expect(peer.calls.length).toBeLessThanOrEqual(pagesAhead);
});

test('a reader that has read enough ends a long listing without a message, and after few requests', async () => {
  const peer = await startListing(listedUsers(100_000));
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: await temporaryDirectory(), TENANT_USERS_BASE_URL: peer.baseUrl, ...credentials };
  const line = `"${process.execPath}" "${bin}" list --all -o csv --columns user_name | head -2`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], { env });
  expect({ stdout, stderr }).toEqual({ stdout: 'user_name\nuser0\n', stderr: '' });
  expect(peer.calls.length).toBeLessThan(100);
});
