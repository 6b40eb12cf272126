import { expect, test } from 'vitest';
import { formatCsv, formatTsv } from '../../../../src/cli/output/formats/csv.ts';
import type { Format, Row, Screen } from '../../../../src/cli/output/formats/format.ts';
import { formatJson, formatJsonLines } from '../../../../src/cli/output/formats/json.ts';
import { formatTable } from '../../../../src/cli/output/formats/table.ts';

const bells = { id: '2', name: '"Bob", the\r\nbuilder', more: { a: '1', 'b.c': '2' } };
const pages: Row[][] = [[{ id: '1', name: 'ann' }], [], [bells]];

async function* arriving(these: readonly Row[][]) {
  yield* these;
}

const pipe: Screen = {
  width: Number.POSITIVE_INFINITY,
  isTerminal: false,
  bold: (text) => text,
  note: () => {},
};

/** The texts that a format makes of pages. */
async function pieces(format: Format, these: readonly Row[][], columns?: string[]): Promise<string[]> {
  const list = { name: 'users', rest: () => ({ total: 2 }) };
  const result = { rows: arriving(these), list, columns: ['id', 'name'] };
  const made = [];
  for await (const text of format(result, columns, pipe)) made.push(text);
  return made;
}

test('a JSON document is written one page at a time, and what is known last is written last', async () => {
  const made = await pieces(formatJson, pages);
  expect(made[0]).toBe('{"users":[{"id":"1","name":"ann"}');
  expect(made.join('')).toBe(`${JSON.stringify({ users: pages.flat(), total: 2 })}\n`);
});

test.each([
  [[], '{"users":[],"total":2}\n'],
  [[[]], '{"users":[],"total":2}\n'],
  [[[], [{ id: 1 }], [{ id: 2 }, { id: 3 }]], '{"users":[{"id":1},{"id":2},{"id":3}],"total":2}\n'],
])('a document is valid for the pages %j', async (these, document) => {
  expect((await pieces(formatJson, these)).join('')).toBe(document);
});

test('JSON Lines has one line for each record, and CSV has one header, also over several pages', async () => {
  expect((await pieces(formatJsonLines, pages)).join('')).toBe(
    '{"id":"1","name":"ann"}\n{"id":"2","name":"\\"Bob\\", the\\r\\nbuilder","more":{"a":"1","b.c":"2"}}\n',
  );
  expect((await pieces(formatCsv, pages)).join('')).toBe('id,name\n1,ann\n2,"""Bob"", the\r\nbuilder"\n');
});

test('TSV has tabs between values, and none within a value', async () => {
  expect((await pieces(formatTsv, pages)).join('')).toBe('1\tann\n2\t"Bob", the\\r\\nbuilder\n');
  const odd = [[{ id: 'a\tb', name: '\\' }, { name: null }]];
  expect((await pieces(formatTsv, odd)).join('')).toBe('a\\tb\t\\\\\n\t\n');
  expect((await pieces(formatTsv, [[]])).join('')).toBe('');
});

test('a table has one head and one frame, and in a pipe wider cells of later pages are not cut', async () => {
  const made = (await pieces(formatTable, pages)).join('').trimEnd().split('\n');
  expect(made.filter((line) => line.startsWith('┌'))).toHaveLength(1);
  expect(made.filter((line) => line.startsWith('└'))).toHaveLength(1);
  expect(made.filter((line) => line.includes('name'))).toHaveLength(1);
  expect(made.at(-2)).toContain('"Bob", the\uFFFD\uFFFDbuilder');
  expect((await pieces(formatTable, [[]])).join('')).toMatch(/^┌.*\n│ id │ name │\n└.*\n$/);
});

test('columns select fields in JSON, and dotted ones stay nested', async () => {
  expect((await pieces(formatJsonLines, pages, ['more.b.c', 'id', 'more.a', 'none'])).join('')).toBe(
    '{"id":"1"}\n{"more":{"b.c":"2","a":"1"},"id":"2"}\n',
  );
  expect((await pieces(formatJson, [[bells]], ['more.a', 'more'])).join('')).toBe(
    '{"users":[{"more":{"a":"1","b.c":"2"}}],"total":2}\n',
  );
});

test('a property that every object inherits is not a field', async () => {
  const columns = ['constructor', 'more.constructor', 'more.__proto__', 'id'];
  expect((await pieces(formatCsv, [[bells]], columns)).at(-1)).toContain('\n,,,2\n');
  expect((await pieces(formatJsonLines, [[bells]], columns)).join('')).toBe('{"id":"2"}\n');
  const own = JSON.parse('{"more":{"__proto__":"x"}}');
  expect((await pieces(formatJsonLines, [[own]], columns)).join('')).toBe('{"more":{"__proto__":"x"}}\n');
});

test('JSON escapes the characters that a terminal could execute, in ASCII and beyond', async () => {
  const wild = { id: '\u007f', name: '名\u009b\u202e\u{e0001}\u2028é' };
  const [line = ''] = await pieces(formatJsonLines, [[wild]]);
  expect(line).toBe('{"id":"\\u007f","name":"名\\u009b\\u202e\\udb40\\udc01\\u2028é"}\n');
  expect(JSON.parse(line)).toEqual(wild);
  expect((await pieces(formatJsonLines, [[{ id: '\u007f' }]])).join('')).toBe('{"id":"\\u007f"}\n');
});

test.each([
  ['json', formatJson],
  ['jsonl', formatJsonLines],
  ['csv', formatCsv],
  ['tsv', formatTsv],
])(
  'as %s, an array of many records is written in parts, and a signal can interrupt it',
  async (_, format) => {
    const rows = Array.from({ length: 5000 }, (_, line) => ({ line: line + 1, format: 'bcrypt' }));
    let isHeard = false;
    setImmediate(() => {
      isHeard = true;
    });
    const [whole, before] = [[] as string[], [] as string[]];
    for await (const text of format({ rows, list: { name: 'hashes' }, columns: ['line'] }, undefined, pipe)) {
      whole.push(text);
      if (!isHeard) before.push(text);
    }
    expect(whole.length).toBeGreaterThanOrEqual(25);
    expect(before.length).toBeLessThan(5);
    if (format === formatJson) expect(JSON.parse(whole.join(''))).toEqual({ hashes: rows });
    else expect(whole.join('')).toContain('5000');
  },
);
