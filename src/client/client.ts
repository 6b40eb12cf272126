import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCatalogue } from '../contract/errors.ts';
import { companions, type Operation, operations } from '../contract/operations.ts';
import type {
  AccessToken,
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
import { ApiError, AuthenticationError } from './errors.ts';
import { exchange, type OnExchange, type RequestContext } from './exchange.ts';
import { type Answer, inProcess } from './in-process.ts';
import { openPool } from './pool.ts';
import type { ProxyAddress } from './proxy-tunnel.ts';
import { withRetries } from './retry.ts';
import {
  type AuthStyle,
  type CachedToken,
  createTokenCache,
  readToken,
  type TokenStore,
  tokenRequest,
} from './token.ts';
import type { Request } from './transport.ts';

/** What a client needs to know. */
export interface ClientOptions {
  /** Base address, with or without a trailing slash and a path. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** How the credentials travel to the token endpoint (decision 1); default `query`. */
  authStyle?: AuthStyle;
  /** Keeps the token beyond this client. */
  tokenStore?: TokenStore;
  /** Seconds to wait for a connection, and then for the whole answer; default 30. */
  timeout?: number;
  /** Open connections at the same time; default 16. */
  connections?: number;
  /** A service in this process, which is asked instead of one that is reached over the network. */
  answer?: Answer;
  /** Every connection goes through this proxy. */
  proxy?: ProxyAddress | undefined;
  /** Told of each exchange when it is over, retries and token calls included; it holds no secret. */
  onExchange?: OnExchange | undefined;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
}

/**
 * The API (§4), a method per operation, and the vendor's companion endpoints that a local service has.
 * Every method rejects with an `ApiError`, an `AuthenticationError` or a `NetworkError`.
 */
export interface Client {
  /** The token in use, obtained when there is none (§4.1). */
  obtainToken(): Promise<CachedToken>;
  listUsers(query: ListQuery): Promise<UserPage>;
  createUser(user: NewUser): Promise<UserReference>;
  importHashedUser(user: HashedUser): Promise<UserReference>;
  getUser(userId: string): Promise<User>;
  getUserByUserName(userName: string): Promise<User>;
  getUserByEmail(email: string): Promise<User>;
  getUserByMobile(mobile: string): Promise<User>;
  getUserByExternalId(externalId: string): Promise<User>;
  updateUser(userId: string, changes: UserChanges): Promise<UserReference>;
  disableUser(userId: string): Promise<UserReference>;
  verifySsoTicket(verification: TicketVerification): Promise<SsoUser>;
  /** Companion: logs a user in by user name, mobile number or e-mail. */
  logIn(userName: string, password: string, device: Device): Promise<LoginAnswer>;
  /** Companion: exchanges the session token of a login for a one-time ticket. */
  issueSsoTicket(sessionToken: string, device: Device): Promise<SsoTicket>;
  /** Ends what is under way, and the connections. */
  close(): Promise<void>;
}

/** Makes a client; nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const wait = (options.timeout ?? 30) * 1000;
  const closing = new AbortController();
  // A listener for each connection that is being made, and for each call that waits to be repeated.
  setMaxListeners(0, closing.signal);
  const transport = options.answer
    ? inProcess(options.answer, wait)
    : openPool({
        origin: base.origin,
        connections: options.connections ?? 16,
        limit: wait,
        proxy: options.proxy,
        signal: closing.signal,
      });

  const keeper = createTokenCache(requestToken, options.tokenStore, options.now ?? Date.now);

  async function requestToken(): Promise<AccessToken> {
    const request = tokenRequest(options.authStyle ?? 'query', options.clientId, options.clientSecret);
    const path = basePath + request.path;
    const token = readToken(
      await withRetries(
        (attempt) => send(operations.obtainToken, { ...request, path }, attempt),
        closing.signal,
      ),
    );
    // A turn later the connection is free for the call that waits for the token; else that would open another.
    await nextTurn();
    return token;
  }

  const everywhere = { transport, origin: base.origin, onExchange: options.onExchange };
  const destinations = new WeakMap<Operation, RequestContext>();

  function destinationOf(operation: Operation): RequestContext {
    const known = destinations.get(operation);
    if (known) return known;
    const { answer, isList, repeatable } = operation;
    const made: RequestContext = {
      ...everywhere,
      unanswered: repeatable ? 'none' : 'unknown',
      answer,
      isList,
    };
    destinations.set(operation, made);
    return made;
  }

  function send<T>(operation: Operation, request: Request, attempt: number): Promise<T> {
    return exchange(destinationOf(operation), request, attempt) as Promise<T>;
  }

  let carried: { token?: CachedToken; headers: Headers } = { headers: {} };

  /** The same object for each request with a token. */
  function headersOf(token: CachedToken): Headers {
    if (carried.token !== token) {
      carried = { token, headers: { ...jsonHeaders, authorization: `Bearer ${token.access_token}` } };
    }
    return carried.headers;
  }

  function call<T>(operation: Operation, body?: unknown, more: { query?: string; headers?: Headers } = {}) {
    const path = basePath + operation.url + (more.query ?? '');
    const content = body === undefined ? {} : { body: () => JSON.stringify(body) };
    const { method, repeatable } = operation;
    const once = (token: CachedToken, attempt = 1) => {
      const headers = more.headers ? { ...headersOf(token), ...more.headers } : headersOf(token);
      return send<T>(operation, { method, path, headers, ...content }, attempt);
    };
    return withToken((token) =>
      repeatable ? withRetries((attempt) => once(token, attempt), closing.signal) : once(token),
    );
  }

  let accepted: CachedToken | undefined;

  async function withToken<T>(once: (token: CachedToken) => Promise<T>): Promise<T> {
    let token = keeper.live() ?? (await keeper.current());
    for (let isFresh = false; ; isFresh = true) {
      try {
        const answer = await once(token);
        accepted = token;
        return answer;
      } catch (failure) {
        if (!(failure instanceof AuthenticationError) || failure.code !== 'invalid_token') throw failure;
        // A fresh token that nobody's call was accepted with will not be the next time; one that was has ended since.
        if (isFresh && accepted !== token) throw failure;
        token = await keeper.renew(token);
      }
    }
  }

  return {
    obtainToken: () => keeper.current(),
    listUsers: (query) => call(operations.listUsers, undefined, { query: queryOf({ ...query }) }),
    createUser: (user) => call(operations.createUser, user),
    importHashedUser: (user) => call(operations.importHashedUser, user),
    getUser: async (userId) => call(at(operations.getUser, userId)),
    getUserByUserName: (user_name) => call(operations.getUserByUserName, { user_name }),
    getUserByEmail: (email) => call(operations.getUserByEmail, { email }),
    getUserByMobile: (mobile) => call(operations.getUserByMobile, { mobile }),
    getUserByExternalId: (external_id) => call(operations.getUserByExternalId, { external_id }),
    updateUser: async (userId, changes) => call(at(operations.updateUser, userId), changes),
    disableUser: async (userId) => call(at(operations.disableUser, userId)),
    verifySsoTicket: (verification) => call(operations.verifySsoTicket, verification),
    logIn: (user_name, password, device) =>
      call(companions.logIn, { user_name, password }, { headers: deviceHeaders(options.clientId, device) }),
    issueSsoTicket: (session_token, device) => call(companions.issueSsoTicket, { session_token, ...device }),
    close() {
      closing.abort();
      return transport.close();
    },
  };
}

type Headers = Record<string, string>;

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** Some ids are no part of a path: the request would go to another place, and that may be a write. */
function at(operation: Operation, userId: string): Operation {
  if (/^\.{0,2}$/.test(userId)) throw new ApiError(errorCatalogue.userNotFound.code, 'User not found', 400);
  return { ...operation, url: operation.url.replace(':user_id', encodeURIComponent(userId)) };
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
