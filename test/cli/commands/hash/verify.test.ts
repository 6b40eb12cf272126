import { createHash, createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import known from '../../../../fixtures/hash-vectors.json' with { type: 'json' };
import { hashAlgorithms } from '../../../../src/contract/attributes.ts';
import { hashMistakes } from '../../../../src/migration/hashes/mistakes.ts';
import { withoutService } from '../../../world.ts';
import { openTerminal } from '../../process/open-terminal.ts';
import { terminalTest } from '../../process/start-terminal.ts';

const [vector = expect.fail()] = known.vectors;
const digest = (name: string, text: string) => createHash(name).update(text).digest('hex');

/** A world without the address of a service, and a function that writes secrets to files. */
async function startOffline() {
  const { runWith, directory } = await withoutService();
  const file = async (name: string, content: string) => {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  };
  const verify = (args: string[], stdin?: string) =>
    runWith({ env: {}, ...(stdin === undefined ? {} : { stdin }) }, 'hash', 'verify', ...args);
  return { file, verify };
}

describe('verify exits with 0 for a password that matches', () => {
  test.each(hashAlgorithms)('%s ends with exit code 0', async (algorithm) => {
    const { file, verify } = await startOffline();
    const args = ['--algorithm', algorithm, '--hash-file', await file('hash', `${vector[algorithm]}\n`)];
    if (algorithm === 'hmacsha256_base64_key') args.push('--key-file', await file('key', known.key));
    args.push('--password-stdin');
    expect(await verify(args, `${vector.password}\n`)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `The password matches the hash (${algorithm})\n`,
    });
    expect(await verify([...args, '--json'], vector.password)).toEqual({
      exitCode: 0,
      stdout: `${JSON.stringify({ matches: true, algorithm, mistake: null })}\n`,
      stderr: '',
    });
  });
});

test('a row is read with the options of an import', async () => {
  const { file, verify } = await startOffline();
  const csv = await file('legacy.csv', `login;pwd\nann;${digest('md5', 'geheim')}\n`);
  const mapping = ['--map', 'user_name=login', '--map', 'hash=pwd', '--delimiter', ';'];
  const args = ['--csv', csv, '--by-user-name', 'ann', '--algorithm', 'md5', '--password-stdin'];
  expect(await verify([...args, ...mapping], 'geheim')).toMatchObject({
    exitCode: 0,
    stderr: 'The password matches the hash (md5)\n',
  });
  const file2 = await file('map.txt', 'user_name=login\nhash=pwd\n');
  expect((await verify([...args, '--map-file', file2, '--encoding', 'utf-8'], 'geheim')).exitCode).toBe(0);
  expect(await verify(['--map', 'hash=pwd', '--algorithm', 'md5'])).toMatchObject({ exitCode: 2 });
});

describe('verify exits with 6 for a password that does not match', () => {
  test('verify says which mistake explains the difference, and what corrects it: exit code 6', async () => {
    const { file, verify } = await startOffline();
    const key = 'sixteen1letters2';
    const value = createHmac('sha256', key).update('geheim').digest('base64');
    const args = [
      '--algorithm',
      'hmacsha256_base64_key',
      '--hash-stdin',
      '--key-file',
      await file('key', key),
    ];
    args.push('--password-file', await file('password', 'geheim\n'));
    const { message, remedy } = hashMistakes.KEY_NOT_DECODED;
    expect(await verify(args, value)).toEqual({
      exitCode: 6,
      stdout: '',
      stderr: `tenant-users: the password does not match the hash: ${message} (KEY_NOT_DECODED)\n${remedy}\n`,
    });
    const ended = await verify([...args, '--json'], value);
    expect({ ...ended, stdout: JSON.parse(ended.stdout) }).toEqual({
      exitCode: 6,
      stdout: {
        matches: false,
        algorithm: 'hmacsha256_base64_key',
        mistake: { code: 'KEY_NOT_DECODED', message, remedy },
      },
      stderr: '',
    });
  });

  test('if no known mistake explains the difference, verify says only that, with a code for explain', async () => {
    const { file, verify } = await startOffline();
    const args = ['--algorithm', 'md5', '--hash-stdin', '--password-file', await file('password', 'wrong')];
    const ended = await verify(args, digest('md5', 'geheim'));
    expect(ended).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ended.stderr).toMatch(
      /^tenant-users: the password does not match the hash\nCheck that the password and the hash belong to the same user\. No known export mistake, .*\n$/,
    );
    expect(await verify([...args, '--json'], digest('md5', 'geheim'))).toEqual({
      exitCode: 6,
      stdout: '{"matches":false,"algorithm":"md5","mistake":null}\n',
      stderr: '',
    });
  });
});

