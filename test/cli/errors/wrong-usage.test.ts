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
  'twice.json': '{"user_name":"a","extension":{"age":"1","age":"2"},"user_name":"planted-secret"}',
  'users.csv': 'user_name,algorithm,hash\nann,md5,5f4dcc3b5aa765d61d8327deb882cf99\n',
  'lines.txt': 'one\ntwo\n',
  'broken.csv': 'user_name,algorithm,hash\n"ann,md5,x\n',
  empty: '',
};

const device = ['--os-version', '1', '--device-ip', '1', '--device-fingerprint', '1'];
const shell = 'Is a shell variable unset?';
const argument = 'is never an argument: other users of this machine can see it';

/** A command line, what is wrong with it, and what the person is to do. Nothing is on standard input. */
const cases: [command: string, message: string, hint: string][] = [
  ['lst', "unknown command 'lst'", 'Did you mean list?'],
  ['import-hash x', "unknown command 'import-hash'", 'To import users with their password hashes, see: '],
  ['import_hashes x', "unknown command 'import_hashes'", 'see: tenant-users import-hashes --help'],
  ['xyzzy', "unknown command 'xyzzy'", 'Add --help to see the commands.'],
  ['tenant shw', "unknown command 'shw'", 'Did you mean show?'],
  ['list --ofset 1', "unknown option '--ofset'", 'Did you mean --offset?'],
  ['create --passwrd x', "unknown option '--passwrd'", 'Add --help to see the options.'],
  ['import-hashes', "missing required argument 'file'", 'Add --help'],
  [
    'get a b',
    "too many arguments for 'get'",
    'Expected 1 argument but got 2. Put quotes around a value with spaces.',
  ],
  ['list --limit', '--limit requires a value', 'Write: --limit <number>'],
  ['list -o', '--output requires a value', 'Write: --output <format>'],
  ['list --limit 5', 'invalid --limit "5": must be between 10 and 100', 'Add --help to see how it is used.'],
  [
    'list --limit many',
    'invalid --limit "many": must be a whole number',
    'Add --help to see how it is used.',
  ],
  [
    'list -o xml',
    'invalid --output "xml": must be one of table, json, jsonl, csv',
    'Add --help to see how it is used.',
  ],
  [
    'list --updated-after noon',
    'invalid --updated-after "noon": must be yyyy-MM-dd or',
    'Add --help to see how it is used.',
  ],
  ['list --columns nope', 'unknown column "nope"', 'Available: user_name, '],
  ['create --name x --columns nope', 'unknown column "nope"', 'Available: user_id.'],
  ['login --columns token.scope,nope', 'unknown column "nope"', 'Available: profile, base_url, '],
  [`sso verify x ${device.join(' ')} --columns nope`, 'unknown column "nope"', 'Available: id, userName'],
  ['import-hashes x --columns rows,nope', 'unknown column "nope"', 'Available: job, target, rows, created, '],
  ['disable a -y --columns nope.x', 'unknown column "nope.x"', 'Available: user_id, given, ok, error.'],
  ['get', 'specify exactly one user', 'Give a USER_ID or one of --by-user-name, --by-email, --by-mobile, '],
  ['get a --by-email b', 'specify exactly one user', 'Use only one of USER_ID, --by-user-name, '],
  ['get --by-email a --by-email b', '--by-email is given more than once', 'Specify exactly one user.'],
  ['disable -y', 'no user is given', 'Give a USER_ID or one of --by-user-name, --by-email, '],
  [
    'update a --external-id E9',
    'the API cannot change the external id of a user',
    'To find a user by it, use --by-external-id.',
  ],
  ['update --by-mobile 1 --by-mobile 2', '--by-mobile is given more than once', 'Specify exactly one user.'],
  ['get ""', 'the user id is empty', shell],
  ['update ""  --name x', 'the user id is empty', shell],
  ['disable "" -y', 'a user id is empty', shell],
  ['update a', 'no changes given', 'Specify an attribute, such as --email, or use --unset.'],
  ['update a --unset foo', '--unset foo is not an attribute that can be changed', 'Available: user_name, '],
  ['disable -y --from empty', 'FILE has no user ids', 'Write one id per line.'],
  ['disable -y --from -', 'standard input has no user ids', 'Write one id per line.'],
  ['disable -y --from none', 'FILE cannot be read: there is no such file', 'Check the path.'],
  ['create', 'no attributes given', 'Specify at least one, such as --user-name.'],
  [
    'create --data broken.json',
    'FILE is not a JSON object (line 1, column 11: expected JSON)',
    'Write the attributes',
  ],
  ['create --data list.json', '--data FILE is not a JSON object', 'Write the attributes as one object: {'],
  [
    'create --data -',
    'standard input is not a JSON object (line 1, column 1: expected more, but',
    'Write the',
  ],
  ['create --data unknown.json', '--data has unknown attributes: colour', 'Available: user_name, '],
  ['create --data twice.json', 'FILE is not a valid JSON object, 2 errors:', 'Write'],
  [
    'create --password planted-secret --name x',
    `a password ${argument}`,
    '--password-file or --password-stdin, and',
  ],
  ['create --name x --password=planted-secret', `a password ${argument}`, 'Use --password-prompt,'],
  ['sso ticket ann --password planted-secret', `a password ${argument}`, 'Use --password-file'],
  ['login --client-secret planted-secret', `a secret ${argument}`, 'Use --client-secret-file'],
  ['hash verify --password planted-secret', `a password ${argument}`, 'Use --password-file'],
  ['hash verify --hash planted-secret', `a hash ${argument}`, 'Use --hash-file'],
  ['import-hashes x --key planted-secret', `an HMAC key ${argument}`, 'Use --key-file'],
  [
    'list --local users.csv',
    'FILE has the name of a file of data, not of a database',
    'Name a database, such as own.db',
  ],
  [
    'hash identify users.csv',
    'FILE is a CSV file, not a list of hashes',
    'Use --csv FILE, with --map hash=COLUMN',
  ],
  [
    'import-hashes users.csv --dry-run --canary users.csv',
    'FILE: this is a file of users; canaries are lines of user_name,password',
    'Nothing was sent.',
  ],
  ['create --data extension.json', 'extension in --data is not a JSON object', 'Write it as {"extension":{'],
  ['create --name x --password-file .', 'FILE cannot be read: it is a directory', 'Specify a file in it.'],
  [
    'create --name x --password-stdin',
    'the password is empty',
    'Provide it as a single line on standard input.',
  ],
  [
    'create --name x --password-file lines.txt',
    'the password has more than one line',
    'Provide it as a single line in',
  ],
  [
    'create --name x --password-stdin --password-prompt',
    '--password-prompt cannot be used together',
    'Use only one of',
  ],
  [
    'create --extension age',
    'invalid --extension "age": must be KEY=VALUE',
    'Add --help to see how it is used.',
  ],
  ['import-hashes none.csv', 'there is no such file; check the path', 'Nothing was sent. Fix the'],
  ['import-hashes broken.csv', 'line 2: ', 'Nothing was sent. Fix the problem above'],
  [
    'import-hashes x --concurrency 0',
    'invalid --concurrency "0": must be between 1 and 512',
    'Add --help to see how it is used.',
  ],
  ['sso verify x', 'are missing', 'Add: --os-version <version> --device-ip <address> --device-'],
  [`sso verify ${device.join(' ')}`, 'the ticket is empty', 'Provide it as a single line on standard input.'],
  [
    'sso ticket ann',
    'is required, but there is no terminal to prompt on',
    'Use --password-stdin or --password-file.',
  ],
  ['sso ticket a --password-stdin --password-file b', 'cannot be used together', 'Use only one of them.'],
  [
    'serve --port 99999',
    'invalid --port "99999": must be between 0 and 65535',
    'Add --help to see how it is used.',
  ],
  [
    'serve --host 0.0.0.0',
    '0.0.0.0 is not a loopback address, and TLS is not configured',
    'Listen on 127.0.0.1, use',
  ],
  [
    'serve --faults broken.json',
    'FILE is not a valid fault script, 1 error:',
    'The format of fault scripts: ',
  ],
  ['serve --tenant unknown.json', 'FILE is not a valid tenant definition, 1 error:', 'Nothing was applied.'],
  [
    'tenant check -',
    'standard input is not a valid tenant definition',
    'For a complete example: tenant-users tenant show',
  ],
  ['login --base-url foo', 'the base URL "foo" is not a valid URL', 'Example: https://id.example.com'],
  ['login --client-secret-stdin', 'the client secret is empty', 'Provide it as a single line on standard'],
  ['login --client-secret-stdin --client-secret-file x', 'cannot be used together', 'Use only one of them.'],
  [
    'login --auth-style x',
    'invalid --auth-style "x": must be one of query, form, basic',
    'Add --help to see how it is used.',
  ],
  ['explain foo', 'unknown code "foo"', 'To list all codes, run: tenant-users explain'],
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
  const isNamed = /^import-hashes (none|broken).csv$/.test(command);
  const target = isNamed ? `Target: ${world.baseUrl} (client id test-application)\n` : '';
  expect(plain).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `${target}tenant-users: ${error.message}\n${error.hint}\n`,
  });
});

