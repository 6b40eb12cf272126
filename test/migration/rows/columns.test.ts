import { expect, test } from 'vitest';
import type { SourceError } from '../../../src/migration/model/errors.ts';
import { compileColumns } from '../../../src/migration/rows/columns.ts';
import type { ColumnOptions } from '../../../src/migration/rows/fields/column-options.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const source = (header: string) => ({
  file: 'users.csv',
  header: { row: 0, line: 1, cells: header.split(',') },
  rows: 1,
  format: 'csv' as const,
  reading: ['utf-8', 'comma'],
});
const map = (...pairs: string[]): NonNullable<ColumnOptions['map']> =>
  pairs.map((pair) => ({ field: pair.split('=')[0] ?? '', column: pair.split('=')[1] ?? '' }));
const set = (field: string, value: string) => [{ field, value }];

test.each<[string, string, ColumnOptions, RegExp]>([
  [
    'an unknown field',
    'user_name,algorithm,hash',
    { map: map('login=user_name') },
    /--map: unknown field "login"/,
  ],
  [
    'hashes of an algorithm that is not named',
    'user_name,hash',
    { allowPasswordless: true },
    /column "algorithm" is missing; .* by the form of each \(--algorithm infer\)$/,
  ],
  [
    'two columns for a field',
    'a,b,algorithm,hash',
    { map: map('name=a', 'name=b') },
    /name is mapped to two columns, "a" and "b"/,
  ],
  [
    'two fields for a column',
    'a,algorithm,hash',
    { map: map('name=a', 'email=a') },
    /"a" is mapped to both name and email/,
  ],
  [
    'a column that is not there',
    'user_name,algorithm,hash',
    { map: map('name=Full') },
    /line 1: --map names "Full", which is not a column/,
  ],
  [
    'a constant for a unique field',
    'algorithm,hash',
    { set: set('email', 'a@b') },
    /--set email: every user would have the same/,
  ],
  [
    'a key on the command line',
    'algorithm,hash',
    { set: set('key', 'k') },
    /--set key: give the key with --key-file/,
  ],
  [
    'a constant that is no value',
    'algorithm,hash',
    { set: set('pwd_must_modify', 'no') },
    /--set pwd_must_modify: "no" is not a valid value/,
  ],
  [
    'the list of a job, whatever is ignored',
    'row,line,user_name,external_id,code,message,hint,user_id',
    { ignoreUnknown: true, allowPasswordless: true },
    /this is the failures\.csv of a job, not a file of users$/,
  ],
  [
    'names in other spellings',
    'User_Name,e-mail,password_hash,algorithm',
    {},
    /unknown columns: User_Name, e-mail, password_hash; likely meant: --map user_name=User_Name --map email=e-mail --map hash=password_hash,/,
  ],
  [
    'a header of Discourse, whose salt is no HMAC key',
    'username,password_hash,salt,algorithm',
    {},
    /unknown columns: username, password_hash, salt; likely meant: --map user_name=username --map hash=password_hash, or ignore/,
  ],
  [
    'a header of WordPress',
    'ID,user_login,user_pass,user_email,display_name',
    {},
    /--map external_id=ID --map user_name=user_login --map hash=user_pass --map email=user_email --map name=display_name[,)]/,
  ],
  [
    'a header of LDAP',
    'uid,cn,telephoneNumber,employeeNumber,userPassword',
    {},
    /--map user_name=uid --map name=cn --map mobile=telephoneNumber --map external_id=employeeNumber --map hash=userPassword[,)]/,
  ],
  [
    'a header of Cognito and Devise',
    'cognito:username,encrypted_password,enc,dept,hash2',
    {},
    /--map user_name=cognito:username --map hash=encrypted_password --map algorithm=enc --map extension.dept=dept[,)]/,
  ],
  [
    'two columns for one field',
    'uid,login,mail,algorithm,hash',
    {},
    /likely meant: --map email=mail; either of uid and login may be user_name: choose one with --map user_name=COLUMN,/,
  ],
  [
    'a column of passwords',
    'user_name,password',
    {},
    /unknown columns: password; map password to hash only if it holds hashes, never passwords,/,
  ],
])('%s is rejected', (_, header, choices, message) => {
  expect(() => compileColumns(source(header), choices)).toThrow(message);
});

test('a mapped column replaces one that has the name of the field', () => {
  const choices = { map: map('user_name=login'), ignoreUnknown: true };
  const { known } = compileColumns(source('user_name,login,algorithm,hash'), choices);
  expect(known.map(({ name, target }) => [name, target])).toEqual([
    ['login', 'user_name'],
    ['algorithm', 'algorithm'],
    ['hash', 'value'],
  ]);
});

