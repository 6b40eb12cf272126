import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const header = ['user_name', 'name', 'email', 'extension.note', 'algorithm', 'hash'] as const;

function importing(cells: Partial<Record<(typeof header)[number], string>>, accept: 'ESCAPED'[] = []) {
  const row = { user_name: 'ann', algorithm: 'md5', hash: goodHashes.md5, ...cells };
  return runImport(stringify([header, header.map((name) => row[name as keyof typeof row] ?? '')]), {
    accept,
  });
}

test.each([
  { name: 'Siobh&#225;n' },
  { name: "O\\'Brien" },
  { name: 'Jos\\u00e9' },
  { name: '\\u5f20\\u4e09' },
  { name: 'M%C3%BCller' },
  { user_name: 'ann%40example.com' },
  { user_name: 'CORP\\\\ann' },
  { 'extension.note': 'a&nbsp;b' },
  { user_name: "'ann" },
  { email: "'ann@example.com" },
  { name: "'@ann" },
  { 'extension.note': "'-street 7" },
  { 'extension.note': "'＝1" },
])('%j is reported as escaped, and sent if the warning is accepted', async (cells) => {
  expect((await importing(cells)).failures).toMatchObject([{ code: 'ESCAPED' }]);
  expect((await importing(cells, ['ESCAPED'])).sent).toMatchObject([
    'extension.note' in cells ? { extension: { note: cells['extension.note'] } } : cells,
  ]);
});

test.each([
  { 'extension.note': 'https://example.com/?q=%E5%BC%A0&amp;b=1' },
  { 'extension.note': '\\\\fs01\\home\\ann', name: 'Tom & Jerry; 100 %' },
  { user_name: 'CORP\\u123456', name: 'R&D; Sales' },
  { user_name: "o'brien", name: "'t Hooft", email: "o'brien@example.com" },
])('%j is not reported as escaped', async (cells) => {
  expect(await importing(cells)).toMatchObject({ failures: [], sent: [{}] });
});

test.each(['mailto:ann@b', 'SMTP:ann@b', 'ann@b;', 'ann@b,', '(ann)@b'])(
  '%j is not an e-mail address',
  async (email) => {
    expect((await importing({ email })).failures).toMatchObject([{ code: 'EMAIL' }]);
  },
);

test('half of a surrogate pair is reported as a lost character', async () => {
  const { failures } = await runImport(
    `{"user_name":"ann","name":"Ann \\ud83d","algorithm":"md5","hash":"${goodHashes.md5}"}`,
  );
  expect(failures).toMatchObject([{ code: 'CHARACTERS_LOST' }]);
});