test.each([
  ['status', 'name,nope', 'Available: name, value, from.'],
  ['profiles list', 'service,nope', 'Available: name, service, client_id, current, token.'],
  ['hash identify', 'sure,nope', 'Available: line, algorithm, format, accepted, sure, damage.'],
])('the columns of the table of %s are its own', async (command, columns, hint) => {
  const { run } = await startWorld();
  expect(await run(...command.split(' '), '--columns', columns)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: unknown column "nope"\n${hint}\n`,
  });
});

test('a column that is not known is told before anything is done', async () => {
  const { client, run } = await startWorld();
  expect(await run('create', '--user-name', 'ann', '--columns', 'nope')).toMatchObject({ exitCode: 2 });
  expect(await client.listUsers({ offset: 0, limit: 10 })).toMatchObject({ total: 0 });
});

test.each(['table', 'jsonl', 'csv'])('--json and -o %s cannot be used together', async (format) => {
  const world = await startWorld();
  const ended = await world.run('list', '-o', format, '--json');
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await expectErrorLine(world, ended)).toBe('USAGE');
  expect(JSON.parse(ended.stderr).error).toMatchObject({
    message: `--json and --output ${format} cannot be used together`,
    hint: 'Use only one of them.',
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
  [['list', '--limit', '5f4dcc3b5aa765d61d8327deb882cf99'], 'invalid --limit "…"'],
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
