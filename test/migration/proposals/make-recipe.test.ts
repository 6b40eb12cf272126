import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

const { bcrypt, md5, md5_sha256: nested } = goodHashes;

test('two columns for the same field are both named, and neither is used', async () => {
  const made = await making(`uid,login,mail,e-mail\n1,ann,a@b.cn,a@b.cn\n`);
  expect(made.recipe.fields).toEqual({});
  expect(made.open).toEqual([
    'user_name may be login or uid: choose with --map user_name=COLUMN',
    'email may be mail or e-mail: choose with --map email=COLUMN',
  ]);
  expect(made.text).toContain('# Open: user_name may be login or uid');
  const answered = await making(`uid,login\n1,ann\n`, { user_name: ['login'] });
  expect(answered.open).toEqual([]);
  expect(answered.recipe.fields).toEqual({
    user_name: { column: 'login' },
    external_id: { column: 'uid', text: true },
  });
});

test.each([
  ['tel', ['138 0013 8000', '+86-13800138001'], { mobile: { column: 'tel', phone: { region: 'CN' } } }],
  ['tel', ['+49 1512 3456789'], { mobile: { column: 'tel', phone: {} } }],
  // Other values of the column have the country code, so nobody is asked about the country.
  ['tel', ['0151 23456789', '+49 1512 3456780'], { mobile: { column: 'tel', phone: { region: 'DE' } } }],
  ['tel', ['0151 23456789'], { mobile: { column: 'tel', phone: {} } }, 'the country of numbers of tel'],
  [
    'sex',
    ['M', 'f', '女'],
    { attr_gender: { column: 'sex', values: { M: 'male', f: 'female', 女: 'female' } } },
  ],
  ['sex', ['M', '1'], { attr_gender: { column: 'sex', values: { M: 'male' } } }, 'sex has 1 (1 row)'],
  ['sex', ['H', 'F'], { attr_gender: { column: 'sex', values: { H: 'male', F: 'female' } } }],
  [
    'sex',
    ['hombre', 'mujer'],
    { attr_gender: { column: 'sex', values: { hombre: 'male', mujer: 'female' } } },
  ],
  // Hombre and mujer, or Herr and a man: only a person knows.
  [
    'sex',
    ['H', 'M'],
    { attr_gender: { column: 'sex', values: {} } },
    'sex has H (1 row)',
    'sex has M (1 row)',
  ],
  ['born', ['13/01/1990', '02/01/1990'], { attr_birthday: { column: 'born', date: ['d/M/yyyy'] } }],
  ['born', ['01/13/1990', '1990-01-13'], { attr_birthday: { column: 'born', date: ['M/d/yyyy', 'iso'] } }],
  [
    'born',
    ['01/02/1990'],
    { attr_birthday: { column: 'born', date: ['d/M/yyyy', 'M/d/yyyy'] } },
    'dates of born may begin with the day or the month',
  ],
  [
    'dob',
    ['633830400', '1990.1.2'],
    { attr_birthday: { column: 'dob', date: ['epoch-seconds', 'yyyy.M.d'] } },
  ],
  ['born', ['1990-2-8', '1985-03-17'], { attr_birthday: { column: 'born', date: ['yyyy-M-d', 'iso'] } }],
  [
    'born',
    ['Feb 8, 1990', '8.2.1990'],
    { attr_birthday: { column: 'born', date: ['d.M.yyyy'] } },
    'born has 1 date in another form: add it under date:, such as d.M.yy, or these rows are rejected',
  ],
  [
    'born',
    ['1990, 8th of February', '1985, 17th of March'],
    { attr_birthday: { column: 'born', date: ['iso'] } },
    'born has 2 dates in another form',
  ],
  ['postcode', ['01000'], { zip_code: { column: 'postcode', text: true } }],
  ['contact', ['a@b.cn', 'c@d.cn'], { email: { column: 'contact' } }],
  ['Telefon (privat)', ['+8613800138000'], { mobile: { column: 'Telefon (privat)', phone: {} } }],
  ['unheard of', ['x'], {}],
  // Dates that the step of an import would reject are counted by that step.
  [
    'born',
    ['1990-02-28', '0000-00-00', '1990-02-31', '1990-02-28 16:00:00'],
    { attr_birthday: { column: 'born', date: ['iso'] } },
    'born has 3 dates that do not exist, or have a time of day: correct them at the source, or these rows are rejected',
  ],
  [
    'born',
    ['01/02/1990', '01-02-1990'],
    { attr_birthday: { column: 'born', date: ['d/M/yyyy', 'M/d/yyyy', 'd-M-yyyy', 'M-d-yyyy'] } },
    'dates of born may begin with the day or the month: leave one of the two forms d/M/yyyy and M/d/yyyy',
    'dates of born may begin with the day or the month: leave one of the two forms d-M-yyyy and M-d-yyyy',
  ],
  [
    'sex',
    Array.from({ length: 17 }, (_, index) => `kind ${index}`),
    { attr_gender: { column: 'sex', values: {} } },
    'sex has no known words, or more than 16: say under values: what each means, or these rows are rejected',
  ],
])('a column %s with %j becomes %j', async (column, values, fields, ...open: string[]) => {
  const rows = values.map((value, index) => `u${index},"${value}"`);
  const made = await making(`user_name,${column}\n${rows.join('\n')}\n`);
  expect(made.recipe.fields).toEqual({ user_name: { column: 'user_name' }, ...fields });
  expect(made.open).toEqual(open.map((text) => expect.stringContaining(text)));
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
  ['user_name,pw_salt,geheimnis', [md5, md5], { user_name: 'user_name', hash: 'geheimnis' }],
  [
    'user_name,manager_email,private_contact',
    ['a@b.cn', 'c@d.cn'],
    { user_name: 'user_name' },
    'email may be manager_email or private_contact',
  ],
  ['user_name,manager_email', ['a@b.cn'], { user_name: 'user_name' }, 'email may be manager_email'],
  [
    'user_name,fon a,fon b',
    ['+8613800138000', '+8613800138001'],
    { user_name: 'user_name' },
    'mobile may be fon a or fon b',
  ],
  // A number of a row in a database is the least likely name that people log in with.
  [
    'user_id,mail,pwd_hash',
    ['a@b.cn', md5],
    { email: 'mail', hash: 'pwd_hash' },
    'user_name may be mail or user_id',
  ],
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
  [['Ann ', 'Lee   '], ['Bob', 'Ray'], { user_name: 'u0', name: 'Ann Lee' }],
  [['安 ', '李 '], ['波', '王'], { user_name: 'u0', name: '李安' }],
  [['민수', '김'], ['지우', '이'], { user_name: 'u0', name: '김민수' }],
  [['محمد', 'علي'], ['أحمد', 'حسن'], { user_name: 'u0', name: 'محمد علي' }],
  [['דוד', 'כהן'], ['משה', 'לוי'], { user_name: 'u0', name: 'דוד כהן' }],
])('a full name is made of %j', async (first, second, user) => {
  const content = ['user_name,vorname,nachname', `u0,${first}`, `u1,${second}`].join('\n');
  const { recipe } = await making(content);
  const named = { name: 'made', recipe };
  const { sent } = await runImport(content, { recipe: named, allowPasswordless: true, concurrency: 1 });
  expect(sent[0]).toMatchObject(user);
});

