import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { warningCodes } from '../../../src/migration/rows/issues/issues.ts';
import { encodingNamed, encodings } from '../../../src/migration/source/encodings.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { eastern, western } from './european-names.ts';

const header = 'user_name,name,algorithm,hash';
const rowOf = (name: string, row: number) => `u${row},${name},md5,${goodHashes.md5}`;
const fileOf = (names: readonly string[]) => `${[header, ...names.map(rowOf)].join('\n')}\n`;

const names = {
  big5: ['王小明', '陳怡君'],
  shift_jis: ['山田太郎', 'ﾔﾏﾀﾞ'],
  'euc-jp': ['山田太郎'],
  'euc-kr': ['김민수', '홍길동'],
  'windows-1250': ['Łukasz Żak'],
  'windows-1251': ['Иван Петров'],
  'iso-8859-15': ['Œuvre €'],
  'koi8-r': ['Иван'],
} as const;

test.each(Object.entries(names))('a file in %s is read if the encoding is given', async (encoding, list) => {
  const known = encodingNamed(encoding.toUpperCase());
  expect(known).toBe(encoding);
  if (!known) return;
  const { sent } = await runImport(iconv.encode(fileOf(list), encoding), { encoding: known, concurrency: 1 });
  expect(sent.map((user) => user.name)).toEqual(list);
});

test('each encoding has a reader, and a name that every object has is not an encoding', () => {
  for (const encoding of Object.values(encodings)) {
    if ('iconv' in encoding) expect(iconv.encodingExists(encoding.iconv)).toBe(true);
  }
  expect(encodingNamed('constructor')).toBeUndefined();
  expect(encodingNamed('CP950')).toBe('big5');
  const wide = ['utf-16', 'UTF16', 'ucs-2', 'UCS-2LE', 'unicode'].map(encodingNamed);
  expect(new Set(wide)).toEqual(new Set(['utf-16le']));
});

test.each([
  ['utf-16le', 'utf-16be', '\ufeff'],
  ['utf-16be', 'utf-16le', '\ufeff'],
  ['utf-16le', 'utf-16be', ''],
  ['utf-16le', 'utf-16le', ''],
  ['gb18030', 'utf-8', '\ufeff'],
] as const)(
  'with --encoding %s a file in %s is read by its byte order mark, or by its zero bytes',
  async (encoding, is, mark) => {
    const bytes = iconv.encode(`${mark}${fileOf(['王小明'])}`, is, { addBOM: false });
    const { sent } = await runImport(bytes, { encoding });
    expect(sent.map((user) => user.name)).toEqual(['王小明']);
  },
);

/** Syllables and characters of names, roughly in the order of their frequency. */
const foreign = {
  'euc-kr': '김이박최정강조윤장임한오서신권황안송전홍민수지영현준우하은성',
  big5: '陳林黃張李王吳劉蔡楊許鄭謝洪郭邱曾廖賴徐怡君志明淑芬家豪雅婷',
  'euc-jp': '佐藤鈴木高橋田中伊渡辺山本村小林加吉太郎花子さくらタロウ',
  shift_jis: '佐藤鈴木高橋田中伊渡辺山本村小林加吉太郎花子さくらタロウ',
} as const;

test.each(Object.entries(foreign))(
  'text in %s is never read as Chinese or Western text',
  async (encoding, letters) => {
    const name = fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 30 }), async (list) => {
        const bytes = iconv.encode(fileOf(list), encoding);
        // By chance a few syllables are also valid UTF-8, such as 황홍 in EUC-KR, and then it cannot be decided.
        fc.pre(!isUtf8(bytes));
        const { message } = await runImport(bytes).then(
          ({ sent }) => ({ message: sent.map((user) => user.name).join() }),
          (failure: Error) => failure,
        );
        expect(message).toMatch(/line \d+: the text is not UTF-8/);
      }),
      { numRuns: 60 },
    );
  },
);

test('addresses in GB18030 are recognised, though many of their characters are not the frequent ones', async () => {
  const cities = ['北京市海淀区中关村大街', '上海市浦东新区世纪大道', '广东省深圳市南山区科技园南路'];
  const others = ['湖北省武汉市洪山区学府路', '四川省成都市高新区天府大道北段', '福建省厦门市思明区湖滨南路'];
  const rows = [...cities, ...others].map((city, index) => `u${index},${city},md5,${goodHashes.md5}\n`);
  const bytes = iconv.encode(`user_name,mailing_address,algorithm,hash\n${rows.join('')}`, 'gb18030');
  const { sent } = await runImport(bytes, { concurrency: 1 });
  expect(sent.map((user) => user.mailing_address)).toEqual([...cities, ...others]);
});

