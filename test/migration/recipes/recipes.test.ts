import { expect, test } from 'vitest';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { recipeDigest } from '../../../src/migration/recipes/recipe.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';
import { recipeOf } from './recipe-of.ts';

const vendor = `
from: csv
fields:
  user_name: { column: login, trim: true, lower: true }
  mobile: { column: tel, phone: { region: CN } }
  name: { template: "{last} {first}" }
  attr_gender: { column: sex, values: { M: male, F: female }, default: unknow }
  attr_birthday: { column: born, date: ["dd.MM.yyyy", "yyyy/M/d", epoch-seconds] }
  external_id: { column: uid, text: true }
  extension.dept: { column: dept, optional: true }
  pwd_must_modify: { value: false }
password:
  column: pwd_hash
  algorithm: { column: enc, values: { BLOWFISH: bcrypt, MD5: md5 } }
empty: ["NULL", "N/A"]
skip: { where: { column: status, in: [D] } }
disable: { where: [{ column: status, in: [L] }] }
examples:
  - in: { login: " Ann ", tel: "138 0013 8000", sex: F, born: 01.02.1990, uid: 17, last: Lee }
    out: { user_name: ann, mobile: +86-13800138000, attr_gender: female, attr_birthday: 1990-02-01, external_id: "17", name: Lee }
`;
const header = 'uid,login,last,first,tel,sex,born,pwd_hash,enc,status,created';
const { bcrypt, md5 } = goodHashes;

test('a recipe makes users of the records of a vendor, skips some and disables others', async () => {
  const rows = [
    `17, Ann ,Lee,Ann,138 0013 8000,F,01.02.1990,${bcrypt},BLOWFISH,A,x`,
    `18,bob,Ray,,+86 13800138001,,1990/2/1,${md5},MD5,A,x`,
    `19,cyd,,,N/A,M,NULL,${md5},MD5,L,x`,
    `20,dan,,,,,,${md5},MD5,D,x`,
  ];
  const tenant = await startTenant();
  const content = `${header}\n${rows.join('\n')}\n`;
  const { summary } = await runImport(content, { recipe: await recipeOf(vendor) }, tenant);
  expect(summary).toMatchObject({
    rows: 4,
    created: 3,
    skipped: 1,
    to_disable: 1,
    must_change_password: 0,
    ignored_columns: ['created'],
  });
  const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
  expect(users.map(({ user_name, disabled }) => [user_name, disabled])).toEqual([
    ['ann', false],
    ['bob', false],
    ['cyd', true],
  ]);
  expect(tenant.sent[0]).toEqual({
    user_name: 'ann',
    mobile: '+86-13800138000',
    name: 'Lee Ann',
    attr_gender: 'female',
    attr_birthday: '1990-02-01',
    external_id: '17',
    pwd_must_modify: false,
    'hash-pwd': { algorithm: 'bcrypt', value: bcrypt },
  });
  expect(tenant.sent[1]).toMatchObject({ name: 'Ray', attr_gender: 'unknow' });
});

test('a value that a step cannot read is an issue of its row, with the name of its column', async () => {
  const rows = [
    `6.2E+18,ann,,,12,X,1.2.90,${md5},MD5,A,x`,
    `18,bob,,,,,,${md5},SHA256-MD5,A,x`,
    '19,cyd',
    header,
    ',,,,,,,,,,',
  ];
  const run = await runImport(`${header}\n${rows.join('\n')}\n`, { recipe: await recipeOf(vendor) });
  expect(run.summary).toMatchObject({ created: 0, invalid: 5, unknown_algorithms: { 'SHA256-MD5': 1 } });
  expect(run.summary.issues).toEqual({
    ALGORITHM_UNKNOWN: 1,
    CELLS: 1,
    DATE_UNREADABLE: 1,
    HEADER_REPEATED: 1,
    PHONE_UNREADABLE: 1,
    ROW_EMPTY: 1,
    SCIENTIFIC: 1,
    VALUE_UNKNOWN: 1,
  });
  const message = run.failures[0]?.message ?? '';
  expect(message).toContain('tel: the telephone number is not valid in its country');
  expect(message).toContain('sex: nothing says what this value means');
  expect(message).not.toContain('6.2E');
});

test('an existing user is never disabled, and a user whose disabling fails is reported', async () => {
  const recipe = await recipeOf(vendor);
  const content = `${header}\n19,cyd,,,,,,${md5},MD5,L,x\n`;
  const tenant = await startTenant();
  await tenant.client.importHashedUser({ user_name: 'cyd', external_id: '19' });
  const before = await runImport(content, { recipe }, tenant);
  expect(before.summary).toMatchObject({ failed: 1, codes: { NOT_DISABLED: 1 } });
  expect((await tenant.client.getUserByUserName('cyd')).disabled).toBe(false);
  const failing = await startTenant();
  const disableUser = () => Promise.reject(new Error('secret text'));
  const failed = await runImport(content, { recipe }, { ...failing, disableUser });
  expect(failed.summary).toMatchObject({ created: 0, failed: 1, codes: { NOT_DISABLED: 1 } });
  expect(failed.written).not.toContain('secret text');
});

test('a second import of the same file accepts that users are disabled as the recipe says', async () => {
  const recipe = await recipeOf(vendor);
  const content = `${header}\n19,cyd,,,,,,${md5},MD5,L,x\n`;
  const tenant = await startTenant();
  expect((await runImport(content, { recipe }, tenant)).summary).toMatchObject({ created: 1 });
  expect((await runImport(content, { recipe }, tenant)).summary).toMatchObject({ existing: 1, failed: 0 });
});

