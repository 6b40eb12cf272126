import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

const { bcrypt, md5_sha256: nested } = goodHashes;

type Case = [column: string, values: string[], fields: object, ...open: string[]];

test.each<Case>([
  ['tel', ['+49 1512 3456789'], { mobile: { column: 'tel', phone: {} } }],
  // Without a country code, numbers of Germany, the United States and Brazil have the form of those of China.
  ['tel', ['17612345608'], { mobile: { column: 'tel', phone: {} } }, 'the country of numbers of tel'],
  ['tel', ['1 (305) 555-1204'], { mobile: { column: 'tel', phone: {} } }, 'the country of numbers of tel'],
  [
    'tel',
    ['(19) 98765-4301', '+55 19 98765-4302'],
    { mobile: { column: 'tel', phone: {} } },
    'the country of numbers of tel',
  ],
  [
    'tel',
    ['0151 23456789', '+49 1512 3456780'],
    { mobile: { column: 'tel', phone: {} } },
    'the country of numbers of tel',
  ],
  ['tel', ['13800138000'], { mobile: { column: 'tel', phone: {} } }, 'the country of numbers of tel'],
  [
    'sex',
    ['M', 'f', '女'],
    { attr_gender: { column: 'sex', values: { M: 'male', f: 'female', 女: 'female' } } },
  ],
  ['sex', ['male', '1'], { attr_gender: { column: 'sex', values: { male: 'male' } } }, 'sex has 1 (1 row)'],
  // A letter alone can be of any language: in Hungarian an F is a man beside N, in Spanish an M a woman beside V.
  ...['F N', 'N M', 'V M', 'M', 'F', 'M F N', 'M W H'].map((letters): Case => {
    const words = letters.split(' ');
    const open = words.map((word) => `sex has ${word} (1 row)`);
    return ['sex', words, { attr_gender: { column: 'sex', values: {} } }, ...open];
  }),
  [
    'sex',
    ['m', 'W.', 'd'],
    { attr_gender: { column: 'sex', values: { m: 'male', 'W.': 'female', d: 'unknow' } } },
  ],
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
    'born has 1 date in another form: add it under date:, or these rows are rejected',
  ],
  [
    'born',
    ['13/02/1980', '1/2/85'],
    { attr_birthday: { column: 'born', date: ['d/M/yyyy'] } },
    'born has 1 date in another form: add it under date:, such as d/M/yy, or these rows are rejected',
  ],
  [
    'born',
    ['02/13/1980', '8.2.1990', '1/2/85'],
    { attr_birthday: { column: 'born', date: ['M/d/yyyy', 'd.M.yyyy'] } },
    'such as M/d/yy, or',
  ],
  [
    'born',
    ['1990, 8th of February', '1985, 17th of March'],
    { attr_birthday: { column: 'born', date: ['iso'] } },
    'born has 2 dates in another form',
  ],
  ['postcode', ['01000'], { zip_code: { column: 'postcode', text: true } }],
  // What only the values say may be of the parents or of the firm.
  ['correo_padre', ['a@b.cn', 'c@d.cn'], {}, 'email may be correo_padre'],
  ['notfallnummer', ['+8613800138000'], {}, 'mobile may be notfallnummer'],
  ['E.Mail', ['a@b.cn', 'c@d.cn'], { email: { column: 'E.Mail' } }],
  ['Correo electrónico', ['a@b.cn', 'c@d.cn'], { email: { column: 'Correo electrónico' } }],
  ['Telefon mobil', ['0170 1234500', '0170 1234501'], {}, 'mobile may be Telefon mobil'],
  ['Móvil', ['+8613800138000'], { mobile: { column: 'Móvil', phone: {} } }],
  ['unheard of', ['x'], {}],
  // Dates that the step of an import would reject are counted by that step.
  [
    'born',
    ['1990-02-28', '0000-00-00', '1990-02-31', '1990-02-28 16:00:00'],
    { attr_birthday: { column: 'born', date: ['iso'] } },
    'born has 2 dates with a day that does not exist, or with a time of day: correct them at the source, or these rows are rejected',
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

test('people whose password has expired must change it, and are not left out', async () => {
  const header = 'username,password,enabled,credentials_non_expired';
  const rows = ['ann,true,true', 'bob,true,false', 'cyd,false,true'].map((row) =>
    row.replace(',', `,${bcrypt},`),
  );
  const content = [header, ...rows].join('\n');
  const { recipe, open } = await making(content, { fate: ['skip'] });
  expect(open).toEqual([]);
  expect(recipe.fields.pwd_must_modify).toEqual({
    column: 'credentials_non_expired',
    values: { true: false, false: true },
  });
  expect(recipe.skip).toEqual({ where: { column: 'enabled', in: ['false'], known: ['true'] } });
  const { sent } = await runImport(content, { recipe: { name: 'made', recipe }, concurrency: 1 });
  expect(sent.map((user) => [user.user_name, user.pwd_must_modify])).toEqual([
    ['ann', false],
    ['bob', true],
  ]);
});

test.each([
  ['must_change_password', ['1', '0'], { values: { 1: true, 0: false } }, []],
  ['force_change', ['true', 'false'], {}, []],
  // Without a value, the API makes people change the password.
  ['force_change', ['true', '', ''], {}, ['has no value in 2 rows']],
  ['force_change', ['false', 'NULL', ''], {}, ['has no value in 2 rows']],
  ['password_expired', ['2024-01-31', '2023-02-28'], { values: {} }, ['has no known words']],
  ['force_change', ['1.0', '0.0'], { values: { '1.0': true, '0.0': false } }, []],
  ['password_expired', ['Y', 'N'], { values: { Y: true, N: false } }, []],
  [
    'passwordExpired',
    ['yes', 'soon', ''],
    { values: { yes: true } },
    ['has no value in 1 row', 'has soon (1 row): say under values: what it means (true, false)'],
  ],
])('a column %s of %j says who must change the password', async (column, values, rule, notes) => {
  const rows = values.map((value, index) => `u${index},${value}`);
  const { recipe, open } = await making(`user_name,${column}\n${rows.join('\n')}\n`);
  expect(recipe.fields.pwd_must_modify).toEqual({ column, ...rule });
  expect(open).toEqual(notes.map((text) => expect.stringContaining(text)));
  expect(recipe.skip).toBeUndefined();
});

test.each([
  ...['force_password_change', 'Change Password at Next Sign-In', 'pwdReset', 'must_reset_password'],
  ...['is_temporary_password', 'userMustChangePassword', 'Passwort ändern', '是否初始密码'],
])('whether %s says who must change the password is asked, and nobody is answered for', async (column) => {
  const content = `user_name,${column}\nann,1\nbob,0\ncyd,0\n`;
  const { open } = await making(content);
  expect(open).toEqual([
    expect.stringMatching(`^pwd_must_modify may be ${column}: if it says who must change the password, run`),
  ]);
  const { recipe } = await making(content, {}, [{ field: 'pwd_must_modify', column }]);
  expect(recipe.fields.pwd_must_modify).toEqual({ column, values: { 1: true, 0: false } });
  const days = await making(`user_name,${column}\nann,2020-01-01\nbob,2020-02-01\n`);
  expect(days.open.join()).not.toContain('pwd_must_modify');
});