test.each(Object.entries(western))('%s names in Windows-1252 are read', async (_, list) => {
  const bytes = iconv.encode(fileOf(list.split(',')), 'windows-1252');
  const { sent } = await runImport(bytes, { concurrency: 1 });
  expect(sent.map((user) => user.name)).toEqual(list.split(','));
  const onSource = ({ mayBeEastern }: { mayBeEastern: boolean }) => expect(mayBeEastern).toBe(false);
  await runImport(bytes, { encoding: 'windows-1252', onSource });
});

test.each(Object.entries(eastern).flatMap(([encoding, lists]) => lists.map((list) => [encoding, list])))(
  'names in %s are never read as other names in Windows-1252: %s',
  async (encoding = '', list = '') => {
    await expect(runImport(iconv.encode(fileOf(list.split(',')), encoding))).rejects.toThrow(
      /its encoding cannot be detected; name it/,
    );
  },
);

test.each(
  Object.entries(eastern).flatMap(([encoding, lists]) =>
    encoding.startsWith('windows') ? lists.map((list) => [encoding, list]) : [],
  ),
)(
  'whoever reads names in %s as Windows-1252 is told that they would be wrong: %s',
  async (encoding = '', list = '') => {
    const bytes = iconv.encode(fileOf(list.split(',')), encoding);
    await expect(runImport(bytes)).rejects.toThrow(
      /name it \(--encoding windows-1250 for Polish.* as windows-1252, names would be wrong/,
    );
    const doubts: boolean[] = [];
    const onSource = ({ mayBeEastern }: { mayBeEastern: boolean }) => void doubts.push(mayBeEastern);
    for (const named of ['windows-1252', 'windows-1250'] as const)
      await runImport(bytes, { encoding: named, onSource });
    expect(doubts).toEqual([true, false]);
  },
);

test.each([
  ['Ondřej Malik', 'Pavel Kučera'],
  ['Marko Kovač', 'Ana Horvat'],
  ['Petr Němec', 'Josef Krůta'],
  ['Anna Kamińska', 'Jan Nowak'],
  ['Jan Wiśniewski', 'Ewa Nowak'],
  ['Luka Petrović', 'Ivo Horvat'],
  ['PAVEL KUČERA', 'ANNA KAMIŃSKA'],
])('a few names of Windows-1250, %s and %s, are not read as Windows-1252 either', async (...list) => {
  await expect(runImport(iconv.encode(fileOf(list), 'windows-1250'))).rejects.toThrow(
    /its encoding cannot be detected; name it/,
  );
});

test.each([
  ['José Muñoz', 'Nuño Peña'],
  ['Søren Kjær', 'Øystein Bjørn'],
  ['Hélène Lefèvre', 'Ève Cœur'],
  ['Giosuè Pelù', 'Niccolò Forlì'],
  ['Rivière', 'Guèye'],
  ['Carrière', 'Leliège'],
  ['Bøe', 'Åse'],
  ['Røed', 'Sørli'],
  ['MUÑOZ', 'PIÑA'],
  ['Inês', 'Irène'],
])('a few names of Windows-1252, %s and %s, are read', async (...list) => {
  const { sent } = await runImport(iconv.encode(fileOf(list), 'windows-1252'), { concurrency: 1 });
  expect(sent.map((user) => user.name)).toEqual(list);
});

const bad = Buffer.from('xe,Jos\xe9,md5,', 'latin1');

test('a line in another encoding is an issue of its row that cannot be accepted', async () => {
  const good = ['张三', '李小龙', 'Müller', 'a\ufffdb'].map(rowOf);
  const lines = [header, ...good].map((line) => Buffer.from(`${line}\n`));
  const wrong = Buffer.concat([bad, Buffer.from(`${goodHashes.md5}\n`)]);
  const content = Buffer.concat([...lines, wrong, wrong, Buffer.from(`${rowOf('王', 9)}\n`)]);
  const { sent, failures } = await runImport(content, { accept: warningCodes, concurrency: 1 });
  expect(sent.map((user) => user.name)).toEqual(['张三', '李小龙', 'Müller', 'a\ufffdb', '王']);
  expect(failures.map(({ line, code }) => [line, code])).toEqual([
    ['6', 'ENCODING'],
    ['7', 'ENCODING'],
  ]);
  expect(failures[0]?.hint).toMatch(/iconv -f WINDOWS-1252 -t UTF-8.*a spreadsheet would change numbers/);
  const strict = await runImport(content, { concurrency: 1 });
  expect(strict.summary.codes).toEqual({ CHARACTERS_LOST: 1, ENCODING: 2 });
});

test.each([0, 1, 2])('it is, too, with %i of its bytes behind the end of a chunk', async (behind) => {
  const lines = Array.from({ length: 1200 }, (_, row) => `${rowOf('René', row)}\n`).join('');
  const before = Buffer.from(`${header}\n${lines}`);
  const wide = 'x'.repeat(2 ** 16 - before.length - 'b,'.length - 2 + behind);
  const wrong = Buffer.from(`b,${wide}\xe9\xe9,md5,${goodHashes.md5}\n`, 'latin1');
  const content = Buffer.concat([before, wrong, Buffer.from(`${rowOf('René', 1200)}\n`)]);
  const { summary } = await runImport(content, { dryRun: true });
  expect(summary).toMatchObject({ rows: 1202, invalid: 1, pending: 1201 });
});

test('with a given encoding, single lines in another encoding are issues, but a whole file in another is rejected', async () => {
  const names = Array.from({ length: 20 }, () => '王小明');
  const content = Buffer.concat([
    iconv.encode(fileOf(names), 'gb18030'),
    Buffer.from([0x78, 0x2c, 0xff, 0x2c]),
    Buffer.from(`md5,${goodHashes.md5}\n`),
  ]);
  const { sent, summary } = await runImport(content, { encoding: 'gb18030' });
  expect(new Set(sent.map((user) => user.name))).toEqual(new Set(['王小明']));
  expect(summary).toMatchObject({ created: 20, invalid: 1, codes: { ENCODING: 1 } });
  const latin = iconv.encode(fileOf(['José', 'Müller']), 'windows-1252');
  await expect(runImport(latin, { encoding: 'utf-8' })).rejects.toThrow(
    /line 2: the text is not UTF-8, .*iconv -f/,
  );
});

test('a header that cannot be decoded, a file that is cut off, and NUL stop the import as before', async () => {
  const rows = Buffer.from(fileOf(['张三', '李小龙']).slice(header.length));
  const wrongHeader = Buffer.concat([Buffer.from('user_name,name,algorithm,hash,\xe9', 'latin1'), rows]);
  await expect(runImport(wrongHeader, { ignoreUnknown: true })).rejects.toThrow(
    /line 1: the text is not UTF-8/,
  );
  const whole = Buffer.from(`\ufeff${fileOf(['张三'])}王`);
  await expect(runImport(whole.subarray(0, -1))).rejects.toThrow(/or a character is cut/);
  const removed = /line 3: the line has a NUL byte, which no text has; .* tr -d '\\0' </;
  await expect(runImport(fileOf(['张三', 'a\0b']))).rejects.toThrow(removed);
  await expect(runImport(fileOf(['张三', '李\0']), { encoding: 'utf-8' })).rejects.toThrow(removed);
  const gb = iconv.encode(fileOf(['张三', '李\0']), 'gb18030');
  await expect(runImport(gb, { encoding: 'gb18030' })).rejects.toThrow(removed);
  const wide = iconv.encode(fileOf(['张三', '李\0']), 'utf16-le');
  await expect(runImport(wide)).rejects.toThrow(/^(?!.*tr -d).*line 3: the line has a NUL byte/);
});

test('a JSON file that is not in the encoding that was named is refused in plain words', async () => {
  const people = (name: string) =>
    JSON.stringify([{ user_name: 'ann', name, algorithm: 'md5', hash: goodHashes.md5 }]);
  const content = Buffer.from(people('Zoë Müller'), 'latin1');
  const failure = await runImport(content, { encoding: 'shift_jis' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SourceError);
  expect(String(failure)).toContain('the text is not Shift_JIS');
});
