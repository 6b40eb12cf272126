import { expect, test } from 'vitest';
import { checkExamples } from '../../../src/migration/recipes/check-examples.ts';
import { compileTemplate } from '../../../src/migration/recipes/template.ts';

const columns = ['a', 'b', 'c'];
const readerOf = (column: string) => (cells: readonly string[]) => cells[columns.indexOf(column)] ?? '';

test.each([
  ['{a} ({b})', ['Ann', 'Nick'], 'Ann (Nick)'],
  ['{a} ({b})', ['Ann', ''], 'Ann'],
  ['{a} ({b})', ['', 'Nick'], '(Nick)'],
  ['({b}) {a}', ['Ann', ''], 'Ann'],
  ['({b}) {a}', ['', 'Nick'], '(Nick)'],
  ['({b}) {a}', ['', ''], ''],
  ['{a} (alias {b}, {c})', ['Ann', 'Nick', ''], 'Ann (alias Nick)'],
  ['{a} (alias {b}, {c})', ['Ann', '', 'IT'], 'Ann (alias IT)'],
  ['{a} (alias {b}, {c})', ['Ann', '', ''], 'Ann'],
  ['{a} [({b}) {c}]', ['Ann', '', 'IT'], 'Ann [IT]'],
  ['{a} "{b}" {c}', ['Ann', '', 'Lee'], 'Ann Lee'],
  ['{a} "{b}" {c}', ['Ann', 'Nick', 'Lee'], 'Ann "Nick" Lee'],
  ['{a}（{b}）', ['安', ''], '安'],
  // Brackets without a column, and text at an end, belong to the whole.
  ['{a} {b} (extern)', ['Ann', ''], 'Ann (extern)'],
  ['{a}.{b}@example.com', ['ann', ''], 'ann@example.com'],
  ['Dr. {a} {b}', ['', 'Lee'], 'Dr. Lee'],
  ['{a} :( {b}', ['Ann', 'Lee'], 'Ann :( Lee'],
  ['{a}) {b}', ['Ann', 'Lee'], 'Ann) Lee'],
])('%s of %j is %j', (template, cells, text) => {
  expect(compileTemplate(template, readerOf)(cells)).toBe(text);
});

test('a recipe gives nobody a name with half a pair of brackets', async () => {
  const examples = [{ in: { first: 'Ann', nick: '' }, out: { name: 'Ann' } }];
  for (const template of ['{first} ({nick})', '({nick}) {first}'])
    expect(
      await checkExamples({ name: 'names', recipe: { fields: { name: { template } }, examples } }),
    ).toEqual([]);
});
