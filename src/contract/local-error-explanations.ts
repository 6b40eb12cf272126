import type { Explanation } from './error-explanations.ts';
import type { LocalErrorName, TokenErrorName } from './local-errors.ts';

const final = (cause: string, remedy: string): Explanation => ({ cause, remedy, retryable: false });
const passing = (cause: string, remedy: string): Explanation => ({ cause, remedy, retryable: true });

/** Why each error of the local service that is not in the specification happens; a remote tenant may mean less by them. */
export const localErrorExplanations: Record<LocalErrorName, Explanation> = {
  systemBusy: passing(
    'The service failed at the request. Whether it was carried out before that is not known.',
    'Look up whether a write took effect, then try again; when it stays so, see the log of the service.',
  ),
  requestInvalid: final(
    'The request has not the shape that the API asks for; the message names the field. No rule of the tenant was tried.',
    'Correct the field that the message names, such as head_img (a URL or image data) or a time (yyyy-MM-dd HH:mm:ss).',
  ),
  noSuchEndpoint: final(
    'The service has no endpoint at this path; often the base URL has a path too many.',
    'Check the base URL (tenant-users status). Logins and tickets exist only where the tenant has the companion endpoints.',
  ),
  methodNotAllowed: final(
    'The path exists, but not with this HTTP method; often a proxy or a redirect changed the request.',
    'Check the base URL and any proxy on the way.',
  ),
  bodyTooLarge: final(
    'The request is larger than the service reads, most often because of an image in head_img.',
    'Send a smaller image, or the URL of one.',
  ),
  mediaTypeNotSupported: final(
    'The body was not declared as JSON.',
    'Send content-type: application/json; where this program sent it, look for a proxy that changes headers.',
  ),
  rateLimited: passing(
    'The application sends more requests a second than the service takes. Nothing was done.',
    'Try again later, or with fewer requests at the same time (--concurrency).',
  ),
  ticketInvalid: final(
    'The ticket is unknown, was used, or has expired, or its user is disabled. A ticket works once, and for a few minutes.',
    'Obtain a fresh ticket; on the local service: tenant-users sso ticket USER',
  ),
  fingerprintDiffers: final(
    'The device is not the one that the user logged in with. The ticket or session is used up by this.',
    'Log in again and give the same --device-fingerprint throughout.',
  ),
  ssoFieldMissing: final(
    'A required field of the request is missing or empty; the message names it.',
    'Give the field that the message names; for tickets: --os-version, --device-ip and --device-fingerprint.',
  ),
  sessionInvalid: final(
    'The session of the login is unknown or has expired.',
    'Log in again, then ask for the ticket at once.',
  ),
  stateInvalid: final(
    'The state token of a login whose password must be changed is unknown, used or expired.',
    'Log in again to get a new state token.',
  ),
  deviceHeaderMissing: final(
    'A login must name its application and its device; the message names the header that is missing.',
    'Send the header that the message names.',
  ),
  applicationUnknown: final(
    'No application of the service has the id in X-client-id. Nothing was said about the user or the password.',
    'Check the client id: tenant-users status.',
  ),
  loginLocked: passing(
    'There were too many failed logins of this user, and logins are locked for a while.',
    'Wait as long as the message says before the next try.',
  ),
  loginRefused: final(
    'There is no such user, the password is wrong, or the user is disabled: the service does not say which, so that users cannot be guessed.',
    'Check both; look the user up with tenant-users get. An imported hash may have been made in another way than its algorithm says.',
  ),
};

/** Why the service does not accept who asks (§4.1, §5.3). */
export const tokenErrorExplanations: Record<TokenErrorName, Explanation> = {
  invalid_request: final(
    'The request for a token lacks a parameter, or has one that is malformed.',
    'Check client id and secret for blanks; where a proxy strips queries, log in with --auth-style form or basic.',
  ),
  invalid_client: final(
    'The client id is unknown to this service, or the secret is not the one of this id.',
    'Check the client id and secret, then run: tenant-users login',
  ),
  unsupported_grant_type: final(
    'The token endpoint does not give tokens for client credentials.',
    'Check the base URL: this may be another service. Otherwise have the application permitted to use client_credentials.',
  ),
  insufficient_scope: final(
    'The application has the scope read: it may list users, look them up and exchange tickets, and nothing else.',
    'Use an application with the scope all. For the local service: tenant-users apps create --scope all',
  ),
  invalid_token: final(
    'The access token is unknown or expired, and a fresh one was not accepted either; or the application was revoked.',
    'Run: tenant-users login',
  ),
};
