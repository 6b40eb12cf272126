import {
  type ApiErrorName,
  apiErrors,
  type ErrorName,
  type LocalErrorName,
  type TokenErrorName,
} from './errors.ts';

const final = (cause: string, remedy: string): Explanation => ({ cause, remedy, retryable: false });
const passing = (cause: string, remedy: string): Explanation => ({ cause, remedy, retryable: true });

const empty = (what: string, column: string) =>
  final(
    `The tenant requires ${what}, and it was left out or is an empty text; on an update it was to be cleared.`,
    `Give ${column} a value, or have the tenant's attribute definition no longer require it.`,
  );

const invalid = (what: string, column: string, rule: string) =>
  final(
    `${what} breaks a rule of the tenant's attribute definition, which the tenant's administrator knows.`,
    `Correct ${column}. Unless the tenant says otherwise: ${rule}.`,
  );

const taken = (what: string, sameness: string, find: string) =>
  final(
    `Another user of the tenant, or an earlier row of the same file, has this ${what}. ${sameness}`,
    `${find}, then change one of the two, or update that user in place of adding one.`,
  );

const password = (cause: string, remedy: string) =>
  final(`${cause} Only plain passwords are checked: that of a hash cannot be seen.`, remedy);

const upTo = (most: number) => `at most ${most} characters, none of them a control character`;

/** Why each API error of the specification happens, and what to do about it (§7.2, §7.3). */
export const errorExplanations: Record<ErrorName, Explanation> = {
  userNotFound: final(
    'No user of this tenant has the user id, user name, e-mail address, mobile number or external ID asked for.',
    'Check the spelling and the tenant (tenant-users status); look for the user in tenant-users list.',
  ),
  userNameEmpty: final(
    'The user name was to be cleared, which no tenant allows; or this tenant requires one, and a new user had none.',
    'Give user_name a value. It cannot be removed. Change it with: tenant-users update --user-name NAME',
  ),
  nameEmpty: empty('a full name', 'name'),
  mobileEmpty: empty('a mobile number', 'mobile'),
  emailEmpty: empty('an e-mail address', 'email'),
  passwordEmpty: final(
    'The tenant requires a password: pwd is missing or empty, or hash-pwd lacks its algorithm or its value.',
    'Give a password; for an import fill both the algorithm and the hash.',
  ),
  genderEmpty: empty('a gender', 'attr_gender'),
  birthdayEmpty: empty('a birthday', 'attr_birthday'),
  nickNameEmpty: empty('a nickname', 'attr_nick_name'),
  mailingAddressEmpty: empty('a mailing address', 'mailing_address'),
  zipCodeEmpty: empty('a postal code', 'zip_code'),
  firstNameEmpty: empty('a first name', 'first_name'),
  middleNameEmpty: empty('a middle name', 'middle_name'),
  lastNameEmpty: empty('a last name', 'last_name'),
  industryEmpty: empty('an industry', 'industry'),
  externalIdEmpty: empty('an external ID', 'external_id'),
  extensionEmpty: empty('the extension attribute that the message names', 'extension.<key>'),
  userNameInvalid: invalid('The user name', 'user_name', '1 to 100 characters without blanks'),
  nameInvalid: invalid('The full name', 'name', upTo(100)),
  mobileInvalid: invalid(
    'The mobile number',
    'mobile',
    'the number, or area code, hyphen and number (86-15200000000), as its area writes it; no area code means that of the tenant',
  ),
  emailInvalid: invalid(
    'The e-mail address',
    'email',
    'something@something without blanks, at most 254 characters',
  ),
  genderInvalid: invalid(
    'The gender',
    'attr_gender',
    'unknow (written so), male or female, in small letters',
  ),
  birthdayInvalid: invalid('The birthday', 'attr_birthday', 'a day that exists, as yyyy-mm-dd'),
  nickNameInvalid: invalid('The nickname', 'attr_nick_name', upTo(100)),
  mailingAddressInvalid: invalid(
    'The mailing address',
    'mailing_address',
    'at most 255 characters; of control characters only line breaks and tabs',
  ),
  zipCodeInvalid: invalid('The postal code', 'zip_code', upTo(20)),
  firstNameInvalid: invalid('The first name', 'first_name', upTo(100)),
  middleNameInvalid: invalid('The middle name', 'middle_name', upTo(100)),
  lastNameInvalid: invalid('The last name', 'last_name', upTo(100)),
  industryInvalid: invalid('The industry', 'industry', upTo(100)),
  externalIdInvalid: invalid('The external ID', 'external_id', upTo(255)),
  extensionInvalid: final(
    'The tenant defines no extension attribute of this key, or its value is no text, or does not fit its type or its rule. A date is written yyyy-mm-dd.',
    'Compare key and value with the extension attributes of the tenant, or have the attribute defined.',
  ),
  areaCodeNotPermitted: final(
    "The number is of an international area that is not in the tenant's list. A number without an area code counts as of the tenant's own area.",
    'Correct the area code, or have it permitted in the tenant.',
  ),
  userNameTaken: taken(
    'user name',
    'Capital and small letters count as the same on the local service; names of disabled users stay taken.',
    'Find the user with tenant-users get --by-user-name NAME',
  ),
  mobileTaken: taken(
    'mobile number',
    'On the local service +86-15200000000, 86-15200000000 and 15200000000 are one number.',
    'Find the user with tenant-users get --by-mobile NUMBER',
  ),
  emailTaken: taken(
    'e-mail address',
    'Capital and small letters count as the same on the local service.',
    'Find the user with tenant-users get --by-email ADDRESS',
  ),
  extensionTaken: taken(
    'value of an extension attribute that the tenant keeps unique',
    'The message names the attribute.',
    'Find the user, for example in tenant-users list -o csv',
  ),
  algorithmNotSupported: final(
    'The algorithm of hash-pwd is none of the four that can be imported. The names are case-sensitive.',
    'Write md5, bcrypt, md5_sha256 or hmacsha256_base64_key. Hashes of another kind cannot be imported: such users need a new password.',
  ),
  hashKeyEmpty: final(
    'The algorithm hmacsha256_base64_key needs the key that the older system made its hashes with.',
    'Fill the key, base64-encoded: no password would match without it.',
  ),
  passwordUsedBefore: password(
    'The password is one of the last ones of this user.',
    'Choose a password that the user has not had.',
  ),
  passwordReversedUserName: password(
    'The password is the user name read backwards.',
    'Choose a password that has nothing to do with the user.',
  ),
  passwordContainsUser: password(
    'The password contains the user name, the mobile number, the part of the e-mail address before the @, or the name in Pinyin.',
    'Choose a password that has nothing to do with the user.',
  ),
  passwordComplexity: password(
    'The password mixes too few kinds of characters: digits, small letters, capital letters and special characters. The message says what is missing.',
    'Choose a password with more kinds of characters.',
  ),
  passwordWeak: password(
    'The password is among those that are tried first when passwords are guessed.',
    'Choose a password that is in no list; a generated one is best.',
  ),
  passwordRepeats: password(
    'The password repeats a character more often than the tenant allows; the message tells the number.',
    'Choose a password with fewer repeats.',
  ),
  passwordLength: password(
    'The password is shorter or longer than the tenant allows; the message tells the bounds.',
    'Choose a password within the bounds.',
  ),
  pageInvalid: final(
    'The page cannot be shown: limit must be a whole number from 10 to 100, offset a page number from 0.',
    'Correct --limit and --offset; an offset counts pages, not users.',
  ),
};

