import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assessFile } from '../../../src/migration/assess/assess-file.ts';
import { temporaryDirectory } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

const { bcrypt, md5 } = goodHashes;
const jsonOf = (...records: object[]) => JSON.stringify(records);

/** The columns of the fields of a recipe, and that of the hashes. */
function columnsOf({ recipe: { fields, password } }: Awaited<ReturnType<typeof making>>) {
  const read = Object.entries(fields).flatMap(([field, { column }]) => (column ? [[field, column]] : []));
  return { ...Object.fromEntries(read), ...(password ? { hash: password.column } : {}) };
}

async function assessing(content: string) {
  const file = join(await temporaryDirectory(), 'export.json');
  await writeFile(file, content);
  return assessFile({ file });
}

test.each([
  ['email', ['user_name=email'], { user_name: 'email', email: 'email' }],
  ['email', ['user_name=email', 'email=email'], { user_name: 'email', email: 'email' }],
  ['mail', ['user_name=mail'], { user_name: 'mail', email: 'mail' }],
  ['email,contact_email', ['user_name=email'], { user_name: 'email', email: 'email' }],
  ['email,other', ['user_name=email', 'email=other'], { user_name: 'email', email: 'other' }],
])(
  'of the columns %s with --map %j, the user name takes none from another field',
  async (header, maps, columns) => {
    const map = maps.map((pair) => ({ field: pair.split('=')[0] ?? '', column: pair.split('=')[1] ?? '' }));
    const cells = header.split(',').map((_, index) => `a${index}@b.cn`);
    expect(columnsOf(await making(`${header},x\n${cells.join(',')},1\n`, {}, map))).toEqual(columns);
  },
);

test('addresses in a list, as Meteor has them, are e-mail addresses and no postal ones', async () => {
  const made = await making(jsonOf({ username: 'ann', emails: [{ address: 'ann@b.cn', verified: true }] }));
  expect(columnsOf(made)).toEqual({ user_name: 'username', email: 'emails.0.address' });
  const postal = await making('username,address\nann,Main St 1\n');
  expect(columnsOf(postal)).toEqual({ user_name: 'username', mailing_address: 'address' });
});

test.each([
  [
    'Django',
    jsonOf({ model: 'auth.user', pk: 1, fields: { username: 'ann', email: 'a@b.cn' } }),
    'fields.username',
  ],
  ['DynamoDB', '{"Item":{"username":{"S":"ann"},"email":{"S":"a@b.cn"}}}\n', 'Item.username.S'],
  ['Microsoft Graph', '{"@odata.context":"x","value":[{"username":"ann","mail":"a@b.cn"}]}', 'username'],
])('an export of %s whose names are all nested is read', async (_, content, column) => {
  expect((await making(content)).recipe.fields.user_name).toEqual({ column });
});

test('a JSON file without a known name is refused with advice for JSON', async () => {
  const made = making('{"value":[{"a":"b"}]}');
  await expect(made).rejects.toThrow('no column has a known name; name one with --map FIELD=PATH, such as');
  await expect(making('{"value":[{"a":"b"}]}')).rejects.toThrow("extract them: jq -c '.value[]'");
});

test.each([
  [
    'Kratos',
    { credentials: { password: { config: { hashed_password: bcrypt } } }, traits: { email: 'a@b.cn' } },
  ],
  ['Logto', { username: 'ann', password_encrypted: bcrypt }],
  ['Appwrite', { name: 'ann', email: 'a@b.cn', password: bcrypt, hash: 'bcrypt' }],
])('assess finds the hashes of %s, as a first recipe does', async (_, user) => {
  const { passwords } = await assessing(jsonOf(user));
  expect(passwords).toMatchObject([{ use: 'as-is', users: 1 }]);
});

test('bcrypt of Meteor is over the SHA-256 of the password, and so foreign', async () => {
  const content = jsonOf({ username: 'ann', services: { password: { bcrypt } } });
  const format = 'bcrypt over the SHA-256 of the password (Meteor)';
  expect((await assessing(content)).passwords).toMatchObject([{ use: 'no', users: 1, format }]);
  const { recipe, open } = await making(content);
  expect(recipe.password).toEqual({ column: 'services.password.bcrypt', algorithm: { foreign: format } });
  expect(open).toEqual([expect.stringContaining('the password of 1 user cannot be kept')]);
  const { open: _, ...decided } = recipe;
  expect((await runImport(content, { recipe: { name: 'made', recipe: decided } })).failures).toMatchObject([
    { code: 'HASH_FOREIGN', message: expect.stringContaining(format) },
  ]);
  const made = await making(content, { foreign: ['passwordless'] });
  const { sent } = await runImport(content, { recipe: { name: 'made', recipe: made.recipe } });
  expect(sent).toMatchObject([{ user_name: 'ann' }]);
  expect(sent[0]).not.toHaveProperty('hash-pwd');
});

test('a column named hash that holds names of algorithms is not taken for the hashes', async () => {
  const made = await making(`username,password,hash\nann,${bcrypt},bcrypt\n`);
  expect(columnsOf(made)).toEqual({ user_name: 'username', hash: 'password' });
  expect(made.open).toEqual([]);
});