test.each([
  ['fields: { user_name: { colum: a } }', [[1, 'fields.user_name.colum', 'there is no such key']]],
  [
    'fields:\n  user_name:\n    column: 7\n',
    [[3, 'fields.user_name.column', expect.stringContaining('expected')]],
  ],
  [
    'fields:\n  nick: { column: a }',
    [[2, 'fields.nick', expect.stringContaining('no such field; available: user_name')]],
  ],
  ['fields:\n  hash: { column: a }', [[2, 'fields.hash', 'belongs to password:']]],
  [
    'fields:\n  name: { column: a, value: b }',
    [[2, 'fields.name', 'needs one of column, template and value']],
  ],
  ['fields:\n  name:\n    template: x', [[3, 'fields.name.template', 'names no column, such as {last}']]],
  [
    'fields:\n  name: { column: a, replace: [{ match: "(", with: "" }] }',
    [[2, 'fields.name.replace.0.match', expect.stringContaining('RE2')]],
  ],
  [
    'fields:\n  name: { column: a, replace: [{ match: "(?=a)", with: "" }] }',
    [[2, 'fields.name.replace.0.match', expect.stringContaining('RE2')]],
  ],
  [
    'fields:\n  attr_birthday: { column: a, date: [dd.MM] }',
    [[2, 'fields.attr_birthday.date', expect.stringContaining('with day, month and year')]],
  ],
  [
    'fields:\n  mobile: { column: a, phone: { region: XX } }',
    [[2, 'fields.mobile.phone', 'there is no region XX']],
  ],
  [
    'fields: {}\npassword: { algorithm: { infer: true } }',
    [[2, 'password', 'needs column, which holds the hashes']],
  ],
  [
    'fields: {}\nskip: { where: { column: end, filled: true, date: [iso] } }',
    [[2, 'skip.where', 'date: needs past: or not_past:']],
  ],
  [
    'fields: {}\nskip: { where: { column: end, past: true, date: [dd] } }',
    [[2, 'skip.where.date', '"dd" is not a form such as dd.MM.yyyy, with day, month and year']],
  ],
  // Otherwise each of these would select every row.
  [
    'fields: {}\ndisable: { where: { column: locked_at } }',
    [[2, 'disable.where', 'needs one of in, not_in, match, filled, not_past, past and bit']],
  ],
  [
    'fields: {}\nskip:\n  where:\n    - { column: gone, filled: true }\n    - { column: lock, known: [U] }',
    [[5, 'skip.where.1', 'known: needs in:, the values that are skipped or disabled']],
  ],
  [
    'fields: {}\nskip: { where: { column: lock, known: [U], filled: true } }',
    [[2, 'skip.where', 'known: needs in:, the values that are skipped or disabled']],
  ],
  // A value of several forms: the fault is in the form that was meant.
  [
    'fields: {}\nskip: { where: { column: lock, inn: [U] } }',
    [[2, 'skip.where.inn', 'there is no such key']],
  ],
  [
    'fields: {}\ndisable:\n  where:\n    - { column: lock, in: U }',
    [[4, 'disable.where.0.in', 'expected Array']],
  ],
  [
    'fields: {}\npassword: { column: a, algorithm: { column: b, value: md5 } }',
    [[2, 'password.algorithm.value', 'there is no such key']],
  ],
  [
    'fields: {}\npassword: { column: a, algorithm: { infer: yes } }',
    [[2, 'password.algorithm.infer', 'expected true']],
  ],
  [
    'fields: {}\npassword: { column: a, algorithm: { colum: b } }',
    [[2, 'password.algorithm', 'needs one of column, infer, value and foreign']],
  ],
  ['fields: {}\nskip: { where: 7 }', [[2, 'skip.where', 'expected (Object | Array)']]],
  ['fields: {}\nfields: {}\n', [[2, '', expect.stringContaining('put what follows under the first one')]]],
  ['name: a\nfields: ]]]}}}\n', [[2, '', expect.stringContaining('not readable as YAML')]]],
  ['', [[undefined, 'fields', expect.stringContaining('expected')]]],
  ['{"fields": {"user_name": {"column": "a"}}}', []],
])('%j is rejected with line and path', async (text, expected) => {
  const reading = await readRecipe(text);
  const issues = 'issues' in reading ? reading.issues : [];
  expect(issues.map(({ line, path, message }) => [line, path, message])).toEqual(expected);
});

test('examples are checked before anything is read', async () => {
  const wrong = vendor.replace('user_name: ann', 'user_name: Ann');
  await expect(runImport(`${header}\n`, { recipe: await recipeOf(wrong) })).rejects.toThrow(
    /example 1 of the recipe does not come out as written: user_name is "ann", not "Ann"/,
  );
});

test('columns that are missing in the file are reported', async () => {
  await expect(
    runImport(`login,pwd_hash,enc\nann,${md5},MD5\n`, { recipe: await recipeOf(vendor) }),
  ).rejects.toThrow(
    /recipe mine.yaml: the file has no column "tel", "last", "first", "sex", "born", "uid", "status"/,
  );
});

test('the digest of a recipe depends on what it does, not on its order, its examples or its title', async () => {
  const base = (await recipeOf(vendor)).recipe;
  const { from, ...others } = base;
  expect(recipeDigest({ ...others, ...(from ? { from } : {}), title: 'x', examples: [] })).toBe(
    recipeDigest(base),
  );
  const changed = (await recipeOf(vendor.replace('lower: true', 'lower: false'))).recipe;
  expect(recipeDigest(changed)).not.toBe(recipeDigest(base));
});
