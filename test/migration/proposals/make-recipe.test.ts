import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutService } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

const { bcrypt, md5, md5_sha256: nested } = goodHashes;

test('two columns for the same field are both named, and neither is used', async () => {
  const made = await making(`uid,login,mail,e-mail\n1,ann,a@b.cn,a@b.cn\n`);
  expect(made.recipe.fields).toEqual({
    user_name: { column: 'login' },
    external_id: { column: 'uid', text: true },
  });
  expect(made.open).toEqual(['email may be mail or e-mail: run recipe make again with --map email=COLUMN']);
  expect(made.recipe.open).toEqual(made.open);
  const answered = await making(`uid,login\n1,ann\n`, { user_name: ['login'] });
  expect(answered.open).toEqual([]);
  expect(answered.recipe.fields).toEqual({
    user_name: { column: 'login' },
    external_id: { column: 'uid', text: true },
  });
});

test.each([
  // A salt, a token or an id of 32 characters is not a password.
  [
    'user_name,uuid,geheimnis',
    [md5, md5],
    { user_name: 'user_name', external_id: 'uuid' },
    'hash may be geheimnis or uuid',
  ],
  ['user_name,session_token', [md5], { user_name: 'user_name' }, 'hash may be session_token'],
  ['user_name,guid', [md5], { user_name: 'user_name', external_id: 'guid' }, 'hash may be guid'],
  [
    'user_name,pw_salt,pw_md5',
    [md5, md5],
    { user_name: 'user_name', hash: 'pw_md5' },
    'the password of 2 users cannot be kept (of 2, for the salt in pw_salt)',
  ],
  [
    'user_name,manager_email,private_contact',
    ['a@b.cn', 'c@d.cn'],
    { user_name: 'user_name' },
    'email may be manager_email or private_contact',
  ],
  ['user_name,assigned_to', ['a@b.cn'], { user_name: 'user_name' }, 'email may be assigned_to'],
  ['user_name,Betreuer', ['a@b.cn'], { user_name: 'user_name' }, 'email may be Betreuer'],
  ['user_name,Fax', ['+8613800138000'], { user_name: 'user_name' }],
  ['id,mail,Telefax', ['a@b.cn', '030 1234567'], { email: 'mail', external_id: 'id' }],
  ['user_name,manager_email', ['a@b.cn'], { user_name: 'user_name' }, 'email may be manager_email'],
  [
    'user_name,fon a,fon b',
    ['+8613800138000', '+8613800138001'],
    { user_name: 'user_name' },
    'mobile may be fon a or fon b',
  ],
  // A number of a row in a database is the least likely name that people log in with.
  ['user_id,mail,pwd_hash', ['a@b.cn', md5], { email: 'mail', external_id: 'user_id', hash: 'pwd_hash' }],
])(
  'of the columns %s only those are read that are certain',
  async (header, values, columns, open?: string) => {
    const made = await making(`${header}\n1,${values.join(',')}\n2,${values.join(',')}\n`);
    const { fields, password } = made.recipe;
    const read = Object.entries(fields).flatMap(([field, { column }]) => (column ? [[field, column]] : []));
    const hash = password?.column === undefined ? [] : [['hash', password.column]];
    expect(Object.fromEntries([...read, ...hash])).toEqual(columns);
    expect(made.open).toEqual(open === undefined ? [] : [expect.stringContaining(open)]);
  },
);

test.each([
  ['email', 'agent@b.cn'],
  ['mobile', '+8613800138000'],
])('a column that only its values make %s is asked about', async (field, contact) => {
  const { recipe, open } = await making(`user_name,contact\nu1,${contact}\nu2,${contact}\n`);
  expect(recipe.fields[field]).toBeUndefined();
  expect(open).toEqual([`${field} may be contact: run recipe make again with --map ${field}=contact`]);
});

test('values of JSON are recognised by the last names of their paths', async () => {
  const users = [
    {
      id: 17,
      profile: { login: 'ann', mail: 'ann@example.com', phones: ['13800138000'], pw: md5, active: true },
    },
    { id: 18, profile: { login: 'bob', pw: bcrypt, active: false } },
  ];
  const { recipe, open } = await making(JSON.stringify({ users }), { fate: ['skip'], region: ['CN'] });
  expect(open).toEqual([]);
  expect(recipe).toMatchObject({
    from: 'json',
    fields: {
      user_name: { column: 'profile.login' },
      email: { column: 'profile.mail' },
      external_id: { column: 'id', text: true },
    },
    password: { column: 'profile.pw', algorithm: { infer: true } },
    skip: { where: { column: 'profile.active', in: ['false'], known: ['true'] } },
  });
});