test('the algorithms of Gitea are not taken for hashes', async () => {
  const made = await making(`name,passwd,passwd_hash_algo\nann,${'ab'.repeat(50)},pbkdf2$50000$50\n`);
  expect(made.recipe.password).toMatchObject({ column: 'passwd' });
  expect(made.open).toContainEqual(expect.stringContaining('the password of 1 user cannot be kept'));
});

test.each(['A9'.repeat(64), `0100${'A9'.repeat(24)}`, `0200${'A9'.repeat(68)}`])(
  'a column of digests that SQL Server wrote as bytes is the column of the hashes: %s',
  async (hash) => {
    const made = await making(`username,PasswordHash\nann,0x${hash}\n`);
    expect(columnsOf(made)).toEqual({ user_name: 'username', hash: 'PasswordHash' });
    expect(made.open).toEqual([expect.stringContaining('the password of 1 user cannot be kept')]);
  },
);

test('digests with a salt in another column, as vBulletin has them, are said to need a new password', async () => {
  const { open } = await making(`username,password,salt\nann,${md5},x1\nbob,${md5},y2\ncid,${bcrypt},\n`);
  expect(open).toEqual([
    'the password of 2 users cannot be kept (of 2, for the salt in salt), and the rows are rejected: add foreign: passwordless under password: to create them without one',
  ]);
});

const ofPhpMyAdmin = (...names: string[]) => [
  { type: 'header', version: '5.2.1', comment: 'Export to JSON plugin for PHPMyAdmin' },
  { type: 'database', name: 'shop' },
  ...names.map((name) => ({
    type: 'table',
    name,
    database: 'shop',
    data: [{ username: 'ann' }, { username: 'bob' }],
  })),
];

test('the users in a JSON export of phpMyAdmin are those of its table; of several tables one must be named', async () => {
  const one = await making(JSON.stringify(ofPhpMyAdmin('users')));
  expect([one.rows, columnsOf(one)]).toEqual([2, { user_name: 'username' }]);
  for (const [names, users] of [
    [['staff', 'users'], 'users'],
    [['wp_usermeta', 'wp_users'], 'wp_users'],
    [['posts', 'member'], 'member'],
    [['a"b', 'c'], 'users'],
  ] as const)
    await expect(making(JSON.stringify(ofPhpMyAdmin(...names)))).rejects.toThrow(
      `it has several tables: extract the one of the users, for example: jq -c '.[] | select(.name == "${users}") | .data[]'`,
    );
});

const ofDjango = (model: string, fields: object) => ({ model, pk: 7, fields });
const ann = { username: 'ann', email: 'a@b.cn' };

test.each([
  [['auth.group', 'shop.user'], 'shop.user', 'auth.group, shop.user'],
  [['accounts.group', 'accounts.member'], 'accounts.member', 'accounts.group, accounts.member'],
  [['a"b', 'b.b', 'c.c', 'd.d', 'auth.user', 'e.e', 'f.f'], 'auth.user', 'b.b, c.c, d.d, auth.user, e.e, …'],
])(
  'users among other models of Django are refused, which would all become users: %j',
  async (models, users, shown) => {
    const records = models.map((model) => ofDjango(model, { ...ann, name: 'editors' }));
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    // What is proposed reads the list of dumpdata and its lines.
    for (const file of [jsonOf(...records), lines])
      await expect(making(file)).rejects.toThrow(
        `several models of Django (${shown}), and each would become a user: extract those of the users, for example: jq -c -s 'flatten[] | select(.model == "${users}")'`,
      );
  },
);

test.each([[['auth.user']], [['crm.customer', 'crm.employee']]])(
  'the models %j of Django are read, of which none is that of the users among others',
  async (models) => {
    const people = models.map((model, at) => ofDjango(model, { ...ann, username: `u${at}` }));
    const made = await making(jsonOf(...people));
    expect(made.rows).toBe(models.length);
    expect(columnsOf(made)).toMatchObject({ user_name: 'fields.username', email: 'fields.email' });
  },
);

test('pages of a list that are in a list are read as one', async () => {
  const made = await making(jsonOf([{ login: 'ann' }], [{ login: 'bob' }]));
  expect([made.rows, columnsOf(made)]).toEqual([2, { user_name: 'login' }]);
});

test.each([[['username']], [[{ name: 'username' }]]])(
  'rows that are lists of values beside the columns %j are refused with the way to objects',
  async (columns) => {
    const content = JSON.stringify({ success: true, columns, rows: [['ann']] });
    await expect(making(content)).rejects.toThrow(
      `make objects of them, for example: jq -c '(.columns | map(.name? // .)) as $c | .rows[]`,
    );
  },
);

test('a file whose users are all in lists of a record is not read as one user', async () => {
  const page = { status: 200, body: [{ login: 'ann', emails: ['a@b.cn'] }, { login: 'bob' }] };
  const pages = [page, page];
  await expect(making(JSON.stringify({ pages }))).rejects.toThrow("jq -c -s 'flatten[].pages[].body[]'");
});
