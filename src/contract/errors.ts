import { type EndpointName, endpoints } from './operations.ts';

/** One API error. `{0}` and `{1}` in `message` are placeholders. */
export interface ErrorEntry {
  code: string;
  message: string;
  /** Endpoints that can answer with the error, operations first; empty if all can, or none. */
  on: readonly EndpointName[];
  /** HTTP status; default 400 (§7.1). */
  status?: number;
}

const create = ['createUser', 'importHashedUser'] as const;
const write = [...create, 'updateUser'] as const;
const newPassword = [...create, 'updatePassword', 'changePassword'] as const;

/** All error codes of the specification (§7.2, §4.5 to §4.9, §4.11), by the name of the error. */
export const errorCatalogue = {
  userNotFound: {
    code: 'SVC.TENANT.USER.0001',
    message: 'User not found',
    on: [
      ...write,
      'getUser',
      'getUserByUserName',
      'getUserByEmail',
      'getUserByMobile',
      'getUserByExternalId',
      'disableUser',
      'changePassword',
    ],
  },
  userNameEmpty: { code: 'SVC.TENANT.USER.0002', message: 'Username cannot be empty', on: write },
  nameEmpty: { code: 'SVC.TENANT.USER.0003', message: 'Name cannot be empty', on: write },
  mobileEmpty: { code: 'SVC.TENANT.USER.0004', message: 'Mobile number cannot be empty', on: write },
  emailEmpty: { code: 'SVC.TENANT.USER.0005', message: 'E-mail cannot be empty', on: write },
  passwordEmpty: { code: 'SVC.TENANT.USER.0006', message: 'Password cannot be empty', on: newPassword },
  genderEmpty: { code: 'SVC.TENANT.USER.0007', message: 'Gender cannot be empty', on: write },
  birthdayEmpty: { code: 'SVC.TENANT.USER.0008', message: 'Birthday cannot be empty', on: write },
  nickNameEmpty: { code: 'SVC.TENANT.USER.0009', message: 'Nick name cannot be empty', on: write },
  mailingAddressEmpty: {
    code: 'SVC.TENANT.USER.0010',
    message: 'Mailing address cannot be empty',
    on: write,
  },
  zipCodeEmpty: { code: 'SVC.TENANT.USER.0011', message: 'Zip code cannot be empty', on: write },
  firstNameEmpty: { code: 'SVC.TENANT.USER.0012', message: 'First name cannot be empty', on: write },
  middleNameEmpty: { code: 'SVC.TENANT.USER.0013', message: 'Middle name cannot be empty', on: write },
  lastNameEmpty: { code: 'SVC.TENANT.USER.0014', message: 'Last name cannot be empty', on: write },
  industryEmpty: { code: 'SVC.TENANT.USER.0015', message: 'Industry cannot be empty', on: write },
  externalIdEmpty: { code: 'SVC.TENANT.USER.0016', message: 'External ID cannot be empty', on: create },
  extensionEmpty: {
    code: 'SVC.TENANT.USER.0017',
    message: 'Extended property {0} cannot be empty',
    on: write,
  },
  userNameInvalid: {
    code: 'SVC.TENANT.USER.0018',
    message: 'The username does not meet the verification rules',
    on: [...write, 'getUserByUserName'],
  },
  nameInvalid: {
    code: 'SVC.TENANT.USER.0019',
    message: 'The name does not meet the verification rules',
    on: write,
  },
  mobileInvalid: {
    code: 'SVC.TENANT.USER.0020',
    message: 'The mobile number does not meet the verification rules',
    on: [...write, 'getUserByMobile'],
  },
  emailInvalid: {
    code: 'SVC.TENANT.USER.0021',
    message: 'The e-mail does not meet the verification rules',
    on: [...write, 'getUserByEmail'],
  },
  genderInvalid: {
    code: 'SVC.TENANT.USER.0023',
    message: 'The gender does not meet the verification rules',
    on: write,
  },
  birthdayInvalid: {
    code: 'SVC.TENANT.USER.0024',
    message: 'The birthday does not meet the verification rules',
    on: write,
  },
  nickNameInvalid: {
    code: 'SVC.TENANT.USER.0025',
    message: 'The nickname does not meet the verification rules',
    on: write,
  },
  mailingAddressInvalid: {
    code: 'SVC.TENANT.USER.0026',
    message: 'The mailing address does not meet the verification rules',
    on: write,
  },
  zipCodeInvalid: {
    code: 'SVC.TENANT.USER.0027',
    message: 'The zip code does not meet the verification rules',
    on: write,
  },
  firstNameInvalid: {
    code: 'SVC.TENANT.USER.0028',
    message: 'The first name does not meet the verification rules',
    on: write,
  },
  middleNameInvalid: {
    code: 'SVC.TENANT.USER.0029',
    message: 'The middle name does not meet the verification rules',
    on: write,
  },
  lastNameInvalid: {
    code: 'SVC.TENANT.USER.0030',
    message: 'The last name does not meet the verification rules',
    on: write,
  },
  industryInvalid: {
    code: 'SVC.TENANT.USER.0031',
    message: 'The industry does not meet the verification rules',
    on: write,
  },
  externalIdInvalid: {
    code: 'SVC.TENANT.USER.0032',
    message: 'The external ID does not meet the verification rules',
    on: [...create, 'getUserByExternalId'],
  },
  extensionInvalid: {
    code: 'SVC.TENANT.USER.0033',
    message: 'The extended attribute {0} does not meet the verification rules',
    on: write,
  },
  areaCodeNotPermitted: {
    code: 'SVC.TENANT.MOBILE.0002',
    message: 'An unauthenticated cell mobile number',
    on: [...write, 'getUserByMobile'],
  },
  userNameTaken: { code: 'SVC.TENANT.USER.0034', message: 'Username already exists', on: write },
  mobileTaken: { code: 'SVC.TENANT.USER.0035', message: 'Mobile number already exists', on: write },
  emailTaken: { code: 'SVC.TENANT.USER.0036', message: 'E-mail already exists', on: write },
  extensionTaken: {
    code: 'SVC.TENANT.USER.0037',
    message: 'Extended property {0} already exists',
    on: write,
  },
  algorithmNotSupported: {
    code: 'SVC.TENANT.ALGORITHM.0001',
    message: 'This algorithm type is not supported',
    on: ['importHashedUser'],
  },
  hashKeyEmpty: {
    code: 'SVC.TENANT.ALGORITHM.0002',
    message: 'Hash password object KEY cannot be empty',
    on: ['importHashedUser'],
  },
  passwordUsedBefore: {
    code: 'SVC.TENANT.PWD.0001',
    message: 'The password is used before, cannot be used again',
    on: newPassword,
  },
  passwordReversedUserName: {
    code: 'SVC.TENANT.PWD.0002',
    message: 'Password cannot username in reverse order',
    on: newPassword,
  },
  passwordContainsUser: {
    code: 'SVC.TENANT.PWD.0003',
    message: 'Password cannot contain :username, mobile number, email prefix, name in PinYing',
    on: newPassword,
  },
  passwordComplexity: {
    code: 'SVC.TENANT.PWD.0004',
    message: 'Your password complexity is low, {0}',
    on: newPassword,
  },
  passwordWeak: { code: 'SVC.TENANT.PWD.0005', message: 'The password is weak', on: newPassword },
  passwordRepeats: {
    code: 'SVC.TENANT.PWD.0006',
    message: 'Number of character repeat in password should not exceed {0}',
    on: newPassword,
  },
  passwordLength: {
    code: 'SVC.TENANT.PWD.0007',
    message: 'The password must contain {0} to {1} characters',
    on: newPassword,
  },
  pageInvalid: {
    code: 'SVC.TENANT.PAGE.0001',
    message: 'The number of pages does not meet the verification rules',
    on: ['listUsers'],
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errorCatalogue;

/**
 * Error codes that the local service adds where the specification has none: malformed requests, the companion endpoints, and
 * failures of the service itself. A remote tenant may answer such cases differently.
 */
export const localErrors = {
  systemBusy: {
    code: 'SVC.TENANT.COM.0002',
    message: 'System busy, please try again later',
    on: [],
    status: 500,
  },
  requestInvalid: { code: 'SVC.TENANT.COM.0003', message: 'The request is not valid: {0}', on: [] },
  noSuchEndpoint: { code: 'SVC.TENANT.COM.0004', message: 'No such endpoint', on: [], status: 404 },
  methodNotAllowed: { code: 'SVC.TENANT.COM.0005', message: 'Method not allowed', on: [], status: 405 },
  bodyTooLarge: { code: 'SVC.TENANT.COM.0006', message: 'The body is larger than {0}', on: [], status: 413 },
  mediaTypeNotSupported: {
    code: 'SVC.TENANT.COM.0007',
    message: 'The content type is not supported, send application/json',
    on: [],
    status: 415,
  },
  rateLimited: {
    code: 'SVC.TENANT.COM.0008',
    message: 'Too many requests, please try again later',
    on: [],
    status: 429,
  },
  ticketInvalid: {
    code: 'SVC.TENANT.SSO.0001',
    message: 'The SSO ticket is unknown, used or expired',
    on: ['verifySsoTicket'],
  },
  fingerprintDiffers: {
    code: 'SVC.TENANT.SSO.0002',
    message: 'The device fingerprint differs from that of the login',
    on: ['verifySsoTicket', 'issueSsoTicket'],
  },
  ssoFieldMissing: {
    code: 'SVC.TENANT.SSO.0003',
    message: 'The field {0} cannot be empty',
    on: ['verifySsoTicket', 'issueSsoTicket'],
  },
  sessionInvalid: {
    code: 'SVC.TENANT.SSO.0004',
    message: 'The session token is unknown or expired',
    on: ['issueSsoTicket'],
  },
  stateInvalid: {
    code: 'SDK.COMMON.1004',
    message: 'The state token is unknown or expired',
    on: ['updatePassword'],
  },
  deviceHeaderMissing: { code: 'SDK.COMMON.1003', message: 'The header {0} cannot be empty', on: ['logIn'] },
  applicationUnknown: { code: 'SDK.COMMON.1012', message: 'The X-client-id is unknown', on: ['logIn'] },
  loginLocked: {
    code: 'SDK.LOGIN.1003',
    message: 'Too many failed logins, please try again in {0} seconds',
    on: ['logIn', 'updatePassword'],
  },
  loginRefused: {
    code: 'SDK.LOGIN.1005',
    message: 'The user name or the password is wrong, attempts left: {0}',
    on: ['logIn', 'updatePassword'],
  },
} as const satisfies Record<string, ErrorEntry>;

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
