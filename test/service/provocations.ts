import type { ErrorName, LocalErrorName } from '../../src/contract/errors.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import { device, type TestService } from '../test-service.ts';
import { writeCalls } from './validation/write-calls.ts';

/** Makes a service with the default tenant reject an operation. */
export type Provocation = (service: TestService) => Promise<{ status: number; body: unknown }>;

/** Bodies that Create, Import and Modify reject, each under the name of its API error. */
export const refusedBodies: Partial<Record<ErrorName, object>> = {
  userNameInvalid: { user_name: 'a b' },
  nameInvalid: { name: 'a\u0000b' },
  mobileInvalid: { mobile: '12' },
  areaCodeNotPermitted: { mobile: '+49-15112345678' },
  emailInvalid: { email: 'nobody' },
  genderInvalid: { attr_gender: 'm' },
  birthdayInvalid: { attr_birthday: '2023-02-29' },
  nickNameInvalid: { attr_nick_name: 'x'.repeat(101) },
  mailingAddressInvalid: { mailing_address: 'x'.repeat(256) },
  zipCodeInvalid: { zip_code: 'x'.repeat(21) },
  firstNameInvalid: { first_name: 'x'.repeat(101) },
  middleNameInvalid: { middle_name: 'x'.repeat(101) },
  lastNameInvalid: { last_name: 'x'.repeat(101) },
  industryInvalid: { industry: 'x'.repeat(101) },
  externalIdInvalid: { external_id: 'x'.repeat(256) },
  extensionInvalid: { extension: { age: 'old' } },
  userNameTaken: { user_name: 'taken' },
  mobileTaken: { mobile: '86-15200000000' },
  emailTaken: { email: 'taken@example.com' },
  algorithmNotSupported: { 'hash-pwd': { algorithm: 'sha1', value: 'x' } },
  hashKeyEmpty: { 'hash-pwd': { algorithm: 'hmacsha256_base64_key', value: 'x' } },
};

/** A user who has the unique values of the bodies above. */
export const holder = { user_name: 'Taken', mobile: '+86-15200000000', email: 'Taken@example.com' };

const users = '/api/v2/tenant/users';

function lookUp(path: string, body: object): Provocation {
  return ({ request }) => request('POST', `${users}/${path}`, { body });
}

function verify(values: object): Provocation {
  return ({ request }) =>
    request('POST', '/api/v2/tenant/sso/sso-ticket/verify', { body: { ...device, ...values } });
}

function create(body: object): { createUser: Provocation } {
  return { createUser: (service) => writeCalls.createUser(service, body) };
}

async function verifyElsewhere(service: TestService) {
  await service.client.createUser({ user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false });
  const login = await service.client.logIn('ann', 'qwe123!@#', device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  const { sso_ticket } = await service.client.issueSsoTicket(session, device);
  return verify({ sso_ticket, device_fingerprint: 'another' })(service);
}

/** Every other API error that the default tenant can be made to return. */
export const provocations: Partial<
  Record<ErrorName | LocalErrorName, Partial<Record<OperationName, Provocation>>>
> = {
  userNotFound: {
    updateUser: ({ request }) => request('PUT', `${users}/nobody`, { body: { name: 'x' } }),
    getUser: ({ request }) => request('GET', `${users}/nobody`),
    getUserByUserName: lookUp('user-by-username', { user_name: 'nobody' }),
    getUserByEmail: lookUp('user-by-email', { email: 'nobody@example.com' }),
    getUserByMobile: lookUp('user-by-mobile', { mobile: '15200000009' }),
    getUserByExternalId: lookUp('user-by-external-id', { external_id: 'nobody' }),
    disableUser: ({ request }) => request('PUT', `${users}/nobody/disable`),
  },
  userNameEmpty: { updateUser: (service) => writeCalls.updateUser(service, { user_name: '' }) },
  userNameInvalid: { getUserByUserName: lookUp('user-by-username', { user_name: '' }) },
  emailInvalid: { getUserByEmail: lookUp('user-by-email', { email: 'nobody' }) },
  mobileInvalid: { getUserByMobile: lookUp('user-by-mobile', { mobile: '12' }) },
  areaCodeNotPermitted: { getUserByMobile: lookUp('user-by-mobile', { mobile: '+49-1' }) },
  externalIdInvalid: { getUserByExternalId: lookUp('user-by-external-id', { external_id: '' }) },
  passwordLength: create({ pwd: 'Ab1!' }),
  passwordComplexity: create({ pwd: 'onlysmallletters' }),
  passwordRepeats: create({ pwd: 'Aaaaaaa-bcd-1' }),
  passwordReversedUserName: create({ user_name: '7-terces-nnA', pwd: 'Ann-secret-7' }),
  passwordContainsUser: create({ user_name: 'annabel', pwd: 'xAnnabel-26' }),
  passwordWeak: create({ pwd: 'P@ssw0rd' }),
  pageInvalid: { listUsers: ({ request }) => request('GET', `${users}?offset=0&limit=9`) },
  ticketInvalid: { verifySsoTicket: verify({ sso_ticket: 'unknown' }) },
  fingerprintDiffers: { verifySsoTicket: verifyElsewhere },
  ssoFieldMissing: { verifySsoTicket: verify({}) },
};
