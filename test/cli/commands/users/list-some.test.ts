import { expect, test } from 'vitest';
import type { User } from '../../../../src/contract/wire.ts';
import { listedUser, startListing } from '../../../client/start-listing.ts';
import { environmentFor, startWorld } from '../../../world.ts';

const people: Partial<User>[] = [
  { user_name: 'ann', name: 'Ann Lee', email: 'Ann@Example.com', mobile: '86-15200000001' },
  { user_name: 'bob', name: 'Bob', disabled: true, usr_auth_times: '12', extension: { age: '42' } },
  { user_name: 'cid', name: '安娜', mobile: '+86-15200000003', usr_auth_times: '9' },
  { user_name: 'Émile', email: 'emile@example.com', external_id: 'LEE-7' },
];

/** A command line, and a service that lists these people after other users who match nothing. */
async function startPeople(others = 0) {
  const users = Array.from({ length: others }, (_, number) => listedUser(number));
  users.push(...people.map((person, number) => listedUser(others + number, person)));
  const peer = await startListing(users);
  const { runWith } = await startWorld();
  const env = environmentFor(peer.baseUrl);
  return {
    peer,
    list: (...args: string[]) => runWith({ env }, 'list', ...args),
    onTerminal: (...args: string[]) => runWith({ env, terminal: 60 }, 'list', ...args),
  };
}

test.each<[string, string[]]>([
  ['--search LEE', ['ann', 'Émile']],
  ['--search EXAMPLE.com', ['ann', 'Émile']],
  ['--search 1520000000', ['ann', 'cid']],
  ['--search 安', ['cid']],
  ['--search E\u0301mile', ['Émile']],
  ['--search id-10', ['ann']],
  ['--where disabled=true', ['bob']],
  ['--where disabled!=true --search n', ['ann']],
  ['--where email=ann@example.COM', ['ann']],
  ['--where mobile=15200000003', ['cid']],
  ['--where name=ann', []],
  ['--where name~ann --where user_name=ANN', ['ann']],
  ['--where extension.age=42', ['bob']],
  ['--where extension.age= --where user_name!=u --where external_id~lee', ['Émile']],
  ['--where name=Ann=Lee', []],
])('list filters users with %s', async (words, names) => {
  const { list } = await startPeople(10);
  const { exitCode, stdout, stderr } = await list(...words.split(' '), '--columns', 'user_name', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    users: names.map((user_name) => ({ user_name })),
    total: 14,
    read: 14,
    matches: names.length,
    offset: 0,
    limit: 100,
    complete: true,
  });
});

test('list reads all users and prints their number, in every format', async () => {
  const { list, peer } = await startPeople(250);
  const ended = { exitCode: 0, stderr: '254 users read, 2 match\n' };
  const lee = ['--search', 'lee'];
  const columns = ['--columns', 'user_name'];
  expect(await list(...lee, ...columns, '-o', 'jsonl')).toEqual({
    ...ended,
    stdout: '{"user_name":"ann"}\n{"user_name":"Émile"}\n',
  });
  expect(peer.calls).toHaveLength(3);
  expect(await list(...lee, ...columns, '-o', 'csv')).toEqual({
    ...ended,
    stdout: 'user_name\nann\nÉmile\n',
  });
  expect((await list(...lee, '-q')).stdout).toBe('id-250\nid-253\n');
  const table = await list(...lee, ...columns);
  expect(table).toMatchObject(ended);
  expect(table.stdout).toMatch(/^┌.*\n│ user_name │\n├.*\n│ ann {7}│\n│ Émile {5}│\n└.*\n$/);
  const none = await list('--where', 'name=nobody', ...columns, '-o', 'csv');
  expect(none).toEqual({ exitCode: 0, stdout: 'user_name\n', stderr: '254 users read, 0 match\n' });
});

test('a table on a terminal is as wide as its first twenty matches need', async () => {
  const { onTerminal } = await startPeople(120);
  const { exitCode, stdout, stderr } = await onTerminal('--search', 'user1', '--columns', 'user_name');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '124 users read, 31 match\n' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(31 + 4);
  expect(stdout).toContain('│ user119   │\n');
});

test.each<[string[], string[]]>([
  [['name'], ['ann', 'bob', 'cid', 'Émile']],
  [['-name'], ['cid', 'bob', 'ann', 'Émile']],
  [['usr_auth_times'], ['ann', 'Émile', 'cid', 'bob']],
  [
    ['-user_name', '--where', 'disabled=false'],
    ['Émile', 'cid', 'ann'],
  ],
  [['extension.age'], ['bob', 'ann', 'cid', 'Émile']],
])('list sorts with --sort %s', async (words, names) => {
  const { list } = await startPeople();
  const { exitCode, stdout } = await list('--sort', ...words, '-o', 'csv', '--columns', 'user_name');
  expect({ exitCode, lines: stdout.trimEnd().split('\n') }).toEqual({
    exitCode: 0,
    lines: ['user_name', ...names],
  });
});

