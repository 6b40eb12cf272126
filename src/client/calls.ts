import { userFields } from '../contract/attributes.ts';
import { errorCatalogue } from '../contract/errors.ts';
import { isRecord } from '../contract/is-record.ts';
import { companions, type Operation, operations } from '../contract/operations.ts';
import type {
  Device,
  HashedUser,
  ListQuery,
  LoginAnswer,
  NewUser,
  SsoTicket,
  SsoUser,
  TicketVerification,
  User,
  UserChanges,
  UserPage,
  UserReference,
} from '../contract/wire.ts';
import { onOneLine } from '../text/printable.ts';
import { ApiError } from './errors.ts';
import { withoutSecretFields } from './redact.ts';
import type { CachedToken } from './token.ts';

/** A method for each operation. */
export interface Calls extends ReturnType<typeof createCalls> {
  /** Returns the token in use, or obtains one (§4.1). */
  obtainToken(): Promise<CachedToken>;
}

/** Calls that are never repeated, not even after a 429 or an expired token. */
export interface SingleCalls extends Calls {
  readonly retries: false;
}

export type Headers = Record<string, string>;

/** What a call sends in addition to its body. */
export interface CallDetails {
  /** Includes the question mark. */
  query?: string;
  headers?: Headers;
}

/** A page of users as a service sent it; `total` is null if it did not send the number of users. */
export interface ListedPage extends Omit<UserPage, 'total'> {
  total: number | null;
}

/** What is said where that number is missing. */
export const noTotal = 'the service did not send the number of users';

/** Calls one operation. */
type Call = <T>(operation: Operation, body?: unknown, details?: CallDetails) => Promise<T>;

/** Returns all methods except `obtainToken`, each of which makes its request with `call`. */
export function createCalls(call: Call, clientId: string) {
  const lookUp = async (operation: Operation, key: object) => normaliseUser(await call<User>(operation, key));
  return {
    async listUsers(query: ListQuery): Promise<ListedPage> {
      const page = await call<UserPage>(operations.listUsers, undefined, { query: queryOf({ ...query }) });
      const isSent = Number.isSafeInteger(page.total) && page.total >= 0;
      return { ...page, total: isSent ? page.total : null, users: page.users.map(normaliseUser) };
    },
    createUser: (user: NewUser) => call<UserReference>(operations.createUser, user),
    importHashedUser: (user: HashedUser) => call<UserReference>(operations.importHashedUser, user),
    getUser: async (userId: string) => normaliseUser(await call<User>(at(operations.getUser, userId))),
    getUserByUserName: (user_name: string) => lookUp(operations.getUserByUserName, { user_name }),
    getUserByEmail: (email: string) => lookUp(operations.getUserByEmail, { email }),
    getUserByMobile: (mobile: string) => lookUp(operations.getUserByMobile, { mobile }),
    getUserByExternalId: (external_id: string) => lookUp(operations.getUserByExternalId, { external_id }),
    updateUser: async (userId: string, changes: UserChanges) =>
      call<UserReference>(at(operations.updateUser, userId), changes),
    disableUser: async (userId: string) => call<UserReference>(at(operations.disableUser, userId)),
    verifySsoTicket: (verification: TicketVerification) =>
      call<SsoUser>(operations.verifySsoTicket, verification),
    /**
     * Calls any endpoint below the base URL; returns the object or the array that it answers, or an empty object for an empty answer,
     * without tokens, tickets and other secrets.
     */
    async call({ method, url }: Pick<Operation, 'method' | 'url'>, body?: object) {
      // For an unknown operation, only GET is safe to repeat.
      const operation = {
        method,
        url,
        section: 'any',
        repeatable: method === 'GET',
        isUnknown: true as const,
      };
      return withoutSecretFields(await call<Record<string, unknown> | unknown[]>(operation, body));
    },
    /** Companion: logs a user in by user name, mobile number or e-mail address. */
    async logIn(user_name: string, password: string, device: Device): Promise<LoginAnswer> {
      const headers = deviceHeaders(clientId, device);
      const answer = await call<LoginAnswer>(companions.logIn, { user_name, password }, { headers });
      const { status }: { status: string } = answer;
      if (status === 'SUCCESS' || status === 'PASSWORD_EXPIRED') return answer;
      // Neither says that the password is right nor that it is wrong; a tenant may have further steps, such as a second factor.
      const shown = onOneLine(status);
      throw new ApiError(shown, `the login ended with the status ${shown}, without a session`, 200);
    },
    /** Companion: exchanges the session token of a login for a one-time ticket. */
    issueSsoTicket: (session_token: string, device: Device) =>
      call<SsoTicket>(companions.issueSsoTicket, { session_token, ...device }),
  };
}

const textFields = userFields.filter((field) => field !== 'extension' && field !== 'disabled');

/** Converts the fields to the types of `User`, whatever the service sends: §2.2 leaves the types of two fields open. */
function normaliseUser(user: User): User {
  const { user_name, disabled, usr_auth_times, extension } = user;
  const known = {
    ...withoutNulls(user),
    user_name: user_name ?? '',
    disabled: String(disabled) === 'true',
    usr_auth_times: String(usr_auth_times ?? 0),
  };
  makeTexts(known, textFields);
  if (isRecord(extension)) {
    known.extension = withoutNulls(extension);
    makeTexts(known.extension, Object.keys(known.extension));
  }
  return known;
}

/** Returns the same values without `null`, which means no value. */
function withoutNulls<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Values;
}

/** Converts numbers and other values to text. */
function makeTexts(values: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const value = values[name];
    if (typeof value !== 'string' && value !== undefined) values[name] = JSON.stringify(value);
  }
}

/** Fills in the user id. An empty id, `.` or `..` would address another operation, possibly a write: throws `userNotFound`. */
function at(operation: Operation, userId: string): Operation {
  if (/^\.{0,2}$/.test(userId)) throw new ApiError(errorCatalogue.userNotFound.code, 'User not found', 400);
  return { ...operation, userId, url: operation.url.replace(':user_id', encodeURIComponent(userId)) };
}

function queryOf(values: Record<string, string | number | undefined>): string {
  const named = Object.entries(values).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(named.map(([key, value]): [string, string] => [key, String(value)]))}`;
}

function deviceHeaders(clientId: string, device: Device): Headers {
  return {
    'x-client-id': clientId,
    'x-device-fingerprint': device.device_fingerprint,
    'x-operating-sys-version': device.operating_sys_version,
    'x-agent': device.agent ?? 'tenant-users',
  };
}