describe('verify reads a row with --csv', () => {
  const csv = [
    'user_name,algorithm,hash,key,department',
    `Ann,md5,${digest('md5', 'geheim')},,sales`,
    `bob,,${digest('md5', 'geheim')},,sales`,
    `carl,hmacsha256_base64_key,${vector.hmacsha256_base64_key},${known.key},it`,
    'dora,whirlpool,77777777,,it',
    'emil,md5,,,it',
    `ann,md5_sha256,${digest('md5', 'second')},,sales`,
    'fritz,md5',
    '',
  ].join('\r\n');

  test.each([
    [['--by-user-name', 'ann'], 'geheim', 'md5'],
    [['--row', '1'], 'geheim', 'md5'],
    [['--row', '2', '--algorithm', 'md5'], 'geheim', 'md5'],
    [['--by-user-name', 'carl'], vector.password, 'hmacsha256_base64_key'],
  ])('%j takes hash, algorithm and HMAC key from the row', async (choice, password, algorithm) => {
    const { file, verify } = await startOffline();
    const args = ['--csv', await file('a.csv', csv), ...choice, '--password-stdin', '--json'];
    const ended = await verify(args, password);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({ matches: true, algorithm, mistake: null });
  });

  test.each([
    ['md5', `{md5}${digest('md5', 'geheim')}`, 'geheim', 'md5'],
    ['', `{MD5}${digest('md5', 'geheim')}`, 'geheim', 'md5'],
    ['', `{bcrypt}${vector.bcrypt}`, vector.password, 'bcrypt'],
  ])('a wrapper that an import removes is removed: %s %s', async (named, hash, password, algorithm) => {
    const { file, verify } = await startOffline();
    const path = await file('w.csv', `user_name,algorithm,hash\nann,${named},${hash}\n`);
    const ended = await verify(['--csv', path, '--row', '1', '--password-stdin', '--json'], password);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({ matches: true, algorithm, mistake: null });
  });

  test('verify names the mistake of a row', async () => {
    const { file, verify } = await startOffline();
    const args = ['--csv', await file('a.csv', csv), '--row', '6', '--password-stdin', '--json'];
    expect(JSON.parse((await verify(args, 'second')).stdout).mistake.code).toBe('ALGORITHM_MD5');
  });

  test.each([
    [['--row', '2'], 'USAGE', 'line 3 (row 2): no algorithm given'],
    [['--row', '4'], 'USAGE', 'line 5 (row 4): the algorithm is not one that the API accepts'],
    [['--row', '5'], 'USAGE', 'line 6 (row 5): the row has no hash'],
    [['--row', '7'], 'SOURCE', 'line 8: row 7 has more or fewer cells than the header'],
    [['--row', '8'], 'USAGE', 'there is no row 8'],
    [['--by-user-name', 'nobody'], 'USAGE', 'no row has the user name "nobody"'],
    [[], 'USAGE', '--csv requires either --row or --by-user-name'],
    [['--row', '1', '--by-user-name', 'ann'], 'USAGE', '--csv requires either --row or --by-user-name'],
    [['--row', '1', '--hash-file', 'x'], 'USAGE', '--csv and --hash-file cannot be used together'],
  ])('%j is refused with exit code 2', async (choice, code, message) => {
    const { file, verify } = await startOffline();
    const path = await file('a.csv', csv);
    const { exitCode, stdout, stderr } = await verify(
      ['--csv', path, ...choice, '--password-stdin', '--json'],
      'x',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(stderr).not.toContain('7777');
  });
});

test.each([
  [['--algorithm', 'sha1'], 'must be one of md5, bcrypt, md5_sha256, hmacsha256_base64_key'],
  [['--hash-file', '/dev/null', '--hash-stdin'], '--hash-stdin and --hash-file cannot be used together'],
  [['--algorithm', 'md5', '--hash-stdin', '--password-stdin'], 'standard input can be read only once'],
  [['--algorithm', 'md5', '--hash-stdin', '--password-file', '-'], 'standard input can be read only once'],
  [['--row', '1'], '--row and --by-user-name require --csv'],
  [['--hash-stdin'], 'no algorithm given'],
  [['--algorithm', 'md5', '--hash-stdin'], 'Password is required, but there is no terminal to prompt on'],
  [['--algorithm', 'md5', '--password-stdin'], 'Hash is required, but there is no terminal to prompt on'],
  [['--algorithm', 'md5', '--hash-file', '/nowhere'], '/nowhere cannot be read'],
  [['--algorithm', 'hmacsha256_base64_key', '--hash-stdin'], 'hmacsha256_base64_key requires a key'],
])('%j is refused with exit code 2', async (args, message) => {
  const { verify } = await startOffline();
  const { exitCode, stdout, stderr } = await verify(args, 'secret0123');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret0123');
});

test('no secret is in any output, in any format', async () => {
  const { file, verify } = await startOffline();
  const planted = ['PlantedPassword', digest('md5', 'PlantedPassword\n'), 'UGxhbnRlZEtleQ=='] as const;
  const [password, value, key] = planted;
  const path = await file('a.csv', `user_name,algorithm,hash,key\nann,bcrypt,"'${value}'",${key}\n`);
  for (const format of ['table', 'json', 'jsonl', 'csv']) {
    const ended = await verify(['--csv', path, '--row', '1', '--password-stdin', '-o', format], password);
    expect(ended.exitCode).toBe(6);
    const said = ended.stdout + ended.stderr;
    expect(said).not.toBe('');
    for (const secret of planted) expect(said.toLowerCase()).not.toContain(secret.toLowerCase());
  }
});

test.each([
  [['hash', 'identify', vector.md5], 'expected a file name, but got a hash'],
  [['hash', 'identify', `"${vector.bcrypt}"`], 'expected a file name, but got a hash'],
  [
    ['hash', 'verify', '--hash-file', vector.md5, '--algorithm', 'md5'],
    'expected a file name, but got a hash',
  ],
  [['hash', 'verify', '--algorithm', vector.md5], 'invalid --algorithm "…"'],
  [['hash', 'verify', vector.md5], "too many arguments for 'verify'"],
  [['hash', 'verify', `--hash=${vector.md5}`], 'a hash is never an argument'],
  [['hash', 'verify', '--hash', vector.md5], 'a hash is never an argument'],
  [['hash', 'verify', `--hsh=${vector.md5}`], "unknown option '--hsh=…'"],
  [['hash', 'verify', "--hash-stdin=it's\na"], "unknown option '--hash-stdin=…'"],
  [['hash', vector.md5], "unknown command '…'"],
  [['login', '--client-secret=planted'], 'a secret is never an argument'],
  [['login', '--client-secrets=planted'], "unknown option '--client-secrets=…'"],
])('a secret that is given as an argument is not repeated: %#', async (args, message) => {
  const { run } = await withoutService();
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  for (const secret of [vector.md5, vector.bcrypt, 'planted', "it's"]) expect(stderr).not.toContain(secret);
});

terminalTest('verify asks for hash and password on a terminal, and shows neither', async () => {
  const value = digest('md5', 'typed by hand');
  const terminal = await openTerminal(['hash', 'verify', '--algorithm', 'md5'], { columns: 120 });
  await terminal.waitFor('Hash');
  terminal.type(`${value}\r`);
  await terminal.waitFor('Password');
  terminal.type('typed by hand\r');
  await terminal.waitFor('The password matches the hash (md5)');
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.raw()).not.toContain(value.slice(0, 6));
  expect(terminal.raw()).not.toContain('typed');
  expect(await terminal.leftovers()).toEqual([]);
});