test('list sorts more than a page, and CSV has a column for every extension attribute', async () => {
  const { list } = await startPeople(1000);
  const { exitCode, stdout, stderr } = await list('--sort', '-user_id', '-o', 'csv');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '1,004 of 1,004 users\n' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1005);
  expect(lines[0]).toContain(',extension.age,');
  expect(lines[1]).toContain('id-999');
});

test.each<[string[], string]>([
  [['--search', ''], 'invalid --search "": must not be empty'],
  [['--where', 'disabled=yes'], 'invalid --where "disabled=yes": must be true or false'],
  [['--where', 'email'], 'must be FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT'],
  [['--where', 'e-mail=x'], 'unknown field "e-mail"\nDid you mean email? Available: user_name, '],
  [['--where', 'extension=x'], 'must name one attribute: extension.KEY'],
  [['--sort', 'age'], 'unknown field "age"'],
  [['--search', 'x', '--offset', '0'], '--search and --offset cannot be used together'],
])('list refuses %s', async (words, message) => {
  const { list, peer } = await startPeople();
  const { exitCode, stdout, stderr } = await list(...words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(peer.calls).toEqual([]);
});

test('if users may be missing, the result of a search is marked as incomplete', async () => {
  const users = Array.from({ length: 25 }, (_, number) => listedUser(number));
  const peer = await startListing(users, ({ offset, answer }) => {
    if (offset === 2) users.splice(0, 1);
    answer();
  });
  const { runWith } = await startWorld();
  const env = environmentFor(peer.baseUrl);
  const args = 'list --all --search user24 --limit 10 --json --columns user_name'.split(' ');
  const { exitCode, stdout, stderr } = await runWith({ env }, ...args);
  expect({ exitCode, document: JSON.parse(stdout) }).toEqual({
    exitCode: 10,
    document: {
      users: [{ user_name: 'user24' }],
      total: 24,
      read: 24,
      matches: 1,
      offset: 0,
      limit: 10,
      complete: false,
    },
  });
  expect(JSON.parse(stderr).error.code).toBe('INCOMPLETE');
});

test('a text that is the name of an option can be searched for, if it is joined to its option', async () => {
  const { client, run } = await startWorld();
  await client.createUser({ user_name: 'ann', name: 'flag --all' });
  const found = await run('list', '--search=--all', '--columns', 'user_name', '-o', 'csv');
  expect(found).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ann') });
  expect(await run('list', '--search', '--all')).toMatchObject({ exitCode: 2, stdout: '' });
});

test.each([
  [
    '--where user_name~user',
    ['user0', 'user1', 'user2', 'user3', 'user4', 'user5', 'user6', 'user7', 'user8', 'user9'],
  ],
  [
    '--sort=-user_name',
    ['user99', 'user98', 'user97', 'user96', 'user95', 'user94', 'user93', 'user92', 'user91', 'user90'],
  ],
])('list %s --limit 10 prints ten users, and says of how many', async (words, names) => {
  const users = Array.from({ length: 250 }, (_, number) => listedUser(number));
  const peer = await startListing(users);
  const { runWith } = await startWorld();
  const list = (...more: string[]) =>
    runWith({ env: environmentFor(peer.baseUrl) }, 'list', ...words.split(' '), ...more);
  const json = await list('--limit', '10', '--columns', 'user_name', '--json');
  const document = JSON.parse(json.stdout);
  expect(document).toMatchObject({ total: 250, limit: 10, complete: true });
  expect(document.users).toEqual(names.map((user_name) => ({ user_name })));
  const ids = await list('--limit', '10', '-q');
  expect(ids).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ids.stdout.trim().split('\n')).toHaveLength(10);
  expect((await list('--limit', '10', '-o', 'csv')).stderr).toMatch(/250.*; the first 10 are printed\n$/);
  // With --all, it is the size of a page.
  expect((await list('--limit', '10', '--all', '-q')).stdout.trim().split('\n')).toHaveLength(250);
  expect((await list('-q')).stdout.trim().split('\n')).toHaveLength(250);
});

test('with --quiet, a first page that nobody asked for says on stderr that it is not all', async () => {
  const peer = await startListing(Array.from({ length: 25 }, (_, number) => listedUser(number)));
  const { runWith } = await startWorld();
  const list = (...words: string[]) =>
    runWith({ env: environmentFor(peer.baseUrl) }, 'list', '--quiet', ...words);
  const all = 'tenant-users: 20 of 25 users; for the next page use --offset 1, for everybody --all\n';
  expect(await list()).toMatchObject({ exitCode: 0, stderr: all });
  for (const words of [['--offset', '0'], ['--limit', '10'], ['--all'], ['--offset', '1']])
    expect(await list(...words), words.join(' ')).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await list('--json')).stderr).toBe('');
});
