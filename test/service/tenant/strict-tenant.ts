import strict from '../../../fixtures/tenants/strict.json' with { type: 'json' };
import type { ErrorName } from '../../../src/contract/errors.ts';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import type { TestService } from '../../test-service.ts';

/** A tenant that requires every attribute and has a pattern for each: `fixtures/tenants/strict.json`. */
export const strictTenant = definitionOf(JSON.stringify(strict));

/** A user whom the strict tenant accepts; users of different numbers share no unique value. */
export function strictUser(number: number) {
  return {
    user_name: `ann.lee${number}`,
    name: 'Ann Lee',
    mobile: `+86-1520000${1000 + number}`,
    email: `ann${number}@example.com`,
    attr_gender: 'female',
    attr_birthday: '2000-02-29',
    attr_nick_name: 'Annie',
    mailing_address: '1 Main Street',
    zip_code: '100000',
    first_name: 'Ann',
    middle_name: 'B.',
    last_name: 'Lee',
    industry: 'IT',
    external_id: `X-${number}`,
    head_img: 'https://example.com/a.png',
    extension: { employee_no: `E${1000 + number}`, level: '3', contractor: 'false', joined_on: '2020-01-31' },
  } as const;
}

/** A hash to import. */
export const strictHash = { algorithm: 'md5', value: '0'.repeat(32) } as const;

const users = '/api/v2/tenant/users';

/** Values that replace those of an accepted user; in `extension` only the attributes to replace. */
type Spoilt = { extension?: object; [name: string]: unknown };

function spoil(number: number, values: Spoilt): object {
  const user = strictUser(number);
  return { ...user, ...values, extension: { ...user.extension, ...values.extension } };
}

/** The three writing operations on the strict tenant, each with values that replace those of an accepted user. */
export const strictCalls: Record<
  'createUser' | 'importHashedUser' | 'updateUser',
  (service: TestService, values: Spoilt) => Promise<{ status: number; body: unknown }>
> = {
  createUser: ({ request }, values) =>
    request('POST', users, { body: { pwd: 'qwe123!@#', ...spoil(1, values) } }),
  importHashedUser: ({ request }, values) =>
    request('POST', `${users}/import-hash-pwd`, { body: { 'hash-pwd': strictHash, ...spoil(2, values) } }),
  async updateUser({ client, request }, values) {
    const { user_id } = await client.importHashedUser({ ...strictUser(3), 'hash-pwd': strictHash });
    return request('PUT', `${users}/${user_id}`, { body: values });
  },
};

/**
 * Values that the strict tenant rejects, each under the name of its API error, while user 0 has the values that can
 * exist already.
 */
export const strictFaults: Partial<Record<ErrorName, Spoilt>> = {
  userNameEmpty: { user_name: '' },
  nameEmpty: { name: '' },
  mobileEmpty: { mobile: '' },
  emailEmpty: { email: null },
  passwordEmpty: { pwd: '', 'hash-pwd': { algorithm: 'md5', value: '' } },
  genderEmpty: { attr_gender: '' },
  birthdayEmpty: { attr_birthday: null },
  nickNameEmpty: { attr_nick_name: '' },
  mailingAddressEmpty: { mailing_address: '' },
  zipCodeEmpty: { zip_code: '' },
  firstNameEmpty: { first_name: '' },
  middleNameEmpty: { middle_name: '' },
  lastNameEmpty: { last_name: '' },
  industryEmpty: { industry: '' },
  externalIdEmpty: { external_id: '' },
  extensionEmpty: { extension: { level: '' } },
  userNameInvalid: { user_name: 'Ann' },
  nameInvalid: { name: 'ann' },
  mobileInvalid: { mobile: '15200000009' },
  emailInvalid: { email: 'ann@example.org' },
  genderInvalid: { attr_gender: 'unknow' },
  birthdayInvalid: { attr_birthday: '1899-12-31' },
  nickNameInvalid: { attr_nick_name: 'Annie 2' },
  mailingAddressInvalid: { mailing_address: 'Main Street' },
  zipCodeInvalid: { zip_code: '12345' },
  firstNameInvalid: { first_name: 'ann' },
  middleNameInvalid: { middle_name: 'Bea' },
  lastNameInvalid: { last_name: 'LEE' },
  industryInvalid: { industry: 'IT ' },
  externalIdInvalid: { external_id: 'X-' },
  extensionInvalid: { extension: { employee_no: 'E12345' } },
  userNameTaken: { user_name: 'ann.lee0' },
  mobileTaken: { mobile: '86-15200001000' },
  emailTaken: { email: 'ANN0@example.com' },
  extensionTaken: { extension: { employee_no: 'E1000' } },
};
