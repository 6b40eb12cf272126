import { type EndpointName, endpoints } from './operations.ts';

/** One API error. `{0}` and `{1}` in `message` are placeholders. */
export interface ErrorEntry {
  code: string;
  message: string;
  /** Endpoints that can answer with the error, operations first; empty if all can, or none. */
  on: readonly EndpointName[];
  /** HTTP status; 400 unless stated otherwise (§7.1). */
  status: number;
}

const row = (code: string, message: string, on: readonly EndpointName[] = [], status = 400): ErrorEntry => ({
  code,
  message,
  on,
  status,
});

const create = ['createUser', 'importHashedUser'] as const;
const write = [...create, 'updateUser'] as const;
const newPassword = [...create, 'updatePassword', 'changePassword'] as const;
const lookUps = ['getUserByUserName', 'getUserByEmail', 'getUserByMobile', 'getUserByExternalId'] as const;
const found = [...write, 'getUser', ...lookUps, 'disableUser', 'changePassword'] as const;
const tickets = ['verifySsoTicket', 'issueSsoTicket'] as const;
const logins = ['logIn', 'updatePassword'] as const;

const empty = (code: string, what: string, on: readonly EndpointName[] = write) =>
  row(code, `${what} cannot be empty`, on);

const invalid = (code: string, what: string, on: readonly EndpointName[] = write) =>
  row(code, `The ${what} does not meet the verification rules`, on);

/** All error codes of the specification (§7.2, §4.5 to §4.9, §4.11), by the name of the error. */
export const errorCatalogue = {
  userNotFound: row('SVC.TENANT.USER.0001', 'User not found', found),
  userNameEmpty: empty('SVC.TENANT.USER.0002', 'Username'),
  nameEmpty: empty('SVC.TENANT.USER.0003', 'Name'),
  mobileEmpty: empty('SVC.TENANT.USER.0004', 'Mobile number'),
  emailEmpty: empty('SVC.TENANT.USER.0005', 'E-mail'),
  passwordEmpty: empty('SVC.TENANT.USER.0006', 'Password', newPassword),
  genderEmpty: empty('SVC.TENANT.USER.0007', 'Gender'),
  birthdayEmpty: empty('SVC.TENANT.USER.0008', 'Birthday'),
  nickNameEmpty: empty('SVC.TENANT.USER.0009', 'Nick name'),
  mailingAddressEmpty: empty('SVC.TENANT.USER.0010', 'Mailing address'),
  zipCodeEmpty: empty('SVC.TENANT.USER.0011', 'Zip code'),
  firstNameEmpty: empty('SVC.TENANT.USER.0012', 'First name'),
  middleNameEmpty: empty('SVC.TENANT.USER.0013', 'Middle name'),
  lastNameEmpty: empty('SVC.TENANT.USER.0014', 'Last name'),
  industryEmpty: empty('SVC.TENANT.USER.0015', 'Industry'),
  externalIdEmpty: empty('SVC.TENANT.USER.0016', 'External ID', create),
  extensionEmpty: empty('SVC.TENANT.USER.0017', 'Extended property {0}'),
  userNameInvalid: invalid('SVC.TENANT.USER.0018', 'username', [...write, 'getUserByUserName']),
  nameInvalid: invalid('SVC.TENANT.USER.0019', 'name'),
  mobileInvalid: invalid('SVC.TENANT.USER.0020', 'mobile number', [...write, 'getUserByMobile']),
  emailInvalid: invalid('SVC.TENANT.USER.0021', 'e-mail', [...write, 'getUserByEmail']),
  genderInvalid: invalid('SVC.TENANT.USER.0023', 'gender'),
  birthdayInvalid: invalid('SVC.TENANT.USER.0024', 'birthday'),
  nickNameInvalid: invalid('SVC.TENANT.USER.0025', 'nickname'),
  mailingAddressInvalid: invalid('SVC.TENANT.USER.0026', 'mailing address'),
  zipCodeInvalid: invalid('SVC.TENANT.USER.0027', 'zip code'),
  firstNameInvalid: invalid('SVC.TENANT.USER.0028', 'first name'),
  middleNameInvalid: invalid('SVC.TENANT.USER.0029', 'middle name'),
  lastNameInvalid: invalid('SVC.TENANT.USER.0030', 'last name'),
  industryInvalid: invalid('SVC.TENANT.USER.0031', 'industry'),
  externalIdInvalid: invalid('SVC.TENANT.USER.0032', 'external ID', [...create, 'getUserByExternalId']),
  extensionInvalid: invalid('SVC.TENANT.USER.0033', 'extended attribute {0}'),
  areaCodeNotPermitted: row('SVC.TENANT.MOBILE.0002', 'An unauthenticated cell mobile number', [
    ...write,
    'getUserByMobile',
  ]),
  userNameTaken: row('SVC.TENANT.USER.0034', 'Username already exists', write),
  mobileTaken: row('SVC.TENANT.USER.0035', 'Mobile number already exists', write),
  emailTaken: row('SVC.TENANT.USER.0036', 'E-mail already exists', write),
  extensionTaken: row('SVC.TENANT.USER.0037', 'Extended property {0} already exists', write),
  algorithmNotSupported: row('SVC.TENANT.ALGORITHM.0001', 'This algorithm type is not supported', [
    'importHashedUser',
  ]),
  hashKeyEmpty: empty('SVC.TENANT.ALGORITHM.0002', 'Hash password object KEY', ['importHashedUser']),
  passwordUsedBefore: row(
    'SVC.TENANT.PWD.0001',
    'The password is used before, cannot be used again',
    newPassword,
  ),
  passwordReversedUserName: row(
    'SVC.TENANT.PWD.0002',
    'Password cannot username in reverse order',
    newPassword,
  ),
  passwordContainsUser: row(
    'SVC.TENANT.PWD.0003',
    'Password cannot contain :username, mobile number, email prefix, name in PinYing',
    newPassword,
  ),
  passwordComplexity: row('SVC.TENANT.PWD.0004', 'Your password complexity is low, {0}', newPassword),
  passwordWeak: row('SVC.TENANT.PWD.0005', 'The password is weak', newPassword),
  passwordRepeats: row(
    'SVC.TENANT.PWD.0006',
    'Number of character repeat in password should not exceed {0}',
    newPassword,
  ),
  passwordLength: row('SVC.TENANT.PWD.0007', 'The password must contain {0} to {1} characters', newPassword),
  pageInvalid: row('SVC.TENANT.PAGE.0001', 'The number of pages does not meet the verification rules', [
    'listUsers',
  ]),
} satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errorCatalogue;

