import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { pagesAhead } from '../../../../src/client/list-all-users.ts';
import { listedUser, listedUsers, startListing } from '../../../client/start-listing.ts';
import { environmentFor, startWorld } from '../../../world.ts';

type OnPage = Parameters<typeof startListing>[1];

/** A command line, and a service that lists these users. */
async function startBefore(users = listedUsers(0), onPage?: OnPage) {
  const peer = await startListing(users, onPage);
  const { runWith } = await startWorld();
  const env = environmentFor(peer.baseUrl);
  return {
    peer,
    list: (...args: string[]) => runWith({ env }, 'list', '--all', ...args),
    into: (stdout: Writable, ...args: string[]) => runWith({ env, stdout }, 'list', '--all', ...args),
    onTerminal: (...args: string[]) => runWith({ env, terminal: 60 }, 'list', '--all', ...args),
  };
}

const few = ['--limit', '10'];

test('list --all prints one document of all users, and nothing on stderr', async () => {
  const { client, run } = await startWorld();
  for (const { user_name } of listedUsers(25)) await client.createUser({ user_name });
  const { exitCode, stdout, stderr } = await run('users', 'list', '--all', '--json', ...few);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { users, ...rest } = JSON.parse(stdout);
  expect(users.map(({ user_name }: { user_name: string }) => user_name)).toEqual(
    listedUsers(25).map(({ user_name }) => user_name),
  );
  expect(users[0]).toMatchObject({ disabled: false, usr_auth_times: 0 });
  expect(rest).toEqual({ total: 25, offset: 0, limit: 10, complete: true });
});

test('list --all prints lines, CSV and a table of all users, with the count on stderr', async () => {
  const { list, peer } = await startBefore(listedUsers(125));
  const names = listedUsers(125).map(({ user_name }) => user_name);
  const ended = { exitCode: 0, stderr: '125 of 125 users\n' };
  const columns = ['--columns', 'user_name'];
  const lines = names.map((user_name) => `${JSON.stringify({ user_name })}\n`).join('');
  expect(await list('-o', 'jsonl', ...columns)).toEqual({ ...ended, stdout: lines });
  expect(peer.calls.map(({ url }) => url.includes('limit=100'))).toEqual([true, true]);
  expect(await list('-o', 'csv', ...columns)).toEqual({
    ...ended,
    stdout: `user_name\n${names.map((name) => `${name}\n`).join('')}`,
  });
  const table = await list(...columns);
  expect(table).toMatchObject(ended);
  expect(table.stdout.trimEnd().split('\n')).toHaveLength(125 + 4);
});

test('the output for an empty tenant is complete in every format', async () => {
  const { list } = await startBefore();
  const document = '{"users":[],"total":0,"offset":0,"limit":100,"complete":true}\n';
  expect(await list('--json')).toEqual({ exitCode: 0, stdout: document, stderr: '' });
  expect((await list('-o', 'jsonl')).stdout).toBe('');
  expect((await list('-o', 'csv', '--columns', 'email')).stdout).toBe('email\n');
  expect((await list('--columns', 'email')).stdout).toMatch(/^┌.*\n│ email │\n└.*\n$/);
});

test('a table is cut to the terminal by the widths of its first page, and not cut in a pipe', async () => {
  const users = listedUsers(15).map((user, number) => ({ ...user, name: 'n'.repeat(number * 10) }));
  const { list, onTerminal } = await startBefore(users);
  const cut = (await onTerminal(...few)).stdout.trimEnd().split('\n');
  expect(new Set(cut.map((line) => stringWidth(line)))).toEqual(new Set([60]));
  expect((await list(...few)).stdout).toContain('n'.repeat(140));
});

test('list prints the interval, and refuses an empty one', async () => {
  let time = Date.parse('2026-03-01T10:00:00Z');
  const { client, run } = await startWorld({ now: () => time });
  await client.createUser({ user_name: 'early' });
  time += 86_400_000;
  await client.createUser({ user_name: 'late' });
  const late = ['--all', '-o', 'csv', '--columns', 'user_name', '--updated-after', '2026-03-02'];
  expect(await run('list', ...late, '--updated-before', '2026-03-03 00:00:00')).toEqual({
    exitCode: 0,
    stdout: 'user_name\nlate\n',
    stderr:
      "1 of 1 user updated after 2026-03-02 00:00:00 and before 2026-03-03 00:00:00 (in the tenant's time zone)\n",
  });
  for (const before of ['2026-03-01', '2026-03-02', '2026-03-02 00:00:01']) {
    const { exitCode, stdout, stderr } = await run('list', ...late, '--updated-before', before);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('there is no time between --updated-after 2026-03-02 00:00:00');
  }
  expect((await run('list', ...late, '--updated-before', '2026-03-02 00:00:02')).exitCode).toBe(0);
});

test('list refuses --all with --offset', async () => {
  const { list } = await startBefore();
  const { exitCode, stdout, stderr } = await list('--offset', '0');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('--all and --offset cannot be used together');
});