test.each([
  ['email,algorithm,hash', ['user_name=email'], ['email user_name', 'email email']],
  ['mail,algorithm,hash', ['user_name=mail', 'email=mail'], ['mail user_name', 'mail email']],
  ['email,mail,algorithm,hash', ['user_name=email', 'email=mail'], ['email user_name', 'mail email']],
  ['email,algorithm,hash', ['name=email'], ['email name']],
])(
  'of the columns %s with --map %j, the user name shares its column with another identifier',
  (header, pairs, read) => {
    const { known } = compileColumns(source(header), { map: map(...pairs) });
    expect(known.slice(0, -2).map(({ name, target }) => `${name} ${target}`)).toEqual(read);
  },
);

test('the digest of the options changes with every option that changes what is sent, and with no other', () => {
  const header = 'a,user_name,algorithm,hash';
  const digest = (choices: ColumnOptions) =>
    compileColumns(source(header), { map: map('name=a'), ...choices }).optionsDigest;
  const base = digest({});
  expect(base).toMatch(/^[0-9a-f]{64}$/);
  const others: ColumnOptions[] = [
    { map: map('email=a') },
    { algorithm: 'md5' },
    { key: 'one' },
    { key: 'two' },
    { set: set('industry', 'x') },
    { allowPasswordless: true },
    { accept: ['FORMULA'] },
  ];
  const digests = [base, ...others.map(digest)];
  expect(new Set(digests).size).toBe(digests.length);
  const two = [...set('industry', 'x'), ...set('zip_code', '1')];
  expect(digest({ set: two })).toBe(digest({ set: two.toReversed() }));
  expect(digest({ ignoreUnknown: true })).toBe(base);
});

test('constants, the algorithm and the HMAC key fill only cells that a row leaves empty', async () => {
  const { md5, hmacsha256_base64_key: hmac } = goodHashes;
  const content = `name,industry,algorithm,hash,key\nann,,,${md5},\nbob,IT,hmacsha256_base64_key,${hmac},own\ncid,,hmacsha256_base64_key,${hmac},\n`;
  const { sent } = await runImport(content, {
    set: [...set('industry', 'none'), ...set('pwd_must_modify', 'false')],
    algorithm: 'md5',
    key: 'given',
    concurrency: 1,
  });
  const keyed = (key: string) => ({ algorithm: 'hmacsha256_base64_key', value: hmac, key });
  expect(sent).toEqual([
    { name: 'ann', industry: 'none', pwd_must_modify: false, 'hash-pwd': { algorithm: 'md5', value: md5 } },
    { name: 'bob', industry: 'IT', pwd_must_modify: false, 'hash-pwd': keyed('own') },
    { name: 'cid', industry: 'none', pwd_must_modify: false, 'hash-pwd': keyed('given') },
  ]);
});

test('a file without a column for algorithms needs an algorithm for all rows', async () => {
  const content = `name,hash\nann,{MD5}${goodHashes.md5}\n`;
  await expect(runImport(content)).rejects.toThrow(/column "algorithm" is missing/);
  const { sent } = await runImport(content, { algorithm: 'md5' });
  expect(sent[0]?.['hash-pwd']).toEqual({ algorithm: 'md5', value: goodHashes.md5 });
});

test('one external ID for all users is refused: each could be found by it, and nobody could change it later', async () => {
  const set = [{ field: 'external_id', value: 'E1' }];
  await expect(runImport(`user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`, { set })).rejects.toThrow(
    '--set external_id: every user would have the same',
  );
});

test('the way to a recipe is named for a file of another system, but not for one of people without passwords', () => {
  const hintFor = (header: string, options: ColumnOptions) => {
    try {
      compileColumns({ ...source(header), file: 'my users.csv' }, options);
    } catch (failure) {
      return (failure as SourceError).hint;
    }
    throw new Error('the columns were taken');
  };
  const way = expect.stringMatching(/^Nothing was sent\. .*: tenant-users recipe make 'my users\.csv'$/);
  for (const header of ['login,pw', 'user_name,algorithm,hash,dept', 'user_name,email'])
    expect(hintFor(header, {}), header).toEqual(way);
  expect(hintFor('user_name,dept', { allowPasswordless: true })).toBe('');
  // A recipe would refuse this, too.
  expect(hintFor('email,email,algorithm,hash', {})).toBe('');
});

test('an ID in a column of that name is not proposed as a user name', () => {
  const known = 'user_name,algorithm,hash';
  expect(() => compileColumns(source('user_id,note'))).toThrow(
    '(map user_id to external_id only if another system gave it (a list of IDs of this one is for tenant-users disable))',
  );
  expect(() => compileColumns(source(`${known},user_id`))).toThrow('map user_id to external_id only if');
  expect(() => compileColumns(source(`${known},external_id,user_id`))).toThrow(
    'unknown columns: user_id; map them',
  );
});
