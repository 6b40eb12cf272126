import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environmentFor, startWorld, type TestWorld } from '../../../world.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const hmac = '32FYdvw5N5gSPC91hQoM2VjxzBHaASWz6+8aXVYZzOw=';

/** Imports a file of this content with a new job directory. */
async function importing(world: TestWorld, content: string | Uint8Array, args: string[], stdin?: string) {
  const file = join(world.directory, 'foreign.csv');
  const job = join(world.directory, 'job');
  await writeFile(file, content);
  const command = ['import-hashes', file, '--job', job, ...args];
  const env = environmentFor(world.baseUrl);
  const ended = await world.runWith(stdin === undefined ? { env } : { env, stdin }, ...command);
  return { file, job, ...ended };
}

test('an import says how it reads the file, and reads a foreign header with a column mapping', async () => {
  const world = await startWorld();
  const content = `sep=;\nLogin;Passwort\nann;${md5}\n`;
  const args = ['--map', 'user_name=Login', '--map', 'hash=Passwort', '--algorithm', 'md5'];
  const { exitCode, stderr, file } = await importing(world, content, [...args, '--set', 'industry=IT']);
  expect(stderr).toContain(
    `${file}: utf-8, semicolon, 1 row; columns used: Login (as user_name), Passwort (as value)\n`,
  );
  expect(exitCode).toBe(0);
  expect(await world.client.getUserByUserName('ann')).toMatchObject({ industry: 'IT' });
});

test.each([
  ['JSON', '{"user_name": "Login", "hash": "Passwort"}'],
  ['lines', '# ours\nuser_name=Login\r\nhash=Passwort\n'],
])('an import reads the column mapping from a file of %s', async (_, text) => {
  const world = await startWorld();
  const mapping = join(world.directory, 'map');
  await writeFile(mapping, text);
  const content = `Login,Passwort\nann,${md5}\n`;
  const { exitCode, stdout } = await importing(world, content, [
    '--map-file',
    mapping,
    '--algorithm',
    'md5',
    '--json',
  ]);
  expect({ exitCode, created: JSON.parse(stdout).created }).toEqual({ exitCode: 0, created: 1 });
});

test.each([
  [
    '{"user_name": 5, "hash": "A", "hash": "B"}',
    ['hash: is given twice (line 1, column 31)', 'user_name: must be a column name in quotes, not 5'],
  ],
  ['{"user_name": Login}', ['line 1, column 15: expected JSON']],
])('an import reports everything that is wrong with the mapping %s', async (text, lines) => {
  const world = await startWorld();
  const mapping = join(world.directory, 'map');
  await writeFile(mapping, text);
  const { exitCode, stdout, stderr } = await importing(world, 'Login\nann\n', ['--map-file', mapping]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  const count = lines.length === 1 ? '1 error' : `${lines.length} errors`;
  expect(stderr).toBe(
    [
      `tenant-users: ${mapping} is not a valid mapping, ${count}:`,
      ...lines.map((line) => `  ${line}`),
      'Write {"user_name": "Login"} or lines of FIELD=COLUMN.\n',
    ].join('\n'),
  );
});

test('an import reads the HMAC key from standard input, and writes it nowhere', async () => {
  const world = await startWorld();
  const key = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
  const content = `user_name,algorithm,hash\nann,hmacsha256_base64_key,${hmac}\n`;
  const { exitCode, stdout, stderr, job } = await importing(world, content, ['--key-stdin'], `${key}\n`);
  expect(exitCode).toBe(0);
  const texts = await Promise.all((await readdir(job)).map((name) => readFile(join(job, name), 'latin1')));
  for (const text of [stdout, stderr, ...texts]) expect(text).not.toContain(key);
});

test.each<[string, string[], string]>([
  ['an unknown encoding', ['--encoding', 'ebcdic'], 'must be one of utf-8, utf-16le'],
  ['an unknown delimiter', ['--delimiter', '!'], 'must be , ; | or tab'],
  ['an unknown algorithm', ['--algorithm', 'sha1'], 'must be one of md5, bcrypt'],
  ['what is no doubt', ['--accept', 'HASH_SHAPE'], 'must be one of CHARACTERS_LOST'],
  ['a mapping without a field', ['--map', '=Login'], 'must be FIELD=COLUMN'],
  ['two keys', ['--key-stdin', '--key-file', 'x'], '--key-stdin and --key-file cannot be used together'],
  [
    'standard input for two',
    ['--key-stdin', '--canary', '-'],
    'standard input can be read only once, but was given for two options',
  ],
  [
    'standard input for a recipe and more',
    ['--recipe', '-', '--key-stdin'],
    'standard input can be read only once, but was given for two options',
  ],
  [
    'a new beginning of what failed',
    ['--only', 'failed', '--restart'],
    '--only and --restart cannot be used together',
  ],
  ['a mapping to nowhere', ['--map', 'login=Login'], '--map: unknown field "login"'],
  ['another encoding than the file has', ['--encoding', 'utf-16be'], 'no column has a known name'],
])('an import refuses %s', async (_, args, reason) => {
  const world = await startWorld();
  const { exitCode, stdout, stderr } = await importing(
    world,
    `user_name,algorithm,hash\nann,md5,${md5}\n`,
    args,
    'key\n',
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
});

test('an import resumes only with the same mapping', async () => {
  const world = await startWorld();
  const content = `user_name,algorithm,hash\nann,md5,${md5}\n`;
  expect((await importing(world, content, [])).exitCode).toBe(0);
  const { exitCode } = await importing(world, content, ['--set', 'industry=IT']);
  expect(exitCode).toBe(3);
});
