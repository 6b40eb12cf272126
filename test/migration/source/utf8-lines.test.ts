import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { EncodingName } from '../../../src/migration/source/encodings.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const header = 'user_name,name,algorithm,hash\n';
const lineOf = (name: string, row: number) => `u${row},${name},md5,${goodHashes.md5}\n`;

/** A file in this encoding, with lines of UTF-8 at its end. */
function joined(encoding: EncodingName, names: readonly string[], others: readonly string[]): Buffer {
  const lines = names.map((name, index) => lineOf(name, index));
  const later = others.map((name, index) => lineOf(name, names.length + index));
  return Buffer.concat([
    iconv.encode([header, ...lines].join(''), encoding),
    Buffer.from(later.join('')),
    iconv.encode(lineOf(names[0] ?? '', 10_000), encoding),
  ]);
}

/** Names in each encoding, and names whose bytes in UTF-8 are other characters of it. */
const people = {
  gb18030: [['张三', '李小龙', '王明', '欧阳娜娜'], '王五', '王五娜李'],
  big5: [['王小明', '陳怡君', '林志豪'], '五马', '张萧'],
  shift_jis: [['山田太郎', '佐藤花子', '鈴木さくら'], '李李', '赵任'],
  'euc-jp': [['山田太郎', '佐藤花子', '鈴木さくら'], '平赵', '佳任'],
  'euc-kr': [['김민수', '홍길동', '이영희'], '五洋', '娜王'],
} as const;

test.each(Object.entries(people))(
  'a line in UTF-8 in a file in %s is an issue of its row, although its bytes are characters there',
  async (name, [names, ...others]) => {
    const encoding = name as keyof typeof people;
    for (const other of others) expect(iconv.decode(Buffer.from(other), encoding)).not.toContain('\ufffd');
    const content = joined(encoding, [...names, ...names], others);
    const { sent, failures } = await runImport(content, { encoding, concurrency: 1 });
    expect(sent.map((user) => user.name)).toEqual([...names, ...names, names[0]]);
    const line = 2 * names.length + 2;
    expect(failures.map((row) => [row.line, row.code, row.message])).toEqual([
      [String(line), 'ENCODING', 'name: the value is not in the encoding of the file'],
      [String(line + 1), 'ENCODING', 'name: the value is not in the encoding of the file'],
    ]);
    expect(failures[0]?.hint).toContain('iconv -f UTF-8 -t GB18030');
  },
);

test.each([
  ['shift_jis', '張'],
  ['shift_jis', 'José'],
  ['gb18030', 'José'],
  ['gb18030', 'Müller'],
  ['gb18030', 'Seán Ó Briain'],
  ['gb18030', 'Nguyễn'],
  ['gb18030', 'O’Brien'],
  ['gb18030', 'Иван'],
  ['big5', 'José'],
  ['euc-jp', 'José'],
  ['euc-kr', 'José'],
] as const)('a line in UTF-8 is found in a file in %s by one character, as in %s', async (encoding, name) => {
  expect(iconv.decode(Buffer.from(`${name},`), encoding)).not.toContain('\ufffd');
  const [names] = people[encoding];
  const content = joined(encoding, names, [name]);
  const { sent, failures } = await runImport(content, { encoding, concurrency: 1 });
  expect(sent.map((user) => user.name)).toEqual([...names, names[0]]);
  expect(failures.map(({ line, code }) => [line, code])).toEqual([[String(names.length + 2), 'ENCODING']]);
});