test('words of a padded column of algorithms are known to the recipe', async () => {
  const content = `user_name,enc,pwhash\nann,hmac  ,${nested}\nbob,sha256md5,${nested}\n`;
  const { recipe } = await making(content);
  const { sent, failures } = await runImport(content, {
    recipe: { name: 'made', recipe },
    concurrency: 1,
    key: 'k',
  });
  expect(failures.map(({ code }) => code)).toEqual([]);
  expect(sent.map((user) => user['hash-pwd']?.algorithm)).toEqual(['hmacsha256_base64_key', 'md5_sha256']);
});

test('values of JSON are recognised by the last names of their paths', async () => {
  const users = [
    {
      id: 17,
      profile: { login: 'ann', mail: 'ann@example.com', phones: ['13800138000'] },
      pw: md5,
      active: true,
    },
    { id: 18, profile: { login: 'bob' }, pw: bcrypt, active: false },
  ];
  const { recipe, open } = await making(JSON.stringify({ users }));
  expect(open).toEqual([]);
  expect(recipe).toMatchObject({
    from: 'json',
    fields: {
      user_name: { column: 'profile.login' },
      email: { column: 'profile.mail' },
      external_id: { column: 'id', text: true },
    },
    password: { column: 'pw', algorithm: { infer: true } },
    skip: { where: { column: 'active', in: ['false'] } },
  });
});

