import { expect, test } from 'vitest';
import { mergePreviews } from '../../../../src/migration/model/preview.ts';
import { factsOf, noticesOf } from '../../../../src/migration/report/texts/notices.ts';
import { goodHashes } from '../../hashes.ts';
import { recipeOf } from '../../recipes/recipe-of.ts';
import { runImport } from '../../run-import.ts';

const people = [true, false, false, false].map((mfa, index) => ({
  login: `u${index}`,
  hash: goodHashes.md5,
  active: index !== 3,
  mfa,
}));
const content = people.map((person) => JSON.stringify(person)).join('\n');

async function importWith(selection: string) {
  const recipe = await recipeOf(`
from: json
fields: { user_name: { column: login }, pwd_must_modify: { value: false } }
password: { column: hash, algorithm: { infer: true } }
${selection}
`);
  const { summary } = await runImport(content, { recipe });
  return { summary, texts: noticesOf(summary).map(({ text, isWarning }) => [isWarning, text]) };
}

test('an import says which condition leaves out how many rows, and warns if they are most', async () => {
  const { summary, texts } = await importWith(
    'skip: { where: [{ column: active, in: [false], known: [true] }, { column: mfa, in: [false] }] }',
  );
  expect(summary).toMatchObject({
    created: 1,
    skipped: 3,
    by_condition: {
      'skip: { column: active, in: [false] }': 1,
      'skip: { column: mfa, in: [false] }': 3,
    },
  });
  expect(texts.slice(0, 3)).toEqual([
    [false, 'skip: { column: mfa, in: [false] } leaves out 3 of 4 rows.'],
    [false, 'skip: { column: active, in: [false] } leaves out 1 of 4 rows.'],
    [
      true,
      'The recipe leaves out 3 of 4 rows. Compare its skip: with the values of the columns that it names.',
    ],
  ]);
});

test('an import says which condition disables how many users, and warns if they are most', async () => {
  const { summary, texts } = await importWith('disable: { where: { column: login, filled: true } }');
  const [before] = noticesOf({ ...summary, dry_run: true }).filter(({ isWarning }) => isWarning);
  expect(before?.text).toContain('4 users will be disabled, as the recipe says.');
  expect(summary).toMatchObject({
    to_disable: 4,
    by_condition: { 'disable: { column: login, filled: true }': 4 },
  });
  expect(texts.slice(0, 3)).toEqual([
    [true, expect.stringContaining('The API cannot enable them again.')],
    [false, 'disable: { column: login, filled: true } holds for 4 of 4 rows.'],
    [true, expect.stringContaining('disable: of the recipe holds for most of the file. Compare it')],
  ]);
});

test('a condition that takes less than half is no reason for a warning; of a long list, a part is shown', async () => {
  const { texts } = await importWith('skip: { where: { column: login, in: [u1, a, b, c, d, e, f] } }');
  expect(texts[0]).toEqual([
    false,
    'skip: { column: login, in: [u1, a, b, c, d, …] } leaves out 1 of 4 rows.',
  ]);
  expect(texts.filter(([, text]) => String(text).startsWith('The recipe leaves out'))).toEqual([]);
});

test('counts of conditions add up over the shards of a file', () => {
  const preview = { ...mergePreviews([]), ready: 1, skipped: 2, by_condition: { 'skip: x': 2 } };
  const merged = mergePreviews([preview, preview, mergePreviews([])]);
  expect(merged.by_condition).toEqual({ 'skip: x': 4 });
  expect(noticesOf(factsOf(merged, [])).map(({ text }) => text)).toContain('skip: x leaves out 4 of 6 rows.');
});

test.each([
  ['a hash', `in: [${goodHashes.md5}, u1]`, 'in: [u1, …]'],
  ['an address', "in: ['boss@example.com']", 'in: […]'],
  ['a pattern of an address', "match: '@example[.]com$'", 'match: …'],
])('a condition that names %s is shown without it, because the text is kept', async (_, test, shown) => {
  const { summary } = await importWith(
    `skip: { where: [{ column: hash, ${test} }, { column: login, in: [u1] }] }`,
  );
  expect(JSON.stringify(summary)).not.toMatch(/boss|example|[0-9a-f]{32}/);
  const isMet = test.includes(goodHashes.md5);
  expect(summary.by_condition).toEqual({
    ...(isMet ? { [`skip: { column: hash, ${shown} }`]: 4 } : {}),
    'skip: { column: login, in: [u1] }': 1,
  });
});