test.each([
  ['gb18030', ['毛莫', 'Lily 毛', 'A座', '联通', '谢小', '魏伟伟']],
  ['shift_jis', ['ﾐｷ', 'ﾅｵ ﾐｷ', 'ﾔﾏﾀﾞ ﾀﾛｳ', '渡邊ﾀﾛｳ', '邊丸', 'Tシャツ']],
  ['big5', ['Lily 陳', '卡拉OK']],
  ['euc-kr', ['황홍', 'KT홍길동']],
] as const)('a line whose bytes are in UTF-8 by chance is read as one in %s', async (encoding, names) => {
  const { sent } = await runImport(joined(encoding, [...people[encoding][0], ...names], []), {
    encoding,
    concurrency: 1,
  });
  expect(sent.map((user) => user.name).slice(people[encoding][0].length, -1)).toEqual(names);
});

test('such lines are found wherever a block of the file ends, also if the encoding was detected', async () => {
  const parts = Array.from({ length: 3000 }, (_, row) =>
    row % 20 === 0 ? Buffer.from(lineOf('王五', row)) : iconv.encode(lineOf('李小龙', row), 'gb18030'),
  );
  const content = Buffer.concat([Buffer.from(header), ...parts]);
  expect(content.length).toBeGreaterThan(2 * 65_536);
  const { summary } = await runImport(content, { dryRun: true });
  expect(summary).toMatchObject({ pending: 2850, codes: { ENCODING: 150 } });
});

test.each([
  ['gb18030', iconv.encode('张三', 'gb18030'), Buffer.from('李小龙')],
  ['windows-1252', Buffer.from('Zoë', 'latin1'), Buffer.from([0x41, 0x81])],
  ['utf-8', Buffer.from('Zoë'), Buffer.from([0x41, 0x81])],
] as const)(
  'an undecodable character at the end of a file in %s without a line end is an issue of its row',
  async (encoding, name, last) => {
    const rows = [0, 1, 2].map((at) =>
      Buffer.concat([Buffer.from(`u${at},md5,${goodHashes.md5},`), at === 2 ? last : name]),
    );
    const lines = [Buffer.from('user_name,algorithm,hash,name'), ...rows];
    const content = Buffer.concat(
      lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line])),
    );
    const { sent, failures } = await runImport(content, { encoding });
    expect(sent).toHaveLength(2);
    expect(failures.map(({ line, code }) => [line, code])).toEqual([['4', 'ENCODING']]);
  },
);

test.each([
  ['gb18030', iconv.encode('张三', 'gb18030')],
  ['utf-8', Buffer.from('张三')],
] as const)('a file in %s that ends inside a character is rejected', async (encoding, name) => {
  const head = Buffer.from(`user_name,algorithm,hash,name\nu1,md5,${goodHashes.md5},`);
  const content = Buffer.concat([head, name.subarray(0, -1)]);
  await expect(runImport(content, { encoding })).rejects.toThrow('line 2: ');
});

test('a UTF-8 file is not read as one in GB18030', async () => {
  const content = Buffer.from([header, ...['王五', '李娜'].map(lineOf)].join(''));
  await expect(runImport(content, { encoding: 'gb18030' })).rejects.toThrow(
    'line 2: the text is not GB18030',
  );
});

test('a line of any length, such as a whole JSON file, is read', async () => {
  const users = Array.from({ length: 5000 }, (_, row) => ({
    user_name: `u${row}`,
    name: '王小明'.repeat(30),
    hash: goodHashes.md5,
  }));
  const content = iconv.encode(JSON.stringify(users), 'gb18030');
  expect(content.length).toBeGreaterThan(2 ** 20);
  const { summary } = await runImport(content, { encoding: 'gb18030', algorithm: 'md5', dryRun: true });
  expect(summary).toMatchObject({ pending: 5000, invalid: 0 });
});

test('U+FDD0 in a file, which is no character, is an issue of its row', async () => {
  const content = [header, lineOf('Ann\ufdd0', 0), lineOf('Bob', 1)].join('');
  for (const options of [{}, { encoding: 'utf-8' } as const]) {
    const { sent, failures } = await runImport(content, options);
    expect(sent.map(({ name }) => name)).toEqual(['Bob']);
    expect(failures.map(({ code }) => code)).toEqual(['ENCODING']);
  }
});
