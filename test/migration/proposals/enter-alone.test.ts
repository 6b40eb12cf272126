import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lookAtFile, makeRecipe } from '../../../src/migration/make-recipe.ts';
import type { RecipeQuestion } from '../../../src/migration/proposals/interview.ts';
import { temporaryDirectory } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

const { bcrypt, md5, md5_sha256: nested } = goodHashes;
const salts = ['q0Xy0z', '7f20ae', 'b01c5d', '90ab3e', 'kQzWxv', 'q5Xy35'];
const phpass = '$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/';

/** What is selected at first, which Enter alone answers. */
const enter = async ({ choices = [], isMany, suggested, initial = suggested }: RecipeQuestion) =>
  initial ?? (isMany ? [] : choices.slice(0, 1).map(({ value }) => value));

test.each([
  ['a time of deletion', 'password,deleted_at', [`${bcrypt},`, `${bcrypt},2024-03-01`, `${bcrypt},`]],
  ['the end of a lock', 'password,ban_expires', [`${bcrypt},5/1/2999`, `${bcrypt},`]],
  ['words of a status', 'password,status', [`${bcrypt},A`, `${bcrypt},S`]],
  ['digests of 32 bytes', 'password', [nested, nested]],
  ['words for algorithms', 'password,algo', [`${nested},SHA2`, `${nested},SHA3`]],
  ['two columns of algorithms', 'password,algo,enc', [`${nested},x,md5sha256`, `${nested},y,md5sha256`]],
  ['hashes of which nobody knows whose they are', 'secret', [md5, bcrypt]],
  ['possible salts', 'password,rand', salts.map((salt) => `${md5},${salt}`)],
  ['letters for genders', 'password,gender', [`${bcrypt},M`, `${bcrypt},F`, `${bcrypt},N`]],
  ['an attribute that the tenant may lack', 'password,title', [`${bcrypt},Clerk`, `${bcrypt},Cook`]],
  ['two addresses', 'password,mail,e-mail', [`${bcrypt},a@b.cn,c@b.cn`, `${bcrypt},d@b.cn,e@b.cn`]],
])('Enter alone answers no question about %s', async (_, header, rows) => {
  const content = [`login,${header}`, ...rows.map((row, at) => `u${at},${row}`), ''].join('\n');
  const file = join(await temporaryDirectory(), 'old.csv');
  await writeFile(file, content);
  const looked = await lookAtFile(file, { map: [] });
  const options = { map: [], region: undefined };
  const piped = await makeRecipe(looked, { ...options, ask: undefined });
  expect([...piped.open, ...piped.notes]).not.toEqual([]);
  expect(await makeRecipe(looked, { ...options, ask: enter })).toEqual(piped);
});

test('by Enter alone, people whose hash the API does not take are not created without one', async () => {
  const { recipe } = await making(`login,password\nann,${phpass}\n`, { foreign: ['reject'] });
  expect(recipe.password?.foreign).toBeUndefined();
  const file = join(await temporaryDirectory(), 'old.csv');
  await writeFile(file, `login,password\nann,${phpass}\n`);
  const entered = await makeRecipe(await lookAtFile(file, { map: [] }), {
    ...{ map: [], region: undefined },
    ask: enter,
  });
  expect(entered.recipe).toEqual(recipe);
});

test('somebody can say that digests of 32 bytes are of an algorithm that the API does not take', async () => {
  const answers = { made: ['other'], foreign: ['passwordless'] };
  const { recipe, open } = await making(`login,password\nann,${nested}\n`, answers);
  expect([recipe.password, open]).toEqual([
    {
      column: 'password',
      algorithm: { foreign: 'digest of another algorithm, such as SHA-256 alone' },
      foreign: 'passwordless',
    },
    [],
  ]);
});
