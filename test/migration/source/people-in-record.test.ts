import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assessFile } from '../../../src/migration/assess/assess-file.ts';
import { lookAtFile } from '../../../src/migration/make-recipe.ts';
import { temporaryDirectory } from '../../world.ts';
import { goodHashes } from '../hashes.ts';

const personOf = (name: string) => ({ email: `${name}@b.cn`, name, password: 'x' });
const people = Object.fromEntries(['ann', 'bob.ray', 'cid@b.cn'].map((name) => [name, personOf(name)]));
const list = Object.values(people);
const page = { url: '/users', data: list };
const byName = 'to_entries[] | {record: .key} + (.value | objects)';

async function fileOf(...values: unknown[]): Promise<string> {
  const file = join(await temporaryDirectory(), 'export.json');
  await writeFile(file, values.map((value) => JSON.stringify(value)).join('\n'));
  return file;
}

test.each([
  ['members of an object', [people], ` | ${byName}`],
  ['members of an object in a list', [[people]], ` | ${byName}`],
  ['a member of each record', Object.entries(people).map(([name, one]) => ({ [name]: one })), ` | ${byName}`],
  ['members of an inner object', [{ version: 2, users: people }], `.users | ${byName}`],
  ['members beside those of another object', [{ orders: people, users: people }], `.users | ${byName}`],
  ['a list', [{ rows: list }], '.rows[]'],
  ['a list beside its length', [{ total: 3, name: 'export', value: list }], '.value[]'],
  ['two lists', [{ staff: list, clients: list }], '.staff[]'],
  ['a list of GraphQL', [{ data: { users: list } }], '.data.users[]'],
  ['a list of CouchDB', [{ rows: list.map((doc, id) => ({ id, key: id, doc })) }], '.rows[]'],
  ['pages', [page, page], '.data[]'],
  ['pages in a list', [[page, page]], '.data[]'],
  ['pages in an object', [{ pages: [page, page] }], '.pages[].data[]'],
  ['objects beside the names of columns', [{ columns: ['email'], rows: list }], '.rows[]'],
  ['a list whose name may be a value', [{ "it's": list }], '.value[]'],
  ['two objects', [{ ann: people, bob: people }], '.value[]'],
  [
    'in a list of each firm',
    ['A', 'B'].map((name) => ({ id: 1, name, email: 'a@b.cn', staff: list })),
    '.staff[]',
  ],
  ['members of a firm', [{ id: 1, name: 'A', staff: people }], `.staff | ${byName}`],
])('people who are %s are not read as one person', async (_, values, filter) => {
  const file = await fileOf(...values);
  const fault = `a record holds several people, who would be read as one: extract them, for example: jq -c -s 'flatten[]${filter}'. If`;
  await expect(lookAtFile(file, { map: [] })).rejects.toThrow(fault);
  await expect(assessFile({ file })).rejects.toThrow(fault);
});

test('of more people than a header has room for, it is said that they are in one record', async () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`u${at}`, personOf('ann')]));
  await expect(lookAtFile(await fileOf(many), { map: [] })).rejects.toThrow('a record holds several people');
});

const contacts = list.map(({ password: _, ...one }) => ({ ...one, phone: '1', zip: '2' }));

const { bcrypt, md5 } = goodHashes;
const roles = [1, 2].map((id) => ({ id, name: 'editor' }));
const facts = (email: string) => ['sub', 'email'].map((Name) => ({ Name, Value: email }));
const kinder = ['Ann', 'Bob'].map((vorname) => ({ vorname, nachname: 'Lee', geburtsdatum: '2010-01-10' }));

test.each([
  ['two addresses', [{ kuerzel: 'ann', email: 'a@b.cn', secreto: md5, direcciones: contacts }]],
  ['contacts beside a name', [{ vorname: 'Ann', nachname: 'Lee', kontakte: contacts }]],
  ['a list of contacts', [{ id: 1, email: 'ann@b.cn', contacts }]],
  ['lists that only some have', [{ contacts }, ...list, ...list]],
  ['two objects', list.map((one) => ({ profile: one, billing: one }))],
  ['attributes', list.map(({ email }) => ({ Username: 'ann', Attributes: facts(email) }))],
  [
    'roles and groups',
    list.map(({ email }) => ({ login: email, secret: bcrypt, roles, groups: [{ ...roles[0], email }] })),
  ],
  ['roles and an address', list.map(({ email }) => ({ email, roles }))],
  ['children', list.map(({ password }) => ({ kennung: 'ann', passwort: password, kinder }))],
  ['children who have a login', list.map(({ password }) => ({ passwort: password, kinder: list }))],
  ['addresses', [{ username: 'ann', emails: [{ address: 'a@b.cn' }, { address: 'b@b.cn' }] }]],
])('a person with %s is a person', async (_, values) => {
  const file = await fileOf(values);
  expect(await lookAtFile(file, { map: [] })).toMatchObject({ rows: values.length });
});

test('people in a record are read as a mapping says', async () => {
  const file = await fileOf({ rows: list });
  const map = [{ field: 'email', column: 'rows.0.email' }];
  expect(await lookAtFile(file, { map })).toMatchObject({ rows: 1 });
  expect(await assessFile({ file, map })).toMatchObject({ rows: 1 });
});
