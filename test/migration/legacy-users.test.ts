import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { inDirectory, runImport } from './run-import.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const read = (name: string) => readFile(join(fixtures, name), 'utf8');
const make = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(fixtures, 'make-legacy-users.mjs'), ...args]);

const takenName = 'refused.taken-name';

/** Rows that the importer itself must reject; the service rejects the other ones. */
const expected = {
  'refused.truncated-hash': ['HASH_TRUNCATED', 'hash'],
  'refused.newline-address': ['CONTROL_CHARACTER', 'mailing_address'],
  'refused.missing-key': ['KEY_MISSING', 'key'],
  'refused.unknown-algorithm': ['ALGORITHM_UNKNOWN', 'algorithm'],
  'refused.missing-hash': ['HASH_MISSING', 'hash'],
  'refused.impossible-birthday': ['BIRTHDAY', 'attr_birthday'],
  'refused.newline-name': ['CONTROL_CHARACTER', 'name'],
  [takenName]: ['DUPLICATE_USER_NAME', 'user_name'],
  'refused.taken-email': ['DUPLICATE_EMAIL', 'email'],
  'refused.taken-mobile': ['DUPLICATE_MOBILE', 'mobile'],
  'refused.long-name': ['TOO_LONG', 'name'],
};

test('the importer rejects eleven rows of the fixture, each for another reason, with the right line', async () => {
  const text = await read('legacy-users.csv');
  const lines = text.split('\n');
  const { summary, failures, sent } = await runImport(text);
  expect(summary).toMatchObject({ rows: 1000, created: 989, invalid: 11 });
  const reasons = failures.map(({ user_name, code, message }) => [user_name, [code, message?.split(':')[0]]]);
  expect(Object.fromEntries(reasons)).toEqual(expected);
  for (const { line, user_name } of failures)
    expect(lines[Number(line) - 1]).toMatch(new RegExp(`^${user_name},`));

  const forService = sent.filter((user) => user.external_id?.startsWith('refused.'));
  expect(forService.map((user) => user.user_name)).toEqual(['refused.area-code']);
  expect(summary.by_algorithm).toMatchObject({
    md5: { created: expect.any(Number) },
    md5_sha256: { created: expect.any(Number) },
    hmacsha256_base64_key: { created: expect.any(Number) },
    bcrypt: { created: expect.any(Number) },
  });
  const hashes = sent.map((user) => user['hash-pwd']?.value ?? '');
  for (const prefix of ['$2a$', '$2b$', '$2y$']) {
    expect(hashes.some((hash) => hash.startsWith(prefix))).toBe(true);
  }
});

test('no two good rows of the fixture share a unique value', async () => {
  const { sent } = await runImport(await read('legacy-users.csv'));
  const good = sent.filter((user) => !user.external_id?.startsWith('refused.'));
  for (const key of ['user_name', 'email', 'mobile'] as const) {
    const values = good.flatMap((user) => user[key]?.toLowerCase().replace(/^\+?(86-)?/, '') ?? []);
    expect(new Set(values).size).toBe(values.length);
  }
});

test('three passwords of each algorithm are known, for users who need not change them', async () => {
  const users: Record<string, string>[] = parse(await read('legacy-users.csv'), { columns: true });
  const known: Record<string, string>[] = parse(await read('legacy-passwords.csv'), { columns: true });
  const owners = known.map(({ user_name }) => users.find((user) => user.user_name === user_name));
  const count = (algorithm: string) => owners.filter((user) => user?.algorithm === algorithm).length;
  expect(['md5', 'md5_sha256', 'bcrypt', 'hmacsha256_base64_key'].map(count)).toEqual([3, 3, 3, 3]);
  expect(owners.every((user) => user?.pwd_must_modify === 'false')).toBe(true);
  expect(known.some(({ password }) => /\p{Script=Han}/u.test(password ?? ''))).toBe(true);
});

test('the script writes the same bytes each time, and also fulfils its description at other sizes', async () => {
  await inDirectory(async (directory) => {
    await make('--output', join(directory, 'again.csv'));
    expect(await readFile(join(directory, 'again.csv'), 'utf8')).toBe(await read('legacy-users.csv'));
    expect(await readFile(join(directory, 'again-passwords.csv'), 'utf8')).toBe(
      await read('legacy-passwords.csv'),
    );

    for (const [rows, invalid] of [
      [8, 2],
      [3000, 11],
    ] as const) {
      const output = join(directory, `${rows}.csv`);
      await make('--rows', String(rows), '--output', output);
      expect((await runImport(await readFile(output))).summary).toMatchObject({ rows, invalid });
    }
  });
});
