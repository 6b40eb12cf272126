import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Operation, operations } from '../contract/operations.ts';
import type { AccessToken } from '../contract/wire.ts';
import { type CallDetails, type Calls, createCalls, type Headers, type SingleCalls } from './calls.ts';
import { ApiError, AuthenticationError, NetworkError } from './errors.ts';
import { exchange, type OnExchange, type RequestContext } from './exchange.ts';
import { type Answer, inProcess } from './in-process.ts';
import { openPool } from './pool.ts';
import type { ProxyAddress } from './proxy-tunnel.ts';
import { type Clock, systemClock, withRetries } from './retry.ts';
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
  timeout?: number | undefined;
  /** Open connections at the same time; default 16. */
  connections?: number;
  /** A service in this process, which is asked instead of one that is reached over the network. */
  answer?: Answer;
  /** Every connection goes through this proxy. */
  proxy?: ProxyAddress | undefined;
  /** Called with each exchange when it is over, retries and token calls included; it holds no secret. */
  onExchange?: OnExchange | undefined;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
  /** What the waits before a retry go by; default the system's clock. */
  clock?: Clock | undefined;
}

/**
 * The API (§4), a method per operation, and the vendor's companion endpoints that a local service has.
 * Every method rejects with an `ApiError`, an `AuthenticationError` or a `NetworkError`.
 */
export interface Client extends Calls {
  /** The same client, connections and token, sending each request once: who calls it decides about a next time. */
  withoutRetries(): SingleCalls;
  /** Ends what is under way, and the connections. */
  close(): Promise<void>;
}

/** Makes a client; nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const wait = (options.timeout ?? 30) * 1000;
  const { clock = systemClock } = options;
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

  const tokens = createTokenCache(requestToken, options.tokenStore, options.now ?? Date.now);

  async function requestToken(retries: boolean): Promise<AccessToken> {
    const request = tokenRequest(options.authStyle ?? 'query', options.clientId, options.clientSecret);
    const path = basePath + request.path;
    const once = (attempt?: number) => send(operations.obtainToken, { ...request, path }, attempt);
    const token = readToken(await (retries ? withRetries(once, clock, closing.signal) : once()));
    // In the next turn of the event loop the connection is free for the call that waits for the token; else that would open another.
    await nextTurn();
    return token;
  }

  const contexts = new WeakMap<Operation, RequestContext>();

  function contextFor(operation: Operation): RequestContext {
    const known = contexts.get(operation);
    if (known) return known;
    const { answer, isList, repeatable } = operation;
    const { onExchange } = options;
    const unanswered = repeatable ? 'none' : 'unknown';
    const made: RequestContext = {
      transport,
      origin: base.origin,
      onExchange,
      unanswered,
      answer,
      isList,
      secrets: [options.clientSecret],
    };
    contexts.set(operation, made);
    return made;
  }

  function send<T>(operation: Operation, request: Request, attempt = 1): Promise<T> {
    return exchange(contextFor(operation), request, attempt) as Promise<T>;
  }

  let carried: { token?: CachedToken; headers: Headers } = { headers: {} };

  /** The headers of requests with this token, as one object that they share. */
  function headersOf(token: CachedToken): Headers {
    if (carried.token !== token) {
      carried = { token, headers: { ...jsonHeaders, authorization: `Bearer ${token.access_token}` } };
    }
    return carried.headers;
  }

  function obtained(retries: boolean): Promise<CachedToken> {
    return retries ? tokens.current(true) : tokens.current(false).catch(throwWithoutEffect);
  }

  let accepted: CachedToken | undefined;

  /**
   * Sends a call with the token in use; where it may be repeated, again with the next one when that is refused. No async
   * function: see `exchange`.
   */
  function withToken<T>(
    once: (token: CachedToken) => Promise<T>,
    retries: boolean,
    isFresh = false,
  ): Promise<T> {
    const token = tokens.live();
    return token
      ? sendWith(token, once, retries, isFresh)
      : obtained(retries).then((made) => sendWith(made, once, retries, isFresh));
  }

  function sendWith<T>(
    token: CachedToken,
    once: (token: CachedToken) => Promise<T>,
    retries: boolean,
    isFresh: boolean,
  ): Promise<T> {
    return once(token).then(
      (answer) => {
        accepted = token;
        return answer;
      },
      (failure: unknown) => {
        if (!isRefusedToken(failure)) throw failure;
        const wasAccepted = accepted === token;
        // A fresh token that nobody's call was accepted with will not be the next time; one that was has ended since.
        if (retries && isFresh && !wasAccepted) throw failure;
        tokens.refuse(token);
        if (retries) return withToken(once, retries, true);
        throw new AuthenticationError('invalid_token', failure.message, failure.status ?? 401, wasAccepted);
      },
    );
  }

  function calls(retries: boolean): Calls {
    function call<T>(operation: Operation, body?: unknown, more: CallDetails = {}): Promise<T> {
      const path = basePath + operation.url + (more.query ?? '');
      const content = body === undefined ? undefined : () => JSON.stringify(body);
      const { method, repeatable } = operation;
      const once = (token: CachedToken, attempt = 1) => {
        const headers = more.headers ? { ...headersOf(token), ...more.headers } : headersOf(token);
        return send<T>(operation, { method, path, headers, body: content, value: body }, attempt);
      };
      if (!retries || !repeatable) return withToken(once, retries);
      return withToken(
        (token) => withRetries((attempt) => once(token, attempt), clock, closing.signal),
        retries,
      );
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

/** A call that got no token was not sent, although a service that fails (500) may have done what it was asked for. */
function throwWithoutEffect(failure: unknown): never {
  if (!(failure instanceof ApiError) || failure.effect === 'none') throw failure;
  const message = `the service fails to give an access token: ${failure.message} (${failure.code})`;
  throw new NetworkError('unavailable', message, { effect: 'none', status: failure.status, cause: failure });
}

/** A gateway says so by the status alone. */
function isRefusedToken(failure: unknown): failure is AuthenticationError | NetworkError {
  if (failure instanceof NetworkError) return failure.status === 401;
  return failure instanceof AuthenticationError && failure.code === 'invalid_token';
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
