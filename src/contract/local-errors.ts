import { type ErrorEntry, type ErrorName, errorCatalogue } from './errors.ts';
import { type EndpointName, endpoints } from './operations.ts';

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
