import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Source } from '../../src/migration/source/open-source.ts';
import { goodHashes } from './hashes.ts';
import { inDirectory, runImport } from './run-import.ts';

const directory = fileURLToPath(new URL('../../fixtures/damaged', import.meta.url));
const script = fileURLToPath(new URL('../../fixtures/make-damaged-files.mjs', import.meta.url));

/** How a file that can be read is read, the names that are imported, and its issues as row, line and code. */
type Readable = [reading: string, names: string[], findings?: [number, number, string][]];

/** What is expected of each file: a rejection of the file, or the results of its rows. */
const expected: Record<string, RegExp | Readable> = {
  'utf8-bom.csv': ['utf-8 comma', ['张三', '李小龙', 'Ann Lee']],
  'utf16le-bom.csv': ['utf-16le comma', ['张三', '李小龙', 'Ann Lee']],
  'utf16be-bom.csv': ['utf-16be comma', ['张三', '李小龙', 'Ann Lee']],
  'utf16le.csv': ['utf-16le comma', ['张三', '李小龙', 'Ann Lee']],
  'utf16be.csv': ['utf-16be comma', ['张三', '李小龙', 'Ann Lee']],
  'utf16-half-character.csv': /line 5: the text is not UTF-16 .*or a character is cut/,
  'utf32.csv': /UTF-32, which is not supported/,
  'gb18030.csv': ['gb18030 comma', ['张三', '李小龙', 'Ann Lee']],
  'gb18030-chinese-header.csv':
    /unknown columns: 用户名, 姓名, 手机号; likely meant: --map user_name=用户名 --map name=姓名 --map mobile=手机号,/,
  'windows-1252.csv': ['windows-1252 comma', ['José Muñoz', 'Jürgen Größe', 'Ann Lee']],
  'windows-1251.csv': /line 2: the text is not UTF-8, and its encoding cannot be detected/,
  'big5.csv': /line 2: the text is not UTF-8, and its encoding cannot be detected/,
  'euc-kr.csv': /line 2: the text is not UTF-8/,
  'shift-jis.csv': /line 2: the text is not UTF-8, and its encoding cannot be detected.*--encoding shift_jis/,
  'one-doubtful-word.csv': /line 2: .*cannot be detected.*--encoding gb18030, --encoding windows-1252/,
  'utf8-then-windows-1252.csv': ['utf-8 comma', ['张三', '李小龙', 'Ann Lee'], [[4, 5, 'ENCODING']]],
  'utf8-cut.csv': /line 3: the text is not UTF-8, or a character is cut/,
  'semicolon.csv': ['utf-8 semicolon', ['Ann Lee', 'Bob Ray']],
  'sep-line.csv': ['utf-8 semicolon', ['Ann Lee', 'Bob Ray']],
  'sep-line-unknown.csv': /line 1: the line sep=… does not name a delimiter/,
  'tab.txt': ['utf-8 tab', ['Ann Lee', 'Bob Ray']],
  'bar.txt': ['utf-8 vertical bar', ['Ann Lee', 'Bob Ray']],
  'two-delimiters.csv': /line 1: the header can be read with comma or semicolon as the delimiter/,
  'carriage-returns.csv': ['utf-8 comma', ['Ann Lee', 'Bob Ray']],
  'mixed-line-ends.csv': ['utf-8 comma', ['Ann Lee', 'Bob Ray', '张三']],
  'blank-lines.csv': ['utf-8 comma', ['Ann Lee', 'Bob Ray']],
  'unclosed-quote.csv': /line 3: a quote opens in this row and is never closed/,
  'stray-quote.csv': /line 3: a quote stands inside a value/,
  'ragged.csv': [
    'utf-8 comma',
    ['Bob Ray', '张三'],
    [
      [1, 2, 'CELLS'],
      [3, 4, 'CELLS'],
    ],
  ],
  'repeated-header.csv': [
    'utf-8 comma',
    ['Ann Lee', 'Bob Ray', '张三'],
    [
      [2, 3, 'HEADER_REPEATED'],
      [4, 5, 'HEADER_REPEATED'],
    ],
  ],
  'spreadsheet.csv': [
    'utf-8 comma',
    [],
    [
      [1, 2, 'MOBILE_SCIENTIFIC'],
      [2, 3, 'MOBILE_DECIMAL'],
      [3, 4, 'FORMULA'],
      [4, 5, 'FORMULA'],
      [5, 6, 'FORMULA'],
      [6, 7, 'FORMULA'],
    ],
  ],
  'identifiers.csv': [
    'utf-8 comma',
    [''],
    [
      [1, 2, 'SCIENTIFIC'],
      [2, 3, 'NULL_MARKER'],
      [3, 4, 'OUTER_BLANK'],
      [5, 6, 'LEADING_ZEROS'],
      [6, 7, 'DUPLICATE_EXTERNAL_ID'],
      [7, 8, 'FORMULA'],
    ],
  ],
  'workbook.csv': /this is a spreadsheet \(.xlsx or .ods\), not CSV/,
  'lines-of-json.csv': /column "algorithm" is missing/,
  'truncated-hashes.csv': [
    'utf-8 comma',
    [''],
    [
      [1, 2, 'HASH_TRUNCATED'],
      [2, 3, 'HASH_TRUNCATED'],
    ],
  ],
  'word-processor.csv': [
    'utf-8 comma',
    [],
    [
      [1, 2, 'TYPOGRAPHIC'],
      [2, 3, 'OUTER_BLANK'],
      [3, 4, 'TYPOGRAPHIC'],
      [4, 5, 'TYPOGRAPHIC'],
    ],
  ],
  'mojibake.csv': [
    'utf-8 comma',
    ['Ann Lee'],
    [
      [1, 2, 'MOJIBAKE'],
      [3, 4, 'CHARACTERS_LOST'],
    ],
  ],
  'nul-bytes.csv': /line 3: the line has a NUL byte.*tr -d/,
  'repeated-keys.csv': [
    'utf-8 comma',
    ['Ann Lee'],
    [
      [2, 3, 'DUPLICATE_USER_NAME'],
      [3, 4, 'DUPLICATE_MOBILE'],
    ],
  ],
  'empty.csv': /the file is empty/,
  'only-mark.csv': /the file is empty/,
  'header-only.csv': /line 1: the file has a header but no rows/,
  'no-header.csv': /line 1: the first line looks like a row, not like names of columns/,
  'foreign-header.csv':
    /\(likely meant: --map user_name=Login --map "?name=Full Name"? .*--map hash=password_hash\)/,
};

