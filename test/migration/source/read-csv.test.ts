import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

/** Row and line that are reported for a bad row. */
async function placesOf(content: string | Uint8Array) {
  const { failures } = await runImport(content);
  return failures.map(({ row, line }) => [Number(row), Number(line)]);
}

const header = 'name,algorithm,hash,email';
const bad = 'x,md5,short,';

test('rows count from 1 and lines from 1, and the header is line 1', async () => {
  expect(await placesOf(`${header}\n${bad}\n${bad}\n`)).toEqual([
    [1, 2],
    [2, 3],
  ]);
});

test('a value with line breaks changes the lines of the rows below, not the number of its row', async () => {
  expect(await placesOf(`${header}\n"a\nb\n""c""\n",md5,short,"d\n"\n${bad}`)).toEqual([
    [1, 2],
    [2, 7],
  ]);
});

test('CR LF is one line end, inside quotes too', async () => {
  expect(await placesOf(`${header}\r\n"a\r\nb",md5,short,\r\n${bad}\r\n`)).toEqual([
    [1, 2],
    [2, 4],
  ]);
});

test('line ends may be mixed, and CR alone is one', async () => {
  expect(await placesOf(`${header}\r\n${bad}\n${bad}\r${bad}`)).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
});

test('blank lines count as lines but not as rows, before the header too', async () => {
  const { failures, summary } = await runImport(`\n\r\n${header}\n\n${bad}\n\n\n${bad}\n\n`);
  expect(failures.map(({ row, line }) => [row, line])).toEqual([
    ['1', '5'],
    ['2', '8'],
  ]);
  expect(summary.rows).toBe(2);
});

test('lines are right when the file is read in many chunks', async () => {
  const good = `"${'字'.repeat(50)}",md5,${goodHashes.md5},\r\n`;
  const block = `${good.repeat(40)}"a\r\nb",md5,short,\r\n`;
  const places = await placesOf(`${header}\r\n${block.repeat(30)}`);
  expect(places).toEqual(Array.from({ length: 30 }, (_, n) => [(n + 1) * 41, 2 + n * 42 + 40]));
});

test('a byte order mark is not part of a column name', async () => {
  const { sent } = await runImport(`\uFEFF${header}\n张三,md5,${goodHashes.md5},\n`);
  expect(sent).toEqual([{ name: '张三', 'hash-pwd': { algorithm: 'md5', value: goodHashes.md5 } }]);
});

test('the last row may have no line end', async () => {
  const { sent } = await runImport(`algorithm,hash,user_name\nmd5,${goodHashes.md5},ann`);
  expect(sent.map((user) => user.user_name)).toEqual(['ann']);
});
