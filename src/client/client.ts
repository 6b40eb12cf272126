import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer } from '../contract/exchange.ts';
import { type Operation, operations } from '../contract/operations.ts';
import type { AccessToken } from '../contract/wire.ts';
import { type CallDetails, type Calls, createCalls, type Headers, type SingleCalls } from './calls.ts';
import { ApiError, AuthenticationError, NetworkError, NotSentError } from './errors.ts';
import { exchange, type OnExchange } from './exchange.ts';
import { type Clock, systemClock, withRetries } from './retry.ts';
import {
  type AuthStyle,
  type CachedToken,
  createTokenCache,
  readToken,
  type TokenCache,
  type TokenStore,
  tokenRequest,
} from './token.ts';
import { inProcess } from './transport/in-process.ts';
import { openPool } from './transport/pool.ts';
import type { ProxyAddress } from './transport/proxy-tunnel.ts';

export interface ClientOptions {
  /** Base address, with or without a trailing slash and a path. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** How the credentials are sent to the token endpoint (decision 1); default `query`. */
  authStyle?: AuthStyle;
  /** Stores the token so that it outlives this client. */
  tokenStore?: TokenStore;
  /** Seconds to wait for a connection, and then for the whole answer; default 30. */
  timeout?: number | undefined;
  /** Maximum number of open connections; default 16. */
  connections?: number;
  /** Service in this process that is called instead of one over the network. */
  answer?: Answer;
  /** Proxy for every connection. */
  proxy?: ProxyAddress | undefined;
  /** Called after each exchange, including retries and token calls. An exchange contains no secrets. */
  onExchange?: OnExchange | undefined;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
  /** Clock for the waits before a retry; default the system's clock. */
  clock?: Clock | undefined;
}

/**
 * The API (§4), with a method per operation, and the vendor's companion endpoints, which a local service has. Every method rejects
 * with an `ApiError`, an `AuthenticationError` or a `NetworkError`.
 */
export interface Client extends Calls {
  /** Returns calls over the same connections and token that send each request once: the caller decides about retries. */
  withoutRetries(): SingleCalls;
  /** Aborts running calls, and closes the connections. */
  close(): Promise<void>;
}

/** Seconds until a request is given up, unless options say otherwise. */
export const usualTimeout = 30;

/** Creates a client; nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const wait = (options.timeout ?? usualTimeout) * 1000;
  const { clock = systemClock } = options;
  const closing = new AbortController();
  // The signal has one listener per connection being opened, and one per call that waits for a retry.
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

  const tokens = createTokenCache(requestToken, options.tokenStore, options.now ?? Date.now);

  async function requestToken(retries: boolean): Promise<AccessToken> {
    const request = tokenRequest(options.authStyle ?? 'query', options.clientId, options.clientSecret);
    const path = basePath + request.path;
    const once = (attempt: number) =>
      exchange(context, operations.obtainToken, { ...request, path }, attempt);
    const token = readToken(await (retries ? withRetries(once, clock, closing.signal) : once(1)));
    // By the next turn of the event loop the connection is free again; otherwise the waiting call would open another.
    await nextTurn();
    return token;
  }

  const { onExchange, clientSecret } = options;
  const context = { transport, origin: base.origin, secrets: [clientSecret], onExchange };
  const { withToken, headersOf } = callsWithToken(tokens);

  function calls(retries: boolean): Calls {
    function call<T>(operation: Operation, body?: unknown, more: CallDetails = {}): Promise<T> {
      const path = basePath + operation.url + (more.query ?? '');
      const content = body === undefined ? undefined : () => JSON.stringify(body);
      const { method, repeatable } = operation;
      const once = (token: CachedToken, attempt = 1) => {
        const headers = more.headers ? { ...headersOf(token), ...more.headers } : headersOf(token);
        const request = { method, path, headers, body: content, value: body };
        return exchange<T>(context, operation, request, attempt);
      };
      const often = (token: CachedToken) =>
        withRetries((attempt) => once(token, attempt), clock, closing.signal);
      return withToken(retries && repeatable ? often : once, retries);
    }

    return { obtainToken: () => tokens.current(retries), ...createCalls(call, options.clientId) };
  }

  return {
    ...calls(true),
    withoutRetries: () => ({ ...calls(false), retries: false }),
    close() {
      closing.abort();
      return transport.close();
    },
  };
}

/**
 * Maximum number of times that a call gets a new token after it was rejected. Many calls at once can meet several tokens that have
 * expired, one after the other.
 */
const mostRenewals = 10;

/** Sends one request with a token. */
type SendWith<T> = (token: CachedToken) => Promise<T>;

/** Returns functions that send calls with the token in use. */
function callsWithToken(tokens: TokenCache) {
  let carried: { token?: CachedToken; headers: Headers } = { headers: {} };
  /** Every token that a call was accepted with: answers to calls with earlier ones may still come. */
  const accepted = new WeakSet<CachedToken>();

  /** Returns the headers for requests with this token: one object, which they share. */
  function headersOf(token: CachedToken): Headers {
    if (carried.token !== token) {
      carried = { token, headers: { ...jsonHeaders, authorization: `Bearer ${token.access_token}` } };
    }
    return carried.headers;
  }

  /**
   * Sends a call with the token in use. If that token is rejected and retries are allowed, sends the call again with the next one.
   * Not an async function, to save memory and time: see `exchange`.
   */
  function withToken<T>(once: SendWith<T>, retries: boolean, renewals = 0): Promise<T> {
    const token = tokens.live();
    if (token) return sendWith(token, once, retries, renewals);
    return tokens
      .current(retries)
      .catch((failure: unknown) => throwNotSent(failure, retries))
      .then((made) => sendWith(made, once, retries, renewals));
  }

  function sendWith<T>(
    token: CachedToken,
    once: SendWith<T>,
    retries: boolean,
    renewals: number,
  ): Promise<T> {
    return once(token).then(
      (answer) => {
        accepted.add(token);
        return answer;
      },
      (failure: unknown) => {
        if (!(failure instanceof AuthenticationError)) throw failure;
        const { code, message, status } = failure;
        const wasAccepted = accepted.has(token);
        const isRefused = code === 'invalid_token';
        // A fresh token that no call was accepted with will not be accepted next time either; one that was has expired meanwhile.
        // But a call that is always rejected would renew without end if others succeed.
        if (retries && (!isRefused || renewals >= (wasAccepted ? mostRenewals : 1))) throw failure;
        if (isRefused) tokens.refuse(token);
        if (retries) return withToken(once, retries, renewals + 1);
        throw new AuthenticationError(code, message, status, wasAccepted);
      },
    );
  }

  return { withToken, headersOf };
}

/**
 * A call that got no token was not sent: it had no effect, whatever became of the token request. Without retries, the caller must
 * also know that this failure is not one of its call.
 */
function throwNotSent(failure: unknown, retries: boolean): never {
  const error = failure instanceof ApiError ? withoutToken(failure, retries) : failure;
  if (retries || error instanceof AuthenticationError) throw error;
  throw new NotSentError(error);
}

/** Returns what an API error means for a call that needed the token. */
function withoutToken(failure: ApiError, retries: boolean): Error {
  const { code, message, status, effect } = failure;
  if (effect === 'unknown') {
    const text = `the service fails to give an access token: ${message} (${code})`;
    return new NetworkError('failing', text, { effect: 'none', status, cause: failure });
  }
  return retries
    ? failure
    : new AuthenticationError(code, `the service gives no access token: ${message}`, status);
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