test('a column with the name of an extension attribute becomes that attribute, and the tenant decides about other values', async () => {
  const { recipe, open } = await making('user_name,extension.age,dept\nann,7,IT\n');
  expect(recipe.fields).toHaveProperty('extension.age', { column: 'extension.age' });
  expect(open).toEqual(['extension.dept may be dept: choose with --map extension.dept=COLUMN']);
});

test('the answers of a person are in the recipe', async () => {
  const content = `user_name,born,tel,pwd,status,locked_at\nann,01/02/1990,0151 23456789,${nested},1,2020\nbob,,,$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/,2,\n`;
  const { recipe, open } = await making(content, {
    'date d/M/yyyy': ['M/d/yyyy'],
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

test('a file of a known system gets a copy of the recipe of that system', async () => {
  const file = join(import.meta.dirname, '../../../fixtures/exports/django.csv');
  const world = await startWorld();
  const { stdout } = await world.run('recipe', 'show', 'django');
  expect(await world.run('recipe', 'make', file)).toMatchObject({
    exitCode: 0,
    stdout,
    stderr: expect.stringContaining('copy of the built-in recipe django'),
  });
});

test('the country of a copy of a built-in recipe is the given one, if that recipe leaves it open', async () => {
  const exportsOf = join(import.meta.dirname, '../../../fixtures/exports');
  const world = await startWorld();
  const made = await world.run('recipe', 'make', join(exportsOf, 'auth0.ndjson'), '--region', 'DE');
  expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('phone: { region: DE } }') });
  expect(made.stderr).not.toContain('--region');
  const fixed = await world.run('recipe', 'make', join(exportsOf, 'ruoyi.tsv'), '--region', 'DE');
  expect(fixed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('region: CN') });
  expect(fixed.stderr).toContain(
    'Warning: --region was not used: the recipe ruoyi names the country itself; change region: in the copy',
  );
  const without = await world.run('recipe', 'make', join(exportsOf, 'django.csv'), '--region', 'DE');
  expect(without.stderr).toContain('--region was not used: the recipe django reads no telephone numbers');
});

test('the check that is proposed reads the file as it was read here', async () => {
  const { directory, run } = await startWorld();
  const [file, to] = [join(directory, 'a.csv'), join(directory, 'a.yaml')];
  await writeFile(file, Buffer.from('user_name|fullname\nann|J\xfcrgen\n', 'latin1'));
  const reading = ['--delimiter', '|', '--encoding=windows-1252'];
  const { stderr } = await run('recipe', 'make', file, '--to', to, ...reading);
  const command = `recipe check --delimiter '|' --encoding=windows-1252 ${to} ${file}`;
  expect(stderr).toContain(`\n  tenant-users ${command}\n`);
  const checked = await run(...command.replaceAll("'", '').split(' '));
  expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('name (from fullname)') });
});

test('a file without a header whose system is known gets the recipe of that system', async () => {
  const exportsOf = join(import.meta.dirname, '../../../fixtures/exports');
  const world = await startWorld();
  const { stdout } = await world.run('recipe', 'show', 'firebase-csv');
  const made = await world.run('recipe', 'make', join(exportsOf, 'firebase.csv'));
  expect(made).toMatchObject({ exitCode: 0, stdout });
  expect(made.stderr).toContain('3 rows');
  const one = join(world.directory, 'one.csv');
  const [first = ''] = (await readFile(join(exportsOf, 'firebase.csv'), 'utf8')).split('\n');
  await writeFile(one, `${first}\n`);
  expect(await world.run('recipe', 'make', one)).toMatchObject({ exitCode: 0, stdout });
});

test('a long name of a column is not taken for a hash', async () => {
  const { recipe } = await making(
    'user_name,passwordResetRequestedAtUtc,mobilePhone\nann,x,+8613800138000\n',
  );
  expect(recipe.fields).toHaveProperty('mobile');
});

test('a file without a header, a wrong mapping and a country that does not exist are rejected', async () => {
  const world = await startWorld();
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