/**
 * Error codes that the local service adds where the specification has none: malformed requests, the companion endpoints, and
 * failures of the service itself. A remote tenant may answer such cases differently.
 */
export const localErrors = {
  systemBusy: row('SVC.TENANT.COM.0002', 'System busy, please try again later', [], 500),
  requestInvalid: row('SVC.TENANT.COM.0003', 'The request is not valid: {0}'),
  noSuchEndpoint: row('SVC.TENANT.COM.0004', 'No such endpoint', [], 404),
  methodNotAllowed: row('SVC.TENANT.COM.0005', 'Method not allowed', [], 405),
  bodyTooLarge: row('SVC.TENANT.COM.0006', 'The body is larger than {0}', [], 413),
  mediaTypeNotSupported: row('SVC.TENANT.COM.0007', 'The {0} is not supported, send {1}', [], 415),
  rateLimited: row('SVC.TENANT.COM.0008', 'Too many requests, please try again later', [], 429),
  ticketInvalid: row('SVC.TENANT.SSO.0001', 'The SSO ticket is unknown, used or expired', [
    'verifySsoTicket',
  ]),
  fingerprintDiffers: row(
    'SVC.TENANT.SSO.0002',
    'The device fingerprint differs from that of the login',
    tickets,
  ),
  ssoFieldMissing: row('SVC.TENANT.SSO.0003', 'The field {0} cannot be empty', tickets),
  sessionInvalid: row('SVC.TENANT.SSO.0004', 'The session token is unknown or expired', ['issueSsoTicket']),
  stateInvalid: row('SDK.COMMON.1004', 'The state token is unknown or expired', ['updatePassword']),
  deviceHeaderMissing: row('SDK.COMMON.1003', 'The header {0} cannot be empty', ['logIn']),
  applicationUnknown: row('SDK.COMMON.1012', 'The X-client-id is unknown', ['logIn']),
  loginLocked: row('SDK.LOGIN.1003', 'Too many failed logins, please try again in {0} seconds', logins),
  loginRefused: row('SDK.LOGIN.1005', 'The user name or the password is wrong, attempts left: {0}', logins),
} satisfies Record<string, ErrorEntry>;

export type LocalErrorName = keyof typeof localErrors;
export type ApiErrorName = ErrorName | LocalErrorName;

/** All API errors: those of the specification, then those of the local service. */
export const apiErrors: Record<ApiErrorName, ErrorEntry> = { ...errorCatalogue, ...localErrors };

/** Returns the API errors that an endpoint can answer with. */
export function errorsOf(name: EndpointName): ApiErrorName[] {
  const all = Object.keys(apiErrors) as ApiErrorName[];
  return [
    ...all.filter((error) => apiErrors[error].on.includes(name)),
    ...(['requestInvalid', 'rateLimited', 'systemBusy'] as const),
    ...(endpoints[name].method === 'GET' ? [] : (['bodyTooLarge', 'mediaTypeNotSupported'] as const)),
  ];
}

/** Values of `error` when the token endpoint fails, and when any endpoint rejects a bearer token (§4.1, §5.3, §7.1). */
export const tokenErrors = {
  invalid_request: 'Missing or malformed parameter',
  invalid_client: 'Bad client credentials',
  unsupported_grant_type: 'Unsupported grant type',
  invalid_token: 'Invalid access',
  insufficient_scope: 'The scope of the application does not permit this operation',
} as const;

export type TokenErrorName = keyof typeof tokenErrors;

/** Returns the token errors that an endpoint can answer with. */
export function tokenErrorsOf(name: EndpointName): TokenErrorName[] {
  if (name === 'obtainToken') return ['invalid_request', 'invalid_client', 'unsupported_grant_type'];
  const { isOpen, reads } = endpoints[name];
  return isOpen ? [] : ['invalid_token', ...(reads ? [] : (['insufficient_scope'] as const))];
}
