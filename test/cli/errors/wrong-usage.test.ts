import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { expectErrorLine } from '../schemas/validate.ts';

const files = {
  'broken.json': '{"email": planted-secret',
  'list.json': '[1]',
  'unknown.json': '{"colour":"red"}',
  'extension.json': '{"extension":5}',
  'lines.txt': 'one\ntwo\n',
  'broken.csv': 'user_name,algorithm,hash\n"ann,md5,x\n',
  empty: '',
};

const device = ['--os-version', '1', '--device-ip', '1', '--device-fingerprint', '1'];
const shell = 'Is a shell variable unset?';

/** A command line, what is wrong with it, and what the person is to do. Nothing is on standard input. */
const cases: [command: string, message: string, hint: string][] = [
  ['lst', "unknown command 'lst'", 'Did you mean list?'],
  ['xyzzy', "unknown command 'xyzzy'", 'Add --help to see the commands.'],
  ['tenant shw', "unknown command 'shw'", 'Did you mean show?'],
  ['list --ofset 1', "unknown option '--ofset'", 'Did you mean --offset?'],
  ['create --passwrd x', "unknown option '--passwrd'", 'Add --help to see the options.'],
  ['import-hashes', "missing required argument 'file'", 'Add --help'],
  [
    'get a b',
    "too many arguments for 'get'",
    'Expected 1 argument but got 2. A value with blanks needs quotes.',
  ],
  ['list --limit', '--limit needs a value', 'Write: --limit <number>'],
  ['list -o', '--output needs a value', 'Write: --output <format>'],
  ['list --limit 5', '--limit cannot be "5"', 'It must be between 10 and 100.'],
  ['list --limit many', '--limit cannot be "many"', 'It must be a whole number.'],
  ['list -o xml', '--output cannot be "xml"', 'Allowed choices are table, json, jsonl, csv.'],
  ['list --updated-after noon', '--updated-after cannot be "noon"', 'It must be yyyy-MM-dd or'],
  ['list --columns nope', 'there is no column "nope"', 'Known are: user_name, '],
  ['create --name x --columns nope', 'there is no column "nope"', 'Known are: user_id.'],
  ['login --columns token.scope,nope', 'there is no column "nope"', 'Known are: profile, base_url, '],
  [`sso verify x ${device.join(' ')} --columns nope`, 'there is no column "nope"', 'Known are: id, userName'],
  ['import-hashes x --columns rows,nope', 'there is no column "nope"', 'Known are: job, rows, created, '],
  ['disable a -y --columns nope.x', 'there is no column "nope.x"', 'Known are: user_id, ok, error.'],
  ['get', 'specify exactly one user', 'Give a USER_ID or one of --by-user-name, --by-email, --by-mobile, '],
  ['get a --by-email b', 'specify exactly one user', 'Use only one of USER_ID, --by-user-name, '],
  ['get --by-email a --by-email b', '--by-email is given more than once', 'Specify exactly one user.'],
  ['disable -y --by-email a --by-email b', '--by-email is given more than once', 'Specify exactly one user.'],
  ['update --by-mobile 1 --by-mobile 2', '--by-mobile is given more than once', 'Specify exactly one user.'],
  ['get --email a', '--email was renamed to --by-email', 'Use --by-email.'],
  ['get --username', '--username was renamed to --by-user-name', 'Use --by-user-name.'],
  ['users get --mobile=1', '--mobile was renamed to --by-mobile', 'Use --by-mobile.'],
  ['disable -y --external-id 1', '--external-id was renamed to --by-external-id', 'Use --by-external-id.'],
  ['update --username a --name b', '--username was renamed to --by-user-name', 'Use --by-user-name.'],
  [
    'update --external-id a --name b',
    '--external-id was renamed to --by-external-id',
    'Use --by-external-id.',
  ],
  ['hash verify --csv x --username a', '--username was renamed to --by-user-name', 'Use --by-user-name.'],
  ['create --username a', "unknown option '--username'", 'Did you mean --user-name?'],
  ['get ""', 'the user id is empty', shell],
  ['update ""  --name x', 'the user id is empty', shell],
  ['disable "" -y', 'a user id is empty', shell],
  ['update a', 'nothing is to be changed', 'Name an attribute, such as --email, or use --unset.'],
  ['update a --unset foo', '--unset foo is no attribute that can be changed', 'Known are: user_name, '],
  ['disable a', 'a confirmation is needed, and there is no terminal to ask on', 'Use --yes.'],
  ['disable -y --from empty', 'FILE has no user ids', 'Write one id per line.'],
  ['disable -y --from -', 'standard input has no user ids', 'Write one id per line.'],
  ['disable -y --from none', 'FILE cannot be read: there is no such file', 'Check the path.'],
  ['create', 'nothing is known of the user', 'Give at least one attribute, such as --user-name.'],
  [
    'create --data broken.json',
    'FILE is no JSON object (line 1, column 11: expected JSON)',
    'Write the attributes',
  ],
  ['create --data list.json', '--data FILE is no JSON object', 'Write the attributes as one object: {'],
  ['create --data -', 'standard input is no JSON object (line 1, column 1: expected more, but', 'Write the'],
  ['create --data unknown.json', '--data has unknown attributes: colour', 'Known are: user_name, '],
  ['create --data extension.json', 'extension in --data is no JSON object', 'Write it as {"extension":{'],
  ['create --name x --password-file .', 'FILE cannot be read: it is a directory', 'Name a file in it.'],
  [
    'create --name x --password-stdin',
    'the password is empty',
    'Give it alone, on one line, on standard input.',
  ],
  [
    'create --name x --password-file lines.txt',
    'the password has several lines',
    'Give it alone, on one line, in',
  ],
  [
    'create --name x --password-stdin --password-prompt',
    '--password-prompt exclude each other',
    'Name one of',
  ],
  ['create --extension age', '--extension cannot be "age"', 'It must be KEY=VALUE.'],
  ['import-hashes none.csv', 'there is no such file; check the path', 'Nothing was sent: mend what'],
  ['import-hashes broken.csv', 'line 2: ', 'Nothing was sent: mend what the message names'],
  ['import-hashes x --concurrency 0', '--concurrency cannot be "0"', 'It must be between 1 and 512.'],
  ['sso verify x', '--os-version is missing', 'Add: --os-version <version>'],
  [`sso verify ${device.join(' ')}`, 'the ticket is empty', 'Give it alone, on one line, on standard input.'],
  [
    'sso ticket ann',
    'is needed, and there is no terminal to ask on',
    'Use --password-stdin or --password-file.',
  ],
  ['sso ticket a --password-stdin --password-file b', 'exclude each other', 'Name one of them.'],
  ['serve --port 99999', '--port cannot be "99999"', 'It must be between 0 and 65535.'],
  ['serve --host 0.0.0.0', '0.0.0.0 is not loopback, and there is no TLS', 'Listen on 127.0.0.1, name'],
  ['serve --faults broken.json', 'FILE is no fault script, 1 fault:', 'What a fault script may say: '],
  ['serve --tenant unknown.json', 'FILE is no tenant definition, 1 fault:', 'Nothing of it was applied.'],
  [
    'tenant check -',
    'standard input is no tenant definition',
    'A complete example: tenant-users tenant show',
  ],
  ['login --base-url foo', 'the base URL "foo" is no address', 'Give one such as https://id.example.com'],
  ['login --client-secret-stdin', 'the client secret is empty', 'Give it alone, on one line, on standard'],
  ['login --client-secret-stdin --client-secret-file x', 'exclude each other', 'Name one of them.'],
  ['login --auth-style x', '--auth-style cannot be "x"', 'Allowed choices are query, form, basic.'],
  ['explain foo', 'there is no code "foo"', 'Run: tenant-users explain'],
  ['schema foo', 'there is no schema of "foo"', 'There are those of: '],
];