/** Explanation of an error code, in whole sentences that hold for every tenant unless they say otherwise. */
export interface Explanation {
  /** Why the error happens. */
  cause: string;
  /** What to do next; also used as the hint of an error, and of a row in the report of an import. */
  remedy: string;
  /** True if the same request may succeed later without a change. */
  retryable: boolean;
}

/** Explanations of the errors that only the local service defines; a remote tenant may use these codes less specifically. */
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
    'The body was not declared as JSON, or is compressed.',
    'Send content-type: application/json and no content-encoding; where this program sent it, look for a proxy that changes headers.',
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
    'The device is not the one that the user logged in with. A ticket is then used up; a session is not.',
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
    'Look the user up (tenant-users get), who may be disabled; then check the password. An imported hash may have been made in another way than its algorithm says.',
  ),
};

/** A login changes nothing where the credentials of the environment are used. */
const checkCredentials =
  'Check the base URL, the client id and the secret (tenant-users status says where they come from), then run: tenant-users login';

/** Explanations of the token errors: the credentials, access token or scope were not accepted (§4.1, §5.3). */
export const tokenErrorExplanations: Record<TokenErrorName, Explanation> = {
  invalid_request: final(
    'The request for a token lacks a parameter, or has one that is malformed.',
    'Check client id and secret for blanks; where a proxy strips queries, log in with --auth-style form or basic.',
  ),
  invalid_client: final(
    'The client id is unknown to this service, or the secret is not the one of this id.',
    checkCredentials,
  ),
  unsupported_grant_type: final(
    'The token endpoint does not give tokens for client credentials.',
    'Check the base URL: this may be another service. Otherwise have the application permitted to use client_credentials.',
  ),
  insufficient_scope: final(
    'The application has the scope read: it may list users, look them up and exchange tickets, and nothing else.',
    'Use an application with the scope all. On the machine of a local service: tenant-users apps create --scope all --local DATABASE',
  ),
  invalid_token: final(
    'The access token is unknown or expired, and a fresh one was not accepted either; or the application was revoked.',
    checkCredentials,
  ),
};

const ofApi = Object.entries({ ...errorExplanations, ...localErrorExplanations });

const byCode = new Map<string, Explanation>([
  ...ofApi.map(([name, explanation]) => [apiErrors[name as ApiErrorName].code, explanation] as const),
  ...Object.entries(tokenErrorExplanations),
]);

/** Returns the explanation of an error code of the API, or `undefined` for an unknown code. */
export function explainError(code: string): Explanation | undefined {
  return byCode.get(code);
}
