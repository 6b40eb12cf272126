import { expect, test } from 'vitest';
import { type IssueCode, issueTable, type WarningCode } from '../../../src/migration/rows/issues/issues.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { faults, fileOf, hash } from './faults.ts';

test.each(faults)('%s with %s: %j', async (column, code, cells) => {
  const { failures, sent, summary } = await runImport(fileOf(cells));
  const { message, remedy } = issueTable[code];
  expect(sent).toEqual([]);
  expect(failures).toMatchObject([{ row: '1', line: '2', code }]);
  expect(failures[0]?.message).toContain(`${column}: ${message}`);
  expect(failures[0]?.hint).toContain(remedy);
  expect(summary).toMatchObject({ invalid: 1, codes: { [code]: 1 } });
});

/** These can be accepted for addresses and other texts alone, as their remedies say. */
const ofTexts = new Set<IssueCode>(['CONTROL_CHARACTER', 'OUTER_BLANK']);
const isAcceptable = (code: IssueCode): code is WarningCode =>
  issueTable[code].isWarning && !ofTexts.has(code);
const acceptable = faults.flatMap(([column, code, cells]) =>
  isAcceptable(code) ? [[column, code, cells] as const] : [],
);

test.each(acceptable)('%s with %s that is accepted has no such issue: %j', async (_, code, cells) => {
  const { summary } = await runImport(fileOf(cells), { accept: [code] });
  expect(summary.codes).not.toHaveProperty(code);
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
  const testedWithRecipes = [
    ...['VALUE_UNKNOWN', 'PHONE_UNREADABLE', 'DATE_UNREADABLE'],
    ...['NUMBER_ROUNDED', 'REPLACED_TOO_LONG'],
  ];
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
