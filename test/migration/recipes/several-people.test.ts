import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { making } from '../proposals/making.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const personOf = (name: string) => ({ email: `${name}@b.cn`, password: goodHashes.bcrypt });
const people = ['ann', 'bob'].map(personOf);
const byName = { ann: personOf('ann'), bob: personOf('bob') };

/** A recipe that was made for a file with one person, at this path. */
const recipeFor = (path: string, from = 'json') =>
  recipeOf(
    `from: ${from}\nfields: { email: { column: ${path}.email } }\npassword: { column: ${path}.password, algorithm: { infer: true } }\n`,
  );

const importOf = async (value: unknown, path: string, from?: string) =>
  runImport(JSON.stringify(value), { recipe: await recipeFor(path, from) });

test.each([
  ['a list', { persons: people }, 'persons.0', 'flatten[].persons[]', ''],
  [
    'members of an object',
    byName,
    'ann',
    'flatten[] | to_entries[] | {record: .key} + (.value | objects)',
    '',
  ],
  ['a list of each user', { users: [{ staff: people }] }, 'staff.0', 'flatten[].users[].staff[]', 'users'],
])(
  'a recipe that reads the first one of several people in %s is refused',
  async (_, value, path, jq, records) => {
    await expect(importOf(value, path)).rejects.toThrow(
      `a record holds several people, who would be read as one: extract them, for example: jq -c -s '${jq}', and make the recipe for what it prints. If each record is one person, write from: { format: json, records: "${records}" } in the recipe`,
    );
    const { sent } = await importOf(value, path, `{ format: json, records: "${records}" }`);
    expect(sent.map(({ email }) => email)).toEqual(['ann@b.cn']);
  },
);

test('in the only record of a file, the parts of one person are no people if a recipe reads several of them', async () => {
  const recordOf = (name: string) => ({
    uuid: name,
    account: { login: name, password: goodHashes.bcrypt },
    contact: { email: `${name}@b.cn`, phone: '+49 151 23456789' },
  });
  const recipe = await recipeOf(
    'from: json\nfields: { user_name: { column: account.login }, email: { column: contact.email } }\npassword: { column: account.password, algorithm: { infer: true } }\n',
  );
  for (const names of [['ann', 'bob'], ['cyd']]) {
    const { sent } = await runImport(JSON.stringify(names.map(recordOf)), { recipe, concurrency: 1 });
    expect(sent.map(({ user_name }) => user_name)).toEqual(names);
  }
});

test('a recipe names the list of the people, or reads the one person of a record', async () => {
  const own =
    'fields: { email: { column: email } }\npassword: { column: password, algorithm: { infer: true } }\n';
  const recipe = await recipeOf(`from: { records: persons }\n${own}`);
  const { sent } = await runImport(JSON.stringify({ persons: people }), { recipe });
  expect(sent.map(({ email }) => email)).toEqual(['ann@b.cn', 'bob@b.cn']);
  const records = people.map((profile, id) => ({ id, profile, addresses: [{ city: 'A' }, { city: 'B' }] }));
  expect((await importOf(records, 'profile')).sent).toHaveLength(2);
});

test('a recipe without passwords, which takes a record for one person, is told what it lacks', async () => {
  const recipe = await recipeOf(
    'from: { records: "" }\nfields: { email: { column: persons.0.email } }\nignore: [persons.0.password, persons.1.password]\n',
  );
  await expect(runImport(JSON.stringify({ persons: people }), { recipe })).rejects.toThrow(
    'columns "algorithm" and "hash" are missing',
  );
});

test.each([
  ['a list', { persons: people.slice(0, 1) }, 'flatten[].persons[]'],
  ['a member', { ann: people[0] }, 'flatten[] | to_entries[] | {record: .key} + (.value | objects)'],
])(
  'for a file of one record with a person in %s, the recipe asks whether there are more',
  async (_, value, jq) => {
    const { open, recipe } = await making(JSON.stringify(value));
    expect(recipe.from).toBe('json');
    expect(open).toContain(
      `the file is one record with a person within it: if a record of the whole export holds several people, extract them, for example: jq -c -s '${jq}', and make the recipe for what it prints; if each record is one person, write from: { format: json, records: "" } and delete this question`,
    );
  },
);

test('a recipe for a column of the first one of several people says that each record is one person', async () => {
  const map = [{ field: 'email', column: 'persons.0.email' }];
  const { open, recipe, text } = await making(JSON.stringify({ persons: people }), {}, map);
  expect(recipe.from).toEqual({ format: 'json', records: '' });
  expect(text).toContain('from: { format: json, records: "" }\n');
  expect(open.join()).not.toContain('the file is one record');
});

test('options that read the first one of several people are refused, like such a recipe', async () => {
  const map = ['email', 'password'].map((name) => ({
    field: name === 'email' ? name : 'hash',
    column: `persons.0.${name}`,
  }));
  const options = { map, algorithm: 'infer' as const, ignoreUnknown: true };
  const attempt = runImport(JSON.stringify({ persons: people }), options);
  await expect(attempt).rejects.toThrow(
    /a record holds several people.* If each record is one person, make a recipe that says so: tenant-users recipe make \S+ --map FIELD=PATH$/,
  );
});
