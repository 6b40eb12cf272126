import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { listedUsers, startListing } from '../../../client/start-listing.ts';
import { environmentFor, startWorld } from '../../../world.ts';

test('list prints a page as CSV, and the count on stderr', async () => {
  const { client, run } = await startWorld();
  await client.createUser({ user_name: 'ann' });

  expect(await run('users', 'list', '--output', 'csv', '--columns', 'user_name,disabled')).toEqual({
    exitCode: 0,
    stdout: 'user_name,disabled\nann,false\n',
    stderr: '1 of 1 user\n',
  });
});

test('with --safe no value of the CSV is a formula for a spreadsheet, and without it values are unchanged', async () => {
  const { client, run } = await startWorld();
  const attack = { user_name: '=HYPERLINK("https://evil.example")', name: '@SUM(1)', first_name: '-2+3' };
  await client.createUser({ ...attack, last_name: '\uff1dcmd', industry: 'a=b' });
  const columns = ['--columns', 'user_name,name,first_name,last_name,industry'];
  for (const all of [[], ['--all']]) {
    const safe = await run('list', ...all, '-o', 'csv', '--safe', ...columns);
    expect(safe.stdout.split('\n')[1]).toBe(
      '"\'=HYPERLINK(""https://evil.example"")",\'@SUM(1),\'-2+3,\'\uff1dcmd,a=b',
    );
    const plain = await run('list', ...all, '-o', 'csv', ...columns);
    expect(plain.stdout.split('\n')[1]).toBe(
      '"=HYPERLINK(""https://evil.example"")",@SUM(1),-2+3,\uff1dcmd,a=b',
    );
  }
  expect(await run('list', '--safe')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--safe requires -o csv'),
  });
});

test('list prints one JSON document of normalised users, and nothing on stderr', async () => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann', extension: { age: '42' } });

  const { exitCode, stdout, stderr } = await run('list', '--json', '--limit', '10');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.endsWith('}\n')).toBe(true);
  expect(JSON.parse(stdout)).toEqual({
    users: [
      {
        user_id,
        user_name: 'ann',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        updated_at: expect.any(String),
        disabled: false,
        usr_auth_times: 0,
        extension: { age: '42' },
      },
    ],
    total: 1,
    offset: 0,
    limit: 10,
    complete: true,
  });
});

test.each([
  ['has fewer users than its total says', { total: 12 }, 'page 1 had 1 users instead of 2', 12],
  ['has no total', {}, 'the service did not send the number of users', 11],
])('a page that %s is not complete', async (_case, rest, reason, total) => {
  const peer = await startListing([], ({ answer }) => answer({ users: listedUsers(1), ...rest }));
  const { runWith } = await startWorld();
  const page = ['list', '--offset', '1', '--limit', '10', '--json'];
  const { exitCode, stdout, stderr } = await runWith({ env: environmentFor(peer.baseUrl) }, ...page);
  expect(exitCode).toBe(10);
  expect(JSON.parse(stdout)).toMatchObject({ users: [{ user_id: 'id-0' }], total, complete: false });
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'INCOMPLETE',
    message: `the listing is incomplete: ${reason}`,
  });
});

test('list accepts global options before the command, and prints a user on each line', async () => {
  const { client, run } = await startWorld();
  for (const user_name of ['ann', 'bob']) await client.createUser({ user_name });

  const { stdout, stderr } = await run('-o', 'jsonl', '--quiet', 'list');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).user_name),
  ).toEqual(['ann', 'bob']);
  expect(stderr).toBe('');
});

test('columns select the fields of each user in JSON too', async () => {
  const { client, run } = await startWorld();
  await client.createUser({ user_name: 'ann', extension: { age: '42' } });
  await client.createUser({ user_name: 'bob' });

  const columns = ['--columns', 'disabled,extension.age,user_name'];
  expect(await run('list', '-o', 'jsonl', ...columns)).toEqual({
    exitCode: 0,
    stdout:
      '{"disabled":false,"extension":{"age":"42"},"user_name":"ann"}\n{"disabled":false,"user_name":"bob"}\n',
    stderr: '2 of 2 users\n',
  });
  const { stdout } = await run('list', '--json', ...columns);
  expect(JSON.parse(stdout).users).toEqual([
    { disabled: false, extension: { age: '42' }, user_name: 'ann' },
    { disabled: false, user_name: 'bob' },
  ]);
  expect((await run('get', '--by-user-name', 'bob', '--json', '--columns', 'user_name')).stdout).toBe(
    '{"user_name":"bob"}\n',
  );
  const { exitCode, stderr } = await run('list', '--json', '--columns', 'shoe_size');
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toBe('unknown column "shoe_size"');
});

test('list shows the page that was requested, and prints the interval that it used', async () => {
  let time = Date.parse('2026-03-01T10:00:00Z');
  const { client, run } = await startWorld({ now: () => time });
  for (let number = 0; number < 12; number += 1) await client.createUser({ user_name: `early${number}` });
  time += 86_400_000;
  await client.createUser({ user_name: 'late' });

  const second = await run('list', '--offset', '1', '--limit', '10', '-o', 'csv', '--columns', 'user_name');
  expect(second.stdout).toBe('user_name\nearly10\nearly11\nlate\n');
  expect(second.stderr).toBe('3 of 13 users\n');
  const first = await run('list', '--limit', '10');
  expect(first.stderr).toBe('10 of 13 users; for the next page use --offset 1, for everybody --all\n');

  const late = await run('list', '--updated-after', '2026-03-02', '-o', 'csv', '--columns', 'user_name');
  expect(late.stdout).toBe('user_name\nlate\n');
  expect(late.stderr).toBe("1 of 1 user updated after 2026-03-02 00:00:00 (in the tenant's time zone)\n");
});

test('the table fits the terminal, counts the width of East Asian characters, and contains no escape sequence of a value', async () => {
  const { client, runWith, run } = await startWorld();
  await client.createUser({ user_name: 'ann', name: `李雷${'名'.repeat(60)}`, industry: '\u202Ereversed' });

  const narrow = await runWith({ terminal: 60 }, 'list', '--columns', 'user_name,name,industry');
  const lines = narrow.stdout.trimEnd().split('\n');
  expect(lines.map((line) => stringWidth(line)).every((width) => width === stringWidth(lines[0] ?? ''))).toBe(
    true,
  );
  expect(stringWidth(lines[0] ?? '')).toBeLessThanOrEqual(60);
  expect(narrow.stdout).not.toContain('\u202E');

  const piped = await run('list', '--columns', 'name');
  expect(piped.stdout).toContain(`李雷${'名'.repeat(60)}`);
});

test.each([
  ['--limit', '5', 'must be between 10 and 100'],
  ['--offset', '-1', 'must be a whole number'],
  ['--updated-after', 'yesterday', 'must be yyyy-MM-dd'],
  ['--columns', 'user_name,shoe_size', 'unknown column "shoe_size"'],
  ['--output', 'xml', 'must be one of table, json, jsonl, csv'],
])('list refuses %s %s with exit code 2', async (flag, value, reason) => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run('list', flag, value);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
});
