import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lookAtFile, makeRecipe } from '../../../src/migration/make-recipe.ts';
import { temporaryDirectory } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

/** A first recipe for people with this column, one for each value. */
const ofColumn = (name: string, values: readonly string[]) =>
  making(
    `login,email,password,${name}\n${values
      .map((value, n) => `u${n},u${n}@b.cn,${goodHashes.bcrypt},${value}\n`)
      .join('')}`,
  );

test('the line of a question puts no word among those who may log in that is not known', async () => {
  const words = ['active', 'active', 'suspended', 'on hold', 'left company'];
  const { open } = await ofColumn('status', words);
  expect(open).toEqual([expect.stringContaining('in: [suspended], known: [active] }')]);
  expect(open).toEqual([
    expect.stringMatching(
      /, or these people are enabled; add to one of the lists, or these rows are rejected: on hold, left company; if it says something else, /,
    ),
  ]);
  const { open: blank } = await ofColumn('status', ['active', 'active', 'suspended', '']);
  expect(blank).toEqual([expect.stringContaining('in: [VALUES], known: [OTHER VALUES] }')]);
  const { open: date } = await ofColumn('shadowExpire', ['-1', '-1', '1']);
  expect(date).toEqual([expect.stringMatching(/; add to one of the lists, .*: '-1'; if /)]);
});

test.each(['address', 'contact'])('the name in %s is not taken for that of the person', async (object) => {
  const people = ['Ann', 'Bob', 'Cid'].map((name, n) => ({
    login: `u${n}`,
    password: goodHashes.bcrypt,
    [object]: { name },
  }));
  const { columns, open } = await making(people.map((person) => `${JSON.stringify(person)}\n`).join(''));
  expect([...columns.keys()]).not.toContain('name');
  expect(open).toEqual([expect.stringContaining(`name may be ${object}.name`)]);
});

test.each([
  ['nobody beside the words that are selected at first', ['0', ' ']],
  ['everybody', ['0', '1', '']],
])('of a status, %s is no answer', async (_, words) => {
  const content = 'user_name,enabled\nann,0\nbob,0\ncyd,1\ndan,\n';
  const { recipe, open } = await making(content, { 'status enabled': words, fate: ['skip'] });
  expect([recipe.skip, recipe.ignore]).toEqual([undefined, undefined]);
  expect(open).toEqual([
    expect.stringContaining('enabled may say who is disabled (0: 2, 1: 1, no value: 1;'),
  ]);
});

test('nobody is asked what happens to people who may not log in if there are none', async () => {
  const file = join(await temporaryDirectory(), 'old.csv');
  await writeFile(file, `login,password,active\nann,${goodHashes.bcrypt},1\nbob,${goodHashes.bcrypt},1\n`);
  const asked: string[] = [];
  const { recipe } = await makeRecipe(await lookAtFile(file, { map: [] }), {
    ...{ map: [], region: undefined },
    ask: async ({ id, suggested = [] }) => {
      asked.push(id);
      return suggested;
    },
  });
  expect(recipe.skip).toEqual({ where: { column: 'active', in: [], known: ['1'] } });
  expect(asked).toEqual(['pwd_must_modify']);
});