test('if users may be missing, the document, exit code 10 and stderr say so', async () => {
  const users = listedUsers(25);
  const { list } = await startBefore(users, ({ offset, answer }) => {
    if (offset === 2) users.splice(0, 1);
    answer();
  });
  const told = await list(...few, '--columns', 'user_name');
  expect(told.exitCode).toBe(10);
  expect(told.stdout).toContain('user9 ');
  expect(told.stderr).toBe(
    '24 of 24 users\ntenant-users: the listing is incomplete: the total fell from 25 to 24 during the listing, so users may have been skipped\nThe users printed are correct, but others may be missing: list again at a quieter time.\n',
  );

  users.push(listedUser(25));
  const { exitCode, stdout, stderr } = await list(...few, '--json');
  expect(exitCode).toBe(10);
  expect(JSON.parse(stdout)).toMatchObject({ total: 24, complete: false });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'INCOMPLETE',
      message: expect.stringContaining('the total fell from 25 to 24'),
      status: null,
      retryable: true,
      hint: expect.stringContaining('list again'),
    },
  });
});

test('list says how many repeated users it left out', async () => {
  const repeated = [...listedUsers(12), listedUser(3)];
  const { list } = await startBefore(repeated, ({ offset, answer }) =>
    answer({ total: 12, users: repeated.slice(offset * 10, offset * 10 + 10) }),
  );
  expect(await list(...few, '-o', 'jsonl')).toMatchObject({
    exitCode: 0,
    stderr: '12 of 12 users; duplicates skipped: 1\n',
  });
});

test('a failure in the middle keeps what was written, and has its own exit code', async () => {
  const { list } = await startBefore(listedUsers(45), ({ offset, answer }) =>
    offset === 2 ? answer('', 500) : answer(),
  );
  for (const format of ['jsonl', 'csv']) {
    const { exitCode, stdout, stderr } = await list(...few, '-o', format, '--columns', 'user_name');
    expect(exitCode).toBe(9);
    expect(stdout).toContain('user19');
    expect(stdout).not.toContain('user20');
    expect(stderr).toMatch(/^tenant-users: .* is failing \(500\)\n.*\n$/);
  }
  const { exitCode, stdout, stderr } = await list(...few, '--json');
  expect({ exitCode, ...JSON.parse(stderr).error }).toMatchObject({ exitCode: 9, code: 'NETWORK' });
  const { users, complete } = JSON.parse(stdout);
  expect({ users: users.length, complete }).toEqual({ users: 20, complete: false });
});

test('CSV has a column for each extension attribute of the pages read ahead, and later ones are named', async () => {
  const users = listedUsers(95);
  users[15] = listedUser(15, { extension: { age: '7' } });
  const { list } = await startBefore(users);
  const early = await list(...few, '-o', 'csv');
  expect(early).toMatchObject({ exitCode: 0, stderr: '95 of 95 users\n' });
  expect(parse(early.stdout, { columns: true })[15]).toMatchObject({ 'extension.age': '7' });

  users[85] = listedUser(85, { extension: { "shoe's size": '42' } });
  const late = await list(...few, '-o', 'csv');
  expect(late.exitCode).toBe(10);
  expect(late.stderr).toContain("have extension attributes without a column: shoe's size");
  const columns = /--columns '(.*)'\n$/.exec(late.stderr)?.[1]?.replaceAll("'\\''", "'") ?? '';
  const again = await list(...few, '-o', 'csv', '--columns', columns);
  expect(again.exitCode).toBe(0);
  const row = parse(again.stdout, { columns: true })[85];
  expect(row).toMatchObject({ user_name: 'user85', "extension.shoe's size": '42', 'extension.age': '' });

  users[86] = listedUser(86, { extension: { 'a,b': '1' } });
  const unnameable = await list(...few, '-o', 'csv');
  expect(unnameable).toMatchObject({
    exitCode: 10,
    stderr: expect.stringMatching(/\nList again with: -o jsonl\n$/),
  });
});

test.each(['json', 'jsonl', 'csv', 'table'])(
  'a slow reader of %s slows down the requests for pages',
  async (format) => {
    const { into, peer } = await startBefore(listedUsers(200));
    const client = peer.connect();
    let next: (() => void) | undefined;
    const reader = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        next = done;
      },
    });
    const release = () => {
      const done = next;
      next = undefined;
      done?.();
    };
    const ended = into(reader, ...few, '-o', format);
    for (let piece = 1; piece <= 10; piece += 1) {
      await expect.poll(() => next, { interval: 1 }).toBeDefined();
      // Requests for pages that are read too far ahead would arrive before these are answered.
      for (let call = 0; call < 5; call += 1) await client.listUsers({ offset: 0, limit: 99 });
      const pages = peer.calls.filter(({ url }) => url.includes('limit=10'));
      expect(pages.length).toBeLessThan(piece + pagesAhead);
      release();
    }
    const drain = setInterval(release, 0);
    expect(await ended.finally(() => clearInterval(drain))).toMatchObject({ exitCode: 0 });
  },
);