test('every file of the corpus has an expectation, and equals what its script writes', async () => {
  const names = (await readdir(directory)).sort();
  expect(names).toEqual(Object.keys(expected).sort());
  await inDirectory(async (again) => {
    await promisify(execFile)(process.execPath, [script, again]);
    expect((await readdir(again)).sort()).toEqual(names);
    for (const name of names)
      expect(await readFile(join(again, name))).toEqual(await readFile(join(directory, name)));
  });
});

test.each(Object.entries(expected))('%s', async (name, outcome) => {
  const content = await readFile(join(directory, name));
  let source: Source | undefined;
  const onSource = (found: Source) => {
    source = found;
  };
  const running = runImport(content, { onSource, concurrency: 1 });
  if (outcome instanceof RegExp) {
    const failure = String(await running.catch((error: unknown) => error));
    expect(failure).toMatch(outcome);
    expect(failure).not.toContain(goodHashes.md5);
    return;
  }
  const { sent, failures, written } = await running;
  const [reading, names, findings = []] = outcome;
  expect(source?.reading.join(' ')).toBe(reading);
  expect(sent.map((user) => user.name ?? '')).toEqual(names);
  expect(failures.map(({ row, line, code }) => [Number(row), Number(line), code])).toEqual(findings);
  expect(written).not.toContain(goodHashes.md5);
});

test('a field of six million characters is an issue, and the rows after it are read', async () => {
  const huge = `big,${'x'.repeat(6_000_000)},,md5,${goodHashes.md5}`;
  const content = `user_name,name,mobile,algorithm,hash\n${huge}\nann,Ann,,md5,${goodHashes.md5}\n`;
  const { failures, sent } = await runImport(content);
  expect(failures).toMatchObject([{ row: '1', line: '2', user_name: 'big', code: 'CELL_TOO_LARGE' }]);
  expect(sent.map((user) => user.name)).toEqual(['Ann']);
});

test('a row without an end is rejected before it fills the memory', async () => {
  const content = `user_name,algorithm,hash\n"ann,md5,x\n${'y'
    .repeat(1 << 20)
    .concat('\n')
    .repeat(66)}`;
  await expect(runImport(content)).rejects.toThrow(/line 2: more than 64 MiB without the end of a row/);
});