test.each(cases)('%s', async (command, message, hint) => {
  const world = await startWorld();
  for (const [name, text] of Object.entries(files)) await writeFile(join(world.directory, name), text);
  const there = (word: string) =>
    word === '.' || word in files || /^none/.test(word) ? join(world.directory, word) : word;
  const args = command.split(/ +/).map((word) => (word === '""' ? '' : there(word)));
  const ended = await world.run('--json', ...args);
  expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(['USAGE', 'SOURCE']).toContain(await expectErrorLine(world, ended));
  expect(ended.stderr).not.toContain('planted-secret');
  const { error } = JSON.parse(ended.stderr);
  const told = (text: string) =>
    text.replaceAll(
      join(
        world.directory,
        args.find((arg) => arg.startsWith(world.directory))?.slice(world.directory.length + 1) ?? '?',
      ),
      'FILE',
    );
  expect(told(error.message)).toContain(message);
  expect(error.hint).toContain(hint);
  expect(error.hint).toMatch(/\S/);

  const plain = await world.run(...args);
  expect(plain).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: ${error.message}\n${error.hint}\n`,
  });
});

test.each([
  ['status', 'name,nope', 'Known are: name, value, from.'],
  ['profiles list', 'service,nope', 'Known are: name, service, client_id, current, token.'],
  ['hash identify', 'sure,nope', 'Known are: line, algorithm, format, accepted, sure, damage.'],
])('the columns of the table of %s are its own', async (command, columns, hint) => {
  const { run } = await startWorld();
  expect(await run(...command.split(' '), '--columns', columns)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: there is no column "nope"\n${hint}\n`,
  });
});