test('a column with the name of an extension attribute becomes that attribute, and the tenant decides about other values', async () => {
  const { recipe, notes } = await making('user_name,extension.age,dept\nann,7,IT\n');
  expect(recipe.fields).toHaveProperty('extension.age', { column: 'extension.age' });
  expect(notes).toEqual([
    'extension.dept may be dept: if your tenant has this attribute, run recipe make again with --map extension.dept=dept',
  ]);
});

test('the answers of a person are in the recipe', async () => {
  const content = `user_name,born,tel,pwd,status,locked_at\nann,01/02/1990,0151 23456789,${nested},1,2020\nbob,,,$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/,2,\n`;
  const { recipe, open } = await making(content, {
    'date born d/M/yyyy': ['M/d/yyyy'],
    region: ['DE'],
    foreign: ['passwordless'],
    pwd_must_modify: ['true'],
    'status status': ['2'],
    'status locked_at': ['filled'],
    fate: ['disable'],
  });
  expect(open).toEqual([]);
  expect(recipe).toMatchObject({
    fields: {
      mobile: { phone: { region: 'DE' } },
      attr_birthday: { date: ['M/d/yyyy'] },
      pwd_must_modify: { value: true },
    },
    password: { foreign: 'passwordless' },
    disable: {
      where: [
        { column: 'status', in: ['2'] },
        { column: 'locked_at', filled: true },
      ],
    },
  });
  expect(recipe.skip).toBeUndefined();
});

test('the check that is proposed reads the file as it was read here', async () => {
  const { directory, run } = await withoutService();
  const [file, to] = [join(directory, 'a.csv'), join(directory, 'a.yaml')];
  await writeFile(file, Buffer.from('user_name|fullname\nann|J\xfcrgen\n', 'latin1'));
  const reading = ['--delimiter', '|', '--encoding=windows-1252'];
  const { stderr } = await run('recipe', 'make', file, '--to', to, ...reading);
  const command = `recipe check --delimiter '|' --encoding=windows-1252 ${to} ${file}`;
  expect(stderr).toContain(`\n  tenant-users ${command}\n`);
  const checked = await run(...command.replaceAll("'", '').split(' '));
  expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('name (from fullname)') });
});

test('a long name of a column is not taken for a hash', async () => {
  const { recipe } = await making(
    'user_name,passwordResetRequestedAtUtc,mobilePhone\nann,x,+8613800138000\n',
  );
  expect(recipe.fields).toHaveProperty('mobile');
});

test('a file without a header, a wrong mapping and a country that does not exist are rejected', async () => {
  const world = await withoutService();
  const file = join(world.directory, 'a.csv');
  await writeFile(file, `ann,ann@example.com,${md5}\nbob,bob@example.com,${md5}\n`);
  const refused = (...args: string[]) => world.run('recipe', 'make', file, ...args);
  expect(await refused()).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('--header'),
  });
  expect(await refused('--header', 'login,mail,pwd', '--map', 'name=x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--map names "x", which is not a column'),
  });
  expect(await refused('--region', 'XX')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('XX'),
  });
  const named = await refused('--header', 'login,mail,pwd');
  expect(named).toMatchObject({ exitCode: 0 });
  expect(named.stdout).toContain('from: { format: csv, header: [ login, mail, pwd ] }');
  expect(named.stdout).not.toContain('bob');
});

test('whatever the columns and their values are, the recipe is valid and contains no value', async () => {
  const names = fc.constantFrom(
    ...'login uid name sex born tel mail pwd enc status locked_at id first_name surname zip note: {x} # 姓名'.split(
      ' ',
    ),
  );
  const value = fc.oneof(
    fc.constantFrom(
      '',
      'NULL',
      md5,
      nested,
      bcrypt,
      '1',
      'M',
      '0151 234',
      '+8613800138000',
      '1/2/1990',
      ' x ',
    ),
    fc
      .string({ unit: 'grapheme', minLength: 6 }) // Longer than the values of a status column, which a recipe does contain.
      .map((text) => `secret of a single person ${text.replaceAll(/["\r\n]/g, '')}`),
  );
  const table = fc.uniqueArray(names, { minLength: 1, maxLength: 8 }).chain((header) =>
    fc.tuple(
      fc.constant(['mobile', ...header]),
      fc.array(fc.array(value, { minLength: header.length + 1, maxLength: header.length + 1 }), {
        minLength: 1,
        maxLength: 6,
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(table, async ([header, rows]) => {
      const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',');
      const { text } = await making(`${[header, ...rows].map(quoted).join('\n')}\n`);
      expect(text).not.toContain('single person');
    }),
    { numRuns: 25 },
  );
});
