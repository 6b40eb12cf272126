import { expect, test } from 'vitest';
import { type FindingCode, findingTable } from '../../src/migration/finding-table.ts';
import { goodHashes } from './hashes.ts';
import { runImport } from './run-import.ts';

const columns = [
  'user_name',
  'email',
  'mobile',
  'attr_gender',
  'attr_birthday',
  'head_img',
  'pwd_must_modify',
];
const header = [...columns, 'extension.age', 'hash-pwd.algorithm', 'hash-pwd.value', 'hash-pwd.key'];
const good: Record<string, string> = {
  user_name: 'ann',
  'hash-pwd.algorithm': 'md5',
  'hash-pwd.value': goodHashes.md5,
};

/** A file of one row: the good one, but for these cells. */
function fileOf(cells: Record<string, string>): string {
  const values = header.map((name) => `"${{ ...good, ...cells }[name] ?? ''}"`);
  return `${header.join(',')}\n${values.join(',')}\n`;
}

const hash = (algorithm: string, value: string, key = '') => ({
  'hash-pwd.algorithm': algorithm,
  'hash-pwd.value': value,
  'hash-pwd.key': key,
});
const bcryptTail = goodHashes.bcrypt.slice(4);

const faults: [string, FindingCode, Record<string, string>][] = [
  ['user_name', 'CONTROL_CHARACTER', { user_name: 'a\nb' }],
  ['extension.age', 'CONTROL_CHARACTER', { 'extension.age': '3\u0085' }],
  ['hash-pwd.key', 'CONTROL_CHARACTER', hash('hmacsha256_base64_key', goodHashes.md5_sha256, 'k\r\n')],
  ['email', 'EMAIL', { email: 'ann.example.com' }],
  ['mobile', 'MOBILE_SCIENTIFIC', { mobile: '1.38E+10' }],
  ['mobile', 'MOBILE_SCIENTIFIC', { mobile: '1,38e10' }],
  ['attr_gender', 'GENDER', { attr_gender: 'unknown' }],
  ['attr_birthday', 'BIRTHDAY', { attr_birthday: '2023-02-29' }],
  ['attr_birthday', 'BIRTHDAY', { attr_birthday: '1.2.2003' }],
  ['head_img', 'IMAGE', { head_img: 'ftp://example.com/a.png' }],
  ['head_img', 'IMAGE', { head_img: 'data:text/plain;base64,AA' }],
  ['pwd_must_modify', 'MUST_MODIFY', { pwd_must_modify: 'TRUE' }],
  ['hash-pwd.algorithm', 'ALGORITHM_MISSING', hash('', goodHashes.md5)],
  ['hash-pwd.algorithm', 'ALGORITHM_MISSING', hash('', '')],
  ['hash-pwd.algorithm', 'ALGORITHM_UNKNOWN', hash('MD5', goodHashes.md5)],
  ['hash-pwd.algorithm', 'ALGORITHM_UNKNOWN', hash('toString', goodHashes.md5)],
  ['hash-pwd.value', 'HASH_MISSING', hash('md5', '')],
  ['hash-pwd.key', 'KEY_MISSING', hash('hmacsha256_base64_key', goodHashes.hmacsha256_base64_key)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('md5', goodHashes.md5.slice(1))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('md5', ` ${goodHashes.md5}`)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('md5_sha256', goodHashes.md5)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('hmacsha256_base64_key', goodHashes.md5, 'key')],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', goodHashes.bcrypt.slice(0, -1))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', `$2x$${bcryptTail}`)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', goodHashes.bcrypt.replace('$10$', '$03$'))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', goodHashes.bcrypt.replace('$10$', '$32$'))],
];

test.each(faults)('%s with %s: %j', async (column, code, cells) => {
  const { failures, sent, summary } = await runImport(fileOf(cells));
  const { message, remedy } = findingTable[code];
  expect(sent).toEqual([]);
  expect(failures).toMatchObject([{ row: '1', line: '2', code }]);
  expect(failures[0]?.message).toContain(`${column}: ${message}`);
  expect(failures[0]?.hint).toContain(remedy);
  expect(summary).toMatchObject({ invalid: 1, codes: { [code]: 1 } });
});

const wholeRows: [FindingCode, string][] = [
  ['CELLS', `ann,md5,${goodHashes.md5},extra`],
  ['CELLS', `md5,${goodHashes.md5}`],
  ['HEADER_REPEATED', 'user_name,algorithm,hash'],
  ['ROW_EMPTY', ',,'],
  ['ROW_EMPTY', '"",'.repeat(3).slice(0, -1)],
];

test.each(wholeRows)('%s: %s', async (code, line) => {
  const content = `user_name,algorithm,hash\n${line}\nbob,md5,${goodHashes.md5}\n`;
  const { failures, sent } = await runImport(content, { allowPasswordless: true });
  const { message, remedy: hint } = findingTable[code];
  expect(failures).toMatchObject([{ row: '1', line: '2', user_name: '', code, message, hint }]);
  expect(sent.map((user) => user.user_name)).toEqual(['bob']);
});

test('every finding has been provoked; what is left befalls rows that were sent', () => {
  const provoked = new Set<string>([...faults.map(([, code]) => code), ...wholeRows.map(([code]) => code)]);
  const left = Object.keys(findingTable).filter((code) => !provoked.has(code));
  expect(left).toEqual(['CONFLICT', 'NETWORK', 'NO_ANSWER', 'UNEXPECTED']);
});

test('all faults of a row are told in one line of the report, whose code is the first one', async () => {
  const { failures, summary } = await runImport(fileOf({ email: 'x', attr_gender: 'm', ...hash('', '') }));
  expect(failures).toHaveLength(1);
  expect(failures[0]?.message).toBe(
    [
      `email: ${findingTable.EMAIL.message}`,
      `attr_gender: ${findingTable.GENDER.message}`,
      `hash-pwd.algorithm: ${findingTable.ALGORITHM_MISSING.message}`,
      `hash-pwd.value: ${findingTable.HASH_MISSING.message}`,
    ].join('; '),
  );
  expect(summary.codes).toEqual({ EMAIL: 1 });
});
