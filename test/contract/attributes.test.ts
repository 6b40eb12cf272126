import { expect, test } from 'vitest';
import {
  type Attribute,
  attributes,
  genders,
  hashAlgorithms,
  userFields,
} from '../../src/contract/attributes.ts';
import { type ErrorEntry, type ErrorName, errorCatalogue } from '../../src/contract/errors.ts';

/** §4.3 and §4.4: what Create and Import accept, except the password, its flag and the extension attributes. */
const settable = [
  'user_name',
  'name',
  'mobile',
  'email',
  'attr_gender',
  'attr_birthday',
  'attr_nick_name',
  'mailing_address',
  'zip_code',
  'first_name',
  'middle_name',
  'last_name',
  'industry',
  'external_id',
  'head_img',
];

/** §2.2: attributes that only the service sets. */
const assigned = [
  'user_id',
  'pwd_change_at',
  'created_at',
  'updated_at',
  'disabled',
  'usr_auth_times',
  'usr_last_login',
];

const entries: [string, Attribute][] = Object.entries(attributes);

function entryOf(name: ErrorName): ErrorEntry {
  return errorCatalogue[name];
}

test('the table has every attribute that a caller can set by the specification', () => {
  expect(Object.keys(attributes)).toEqual(settable);
});

test('a user has every attribute, those that the service sets, and the extension', () => {
  expect([...userFields].sort()).toEqual([...settable, ...assigned, 'extension'].sort());
});

test('Modify accepts every attribute except the external ID (§4.10)', () => {
  const fixed = entries.filter(([, { updatable }]) => !updatable).map(([name]) => name);
  expect(fixed).toEqual(['external_id']);
});

test.each(entries)(
  '%s: its API errors say what they are for',
  (name, { empty, invalid, taken, updatable }) => {
    if (name === 'head_img') {
      expect([empty, invalid, taken]).toEqual([undefined, undefined, undefined]);
      return;
    }
    expect(empty && entryOf(empty).message).toMatch(/cannot be empty$/);
    expect(invalid && entryOf(invalid).message).toMatch(/does not meet the verification rules$/);
    if (taken) expect(entryOf(taken).message).toMatch(/already exists$/);
    const operations = updatable
      ? ['createUser', 'importHashedUser', 'updateUser']
      : ['createUser', 'importHashedUser'];
    for (const refusal of [empty, invalid, taken]) {
      if (refusal) expect(entryOf(refusal).on).toEqual(expect.arrayContaining(operations));
    }
  },
);

test('the errors for an empty and an invalid value are about the same attribute', () => {
  const subject = (name: ErrorName) => name.replace(/(Empty|Invalid|Taken)$/, '');
  const subjects = entries.map(([, { empty, invalid, taken }]) =>
    [empty, invalid, taken].flatMap((name) => (name ? [subject(name)] : [])),
  );
  expect(subjects.filter((names) => new Set(names).size > 1)).toEqual([]);
});

test('attributes are in the order of their codes, which is the order of checking (decision 26)', () => {
  const codes = (key: 'empty' | 'invalid') =>
    entries.flatMap(([name, attribute]) => {
      const refusal = attribute[key];
      return refusal && name !== 'head_img' ? [entryOf(refusal).code] : [];
    });
  expect(codes('empty')).toEqual(codes('empty').toSorted());
  expect(codes('invalid')).toEqual(codes('invalid').toSorted());
});

test('no two users share a user name, a mobile number or an e-mail address', () => {
  expect(entries.filter(([, { taken }]) => taken).map(([name]) => name)).toEqual([
    'user_name',
    'mobile',
    'email',
  ]);
});

test('genders and algorithms have the names of the specification (§2.2, §2.3)', () => {
  expect(genders).toEqual(['unknow', 'male', 'female']);
  expect(hashAlgorithms).toEqual(['md5', 'bcrypt', 'md5_sha256', 'hmacsha256_base64_key']);
});
