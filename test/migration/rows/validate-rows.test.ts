import { expect, test } from 'vitest';
import { type IssueCode, issueTable } from '../../../src/migration/rows/issues.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const columns = [
  'user_name',
  'email',
  'mobile',
  'attr_gender',
  'attr_birthday',
  'head_img',
  'pwd_must_modify',
  'name',
  'mailing_address',
  'zip_code',
  'external_id',
];
const header = [...columns, 'extension.age', 'hash-pwd.algorithm', 'hash-pwd.value', 'hash-pwd.key'];
const good: Record<string, string> = {
  user_name: 'ann',
  'hash-pwd.algorithm': 'md5',
  'hash-pwd.value': goodHashes.md5,
};

/** A file of one good row, in which these cells are replaced. */
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

const faults: [string, IssueCode, Record<string, string>][] = [
  ['user_name', 'CONTROL_CHARACTER', { user_name: 'a\nb' }],
  ['extension.age', 'CONTROL_CHARACTER', { 'extension.age': '3\u0085' }],
  ['hash-pwd.key', 'CONTROL_CHARACTER', hash('hmacsha256_base64_key', goodHashes.md5_sha256, 'k\r\n')],
  ['email', 'EMAIL', { email: 'ann.example.com' }],
  ['email', 'EMAIL', { email: 'ann@b c' }],
  ['email', 'OUTER_BLANK', { email: 'ann@b ' }],
  ['email', 'TYPOGRAPHIC', { email: 'o’brien@b' }],
  ['email', 'TOO_LONG', { email: `${'a'.repeat(253)}@b` }],
  ['user_name', 'OUTER_BLANK', { user_name: ' ann' }],
  ['user_name', 'TYPOGRAPHIC', { user_name: 'ann\u00a0lee' }],
  ['user_name', 'USER_NAME', { user_name: 'ann lee' }],
  ['user_name', 'TOO_LONG', { user_name: '𠮷'.repeat(101) }],
  ['user_name', 'BYTE_ORDER_MARK', { user_name: '\ufeffann' }],
  ['hash-pwd.key', 'BYTE_ORDER_MARK', hash('hmacsha256_base64_key', goodHashes.md5_sha256, '\ufeffk')],
  ['email', 'EMAIL', { email: '<ann@b>' }],
  ['name', 'ESCAPED', { name: 'Tom &amp; Jerry' }],
  ['extension.age', 'FORMULA', { 'extension.age': '=A1+1' }],
  ['extension.age', 'FORMULA', { 'extension.age': '@SUM(A1)' }],
  ['extension.age', 'FORMULA', { 'extension.age': '+A1' }],
  ['extension.age', 'FORMULA', { 'extension.age': '#REF!' }],
  ['extension.age', 'MOJIBAKE', { 'extension.age': 'MÃ¼ller' }],
  ['extension.age', 'MOJIBAKE', { 'extension.age': 'å¼\u00a0ä¸‰' }],
  ['extension.age', 'CHARACTERS_LOST', { 'extension.age': 'M\ufffdller' }],
  ['extension.age', 'CHARACTERS_LOST', { 'extension.age': '??' }],
  ['user_name', 'SCIENTIFIC', { user_name: '6.22202E+18' }],
  ['external_id', 'SCIENTIFIC', { external_id: '6.22202100112346E+018' }],
  ['external_id', 'SCIENTIFIC', { external_id: '1e+21' }],
  ['external_id', 'WHOLE_DECIMAL', { external_id: '1234.0' }],
  ['zip_code', 'WHOLE_DECIMAL', { zip_code: '1000.0' }],
  ['zip_code', 'SCIENTIFIC', { zip_code: '1,0E+5' }],
  ['extension.age', 'SCIENTIFIC', { 'extension.age': '-1.5e12' }],
  ['external_id', 'NULL_MARKER', { external_id: 'NULL' }],
  ['name', 'NULL_MARKER', { name: '\\N' }],
  ['extension.age', 'NULL_MARKER', { 'extension.age': '(null)' }],
  ['email', 'NULL_MARKER', { email: 'None' }],
  ['mobile', 'NULL_MARKER', { mobile: 'undefined' }],
  ['attr_gender', 'NULL_MARKER', { attr_gender: 'N/A' }],
  ['hash-pwd.value', 'NULL_MARKER', hash('md5', 'NULL')],
  ['hash-pwd.algorithm', 'NULL_MARKER', hash('NULL', goodHashes.md5)],
  ['hash-pwd.key', 'KEY_MISSING', hash('hmacsha256_base64_key', goodHashes.md5_sha256, 'NULL')],
  ['hash-pwd.key', 'KEY_FORM', hash('hmacsha256_base64_key', goodHashes.md5_sha256, 'a0'.repeat(16))],
  ['name', 'FORMULA', { name: 'Err:502' }],
  ['external_id', 'FORMULA', { external_id: '#N/A' }],
  ['external_id', 'OUTER_BLANK', { external_id: 'E1 ' }],
  ['name', 'OUTER_BLANK', { name: 'Cy ' }],
  ['zip_code', 'OUTER_BLANK', { zip_code: ' 01000' }],
  ['name', 'CHARACTERS_LOST', { name: '?' }],
  ['name', 'CHARACTERS_LOST', { name: 'Mu?oz' }],
  ['name', 'CHARACTERS_LOST', { name: '?? Li' }],
  ['user_name', 'CHARACTERS_LOST', { user_name: 'jos??' }],
  ['external_id', 'CHARACTERS_LOST', { external_id: 'm?ller' }],
  ['mailing_address', 'CHARACTERS_LOST', { mailing_address: '? ? 12' }],
  ['mailing_address', 'CHARACTERS_LOST', { mailing_address: 'Hauptstra?e 1' }],
  ['mobile', 'MOBILE', { mobile: '+86 138 0000 0000' }],
  ['mobile', 'MOBILE_DECIMAL', { mobile: '13800000000.0' }],
  ['mobile', 'OUTER_BLANK', { mobile: '13800000000 ' }],
  ['mobile', 'FORMULA', { mobile: '=13800000000' }],
  ['mobile', 'MOBILE_SCIENTIFIC', { mobile: '1.38E+10' }],
  ['mobile', 'MOBILE_SCIENTIFIC', { mobile: '1,38e10' }],
  ['attr_gender', 'GENDER', { attr_gender: 'unknown' }],
  ['attr_birthday', 'BIRTHDAY', { attr_birthday: '2023-02-29' }],
  ['attr_birthday', 'BIRTHDAY', { attr_birthday: '1.2.2003' }],
  ['head_img', 'IMAGE', { head_img: 'ftp://example.com/a.png' }],
  ['head_img', 'IMAGE', { head_img: 'data:text/plain;base64,AA' }],
  ['pwd_must_modify', 'MUST_MODIFY', { pwd_must_modify: 'TRUE' }],
  ['hash-pwd.algorithm', 'ALGORITHM_MISSING', hash('', goodHashes.md5)],
  ['hash-pwd.value', 'PASSWORD_MISSING', hash('', '')],
  ['hash-pwd.algorithm', 'ALGORITHM_UNKNOWN', hash('BLOWFISH', goodHashes.bcrypt)],
  ['hash-pwd.algorithm', 'ALGORITHM_UNKNOWN', hash('toString', goodHashes.md5)],
  ['hash-pwd.value', 'HASH_MISSING', hash('md5', '')],
  ['hash-pwd.key', 'KEY_MISSING', hash('hmacsha256_base64_key', goodHashes.hmacsha256_base64_key)],
  ['hash-pwd.value', 'HASH_TRUNCATED', hash('md5', goodHashes.md5.slice(1))],
  ['hash-pwd.value', 'HASH_TRUNCATED', hash('md5_sha256', goodHashes.md5_sha256.slice(0, 50))],
  ['hash-pwd.value', 'HASH_TRUNCATED', hash('bcrypt', goodHashes.bcrypt.slice(0, 50))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('md5', goodHashes.md5.slice(0, 12))],
  ['hash-pwd.value', 'OUTER_BLANK', hash('md5', ` ${goodHashes.md5}`)],
  ['hash-pwd.value', 'TYPOGRAPHIC', hash('md5', `${goodHashes.md5}\u00a0`)],
  ['hash-pwd.algorithm', 'OUTER_BLANK', hash('md5 ', goodHashes.md5)],
  ['hash-pwd.algorithm', 'TYPOGRAPHIC', hash('md5\u200b', goodHashes.md5)],
  ['hash-pwd.key', 'TYPOGRAPHIC', hash('hmacsha256_base64_key', goodHashes.md5_sha256, '“key”')],
  ['hash-pwd.value', 'HASH_FOREIGN', hash('', '{SSHA}c2FsdHNhbHRzYWx0c2FsdHNhbHQ=')],
  ['hash-pwd.value', 'HASH_LOCKED', hash('', '{SSHA}!c2FsdHNhbHQ=')],
  ['hash-pwd.value', 'HASH_FOREIGN', hash('bcrypt', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA')],
  ['hash-pwd.value', 'HASH_TRUNCATED', hash('bcrypt', goodHashes.bcrypt.slice(0, 20))],
  ['hash-pwd.value', 'WRAPPER', hash('bcrypt', `{SSHA}${goodHashes.md5}`)],
  ['hash-pwd.value', 'WRAPPER', hash('md5', `{my secret}${goodHashes.md5}`.replace(' ', '-'))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('md5_sha256', goodHashes.md5)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('hmacsha256_base64_key', goodHashes.md5, 'key')],
  ['hash-pwd.value', 'HASH_COST', hash('bcrypt', goodHashes.bcrypt.replace('$10$', '$17$'))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', `${goodHashes.bcrypt}x`)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', `$2x$${bcryptTail}`)],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', goodHashes.bcrypt.replace('$10$', '$03$'))],
  ['hash-pwd.value', 'HASH_SHAPE', hash('bcrypt', goodHashes.bcrypt.replace('$10$', '$32$'))],
];

test.each(faults)('%s with %s: %j', async (column, code, cells) => {
  const { failures, sent, summary } = await runImport(fileOf(cells));
  const { message, remedy } = issueTable[code];
  expect(sent).toEqual([]);
  expect(failures).toMatchObject([{ row: '1', line: '2', code }]);
  expect(failures[0]?.message).toContain(`${column}: ${message}`);
  expect(failures[0]?.hint).toContain(remedy);
  expect(summary).toMatchObject({ invalid: 1, codes: { [code]: 1 } });
});

const wholeRows: [IssueCode, string][] = [
  ['CELLS', `ann,md5,${goodHashes.md5},extra`],
  ['CELLS', `md5,${goodHashes.md5}`],
  ['HEADER_REPEATED', 'user_name,algorithm,hash'],
  ['HEADER_REPEATED', '\ufeffuser_name,algorithm,hash'],
  ['ROW_EMPTY', ',,'],
  ['ROW_EMPTY', '"",'.repeat(3).slice(0, -1)],
];

test.each(wholeRows)('%s: %s', async (code, line) => {
  const content = `user_name,algorithm,hash\n${line}\nbob,md5,${goodHashes.md5}\n`;
  const { failures, sent } = await runImport(content, { allowPasswordless: true });
  const { message, remedy: hint } = issueTable[code];
  expect(failures).toMatchObject([{ row: '1', line: '2', user_name: '', code, message, hint }]);
  expect(sent.map((user) => user.user_name)).toEqual(['bob']);
});

/** See `damaged-files.test.ts`, `duplicate-rows.test.ts` and `changed-keys.test.ts`. */
const elsewhere = [
  'CELL_TOO_LARGE',
  'ENCODING',
  'DUPLICATE_USER_NAME',
  'DUPLICATE_EMAIL',
  'DUPLICATE_MOBILE',
  'DUPLICATE_EXTERNAL_ID',
  'LEADING_ZEROS',
  'KEY_CHANGED',
];

test('every issue occurs in a test, and the remaining codes are outcomes of rows that were sent', () => {
  const provoked = new Set<string>([
    ...elsewhere,
    ...faults.map(([, code]) => code),
    ...wholeRows.map(([code]) => code),
  ]);
  const left = Object.keys(issueTable).filter((code) => !provoked.has(code));
  const testedWithRecipes = ['VALUE_UNKNOWN', 'PHONE_UNREADABLE', 'DATE_UNREADABLE', 'NUMBER_ROUNDED'];
  const sent = ['CONFLICT', 'NOT_DISABLED', 'NOT_REACHED', 'NO_ANSWER', 'DEFECT'];
  expect(left).toEqual([...testedWithRecipes, ...sent]);
});

test('all issues of a row are in one line of the report, whose code is that of the first one', async () => {
  const { failures, summary } = await runImport(fileOf({ email: 'x', attr_gender: 'm', ...hash('', '') }));
  expect(failures).toHaveLength(1);
  expect(failures[0]?.message).toBe(
    [
      `email: ${issueTable.EMAIL.message}`,
      `attr_gender: ${issueTable.GENDER.message}`,
      `hash-pwd.value: ${issueTable.PASSWORD_MISSING.message}`,
    ].join('; '),
  );
  expect(summary.codes).toEqual({ EMAIL: 1 });
});

const innocent: Record<string, string>[] = [
  { 'extension.age': '+1 234-5' },
  { 'extension.age': 'Écoles «CAFÉ»' },
  { 'extension.age': '#1' },
  { 'extension.age': 'Ça va? Où? ÀÉ' },
  { 'extension.age': 'https://example.com/a?b=1' },
  { 'extension.age': 'really?', mailing_address: 'Why not? Road 1' },
  { user_name: '12e5', external_id: '1234567e-1486', zip_code: '01000' },
  { user_name: 'null@example.com', name: 'Ann Null', external_id: 'None-1' },
  { name: 'Null', mailing_address: 'N/A Street' },
  hash('md5', goodHashes.md5, 'NULL'),
  { 'extension.age': '“quoted” – 张三' },
  { user_name: '张三', email: 'a@b', mobile: '+852-91234567' },
  { user_name: '𠮷'.repeat(100) },
  hash('hmacsha256_base64_key', goodHashes.hmacsha256_base64_key, '+=@ key '),
];

test.each(innocent)('%j is not an issue', async (cells) => {
  const { failures, sent } = await runImport(fileOf(cells));
  expect({ failures, sent: sent.length }).toEqual({ failures: [], sent: 1 });
});

test('a warning that is accepted lets the row pass, and hides no error behind it', async () => {
  const formula = fileOf({ 'extension.age': '=1', user_name: 'a b' });
  const accepted = await runImport(formula, { accept: ['FORMULA', 'USER_NAME'] });
  expect(accepted.sent).toMatchObject([{ user_name: 'a b', extension: { age: '=1' } }]);
  const cut = await runImport(fileOf(hash('md5', `${goodHashes.md5}\u00ad`)), { accept: ['TYPOGRAPHIC'] });
  expect(cut.summary.codes).toEqual({ HASH_SHAPE: 1 });
});

test('line breaks and tabs of a name or a text can be accepted, but no other invisible character', async () => {
  const accept = ['CONTROL_CHARACTER'] as const;
  const address = { mailing_address: 'Road 1\n\tTown', name: 'Ann\r\nLee' };
  expect((await runImport(fileOf(address), { accept })).sent).toMatchObject([address]);
  for (const cells of [{ mailing_address: 'a\u001b[1m' }, { user_name: 'a\nb' }, { external_id: 'a\tb' }]) {
    const { sent, summary } = await runImport(fileOf(cells), { accept });
    expect({ sent, codes: summary.codes }).toEqual({ sent: [], codes: { CONTROL_CHARACTER: 1 } });
  }
});

test('the message says how much of a hash is left, and which scheme precedes it, but contains no part of either', async () => {
  const half = goodHashes.bcrypt.slice(0, 50);
  const cut = await runImport(fileOf(hash('bcrypt', half)));
  expect(cut.failures[0]?.message).toBe('hash-pwd.value: the hash is cut short (50 of 60 characters)');
  const inferred = await runImport(`user_name,hash\nann,${half}\n`, { algorithm: 'infer' });
  const message = 'hash: the hash is cut short (50 of 60 characters)';
  expect(inferred.failures).toMatchObject([{ code: 'HASH_TRUNCATED', message }]);
  const named = await runImport(fileOf(hash('bcrypt', '{noop}hunter2')));
  expect(named.failures[0]?.message).toContain('({noop})');
  const unnamed = await runImport(fileOf(hash('bcrypt', '{hunter2}')));
  expect(unnamed.written).not.toContain('hunter2');
});