test('a column that is not known is told before anything is done', async () => {
  const { client, run } = await startWorld();
  expect(await run('create', '--user-name', 'ann', '--columns', 'nope')).toMatchObject({ exitCode: 2 });
  expect(await client.listUsers({ offset: 0, limit: 10 })).toMatchObject({ total: 0 });
});

test.each(['table', 'jsonl', 'csv'])('--json and -o %s exclude each other', async (format) => {
  const world = await startWorld();
  const ended = await world.run('list', '-o', format, '--json');
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await expectErrorLine(world, ended)).toBe('USAGE');
  expect(JSON.parse(ended.stderr).error).toMatchObject({
    message: `--json and --output ${format} exclude each other`,
    hint: 'Name one of them.',
  });
  expect((await world.run('list', '-o', 'json', '--json')).exitCode).toBe(0);
});

// The shape of a secret is not known: whatever follows the name of an option that is not known is left out.
test.each([
  [['list', "--secret=it's a 'secret'\nplanted"], "unknown option '--secret=…'"],
  [['list', "--x'y=planted"], "unknown option '--x…'"],
  [['list', '-planted'], "unknown option '-p…'"],
  [['list', '--=planted'], "unknown option '--=…'"],
  [['list', '--ofset=planted'], "unknown option '--ofset=…'"],
  [['create', '--password-stdin=planted'], "unknown option '--password-stdin=…'"],
  [['list', '--limit', '5f4dcc3b5aa765d61d8327deb882cf99'], '--limit cannot be "…"'],
  [['list', '--5f4dcc3b5aa765d61d8327deb882cf99'], "unknown option '…'"],
  [['5f4dcc3b5aa765d61d8327deb882cf99'], "unknown command '…'"],
])('%j is told without its value', async (args, message) => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.split('\n')[0]).toContain(`tenant-users: ${message}`);
  expect(stderr).not.toContain('planted');
});

test.each([[[]], [['users']], [['sso']]])(
  '%j --json without a command is an error line, and no help',
  async (args) => {
    const world = await startWorld();
    const ended = await world.run(...args, '--json');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await expectErrorLine(world, ended)).toBe('USAGE');
  },
);
