import { operations } from '../contract/operations.ts';
import type { AccessToken } from '../contract/wire.ts';
import { NetworkError } from './errors.ts';
import type { Request } from './transport.ts';

/** A token as it is kept between calls and, by the command line, between commands. */
export interface CachedToken {
  access_token: string;
  /** Epoch milliseconds. */
  expires_at: number;
  scope: string;
}

/** Where a token outlives the client. */
export interface TokenStore {
  /** The token to begin with. */
  initial?: CachedToken | undefined;
  /** The latest token, which another process may have stored meanwhile. */
  load(): CachedToken | undefined;
  save(token: CachedToken): void | Promise<void>;
}

/** Hands out one token for all calls. */
export interface TokenCache {
  /** The token in use; `undefined` where there is none, or a little before it ends. */
  live(): CachedToken | undefined;
  /** The token in use, or else a new one; callers that come together share one renewal. */
  current(retries: boolean): Promise<CachedToken>;
  /** The service refused this token: it is never handed out again. */
  refuse(token: CachedToken): void;
}

/** Keeps one token; `obtain` asks the service for a new one (§4.1), several times if need be where it may retry. */
export function createTokenCache(
  obtain: (retries: boolean) => Promise<AccessToken>,
  store: TokenStore | undefined,
  now: () => number,
): TokenCache {
  let kept = store?.initial;
  let renewal: Promise<CachedToken> | undefined;
  let refused: string | undefined;

  const isLive = ({ access_token, expires_at }: CachedToken) =>
    access_token !== refused && isBearer(access_token) && now() < expires_at - margin;
  const live = () => (kept && isLive(kept) ? kept : undefined);

  async function replace(retries: boolean): Promise<CachedToken> {
    const stored = store?.load();
    if (stored && stored.access_token !== kept?.access_token && isLive(stored)) {
      kept = stored;
      return kept;
    }
    const answer = await obtain(retries);
    const expires_at = now() + answer.expires_in * 1000;
    kept = { access_token: answer.access_token, expires_at, scope: answer.scope };
    // A service may hand out the same token again.
    refused = undefined;
    await store?.save(kept);
    return kept;
  }

  function renewOnce(retries: boolean): Promise<CachedToken> {
    renewal ??= replace(retries).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return {
    live,
    current: async (retries) => live() ?? renewOnce(retries),
    refuse(token) {
      refused = token.access_token;
    },
  };
}

/** Milliseconds before its end from which a token is renewed. */
const margin = 10_000;

/** Ways to hand the credentials to the token endpoint (decision 1). */
export const authStyles = ['query', 'form', 'basic'] as const;

export type AuthStyle = (typeof authStyles)[number];

/** The token call (§4.1). `query` is the specification's way; the others keep the secret out of URLs. */
export function tokenRequest(style: AuthStyle, clientId: string, clientSecret: string): Request {
  const grant = { grant_type: 'client_credentials' };
  const { method, url } = operations.obtainToken;
  const all = `${new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret })}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const styled: Record<AuthStyle, Partial<Request>> = {
    query: { path: `${url}?${all}` },
    form: { body: () => all },
    basic: {
      headers: { ...headers, authorization: `Basic ${pair}` },
      body: () => `${new URLSearchParams(grant)}`,
    },
  };
  return { method, path: url, headers, ...styled[style] };
}

/**
 * Reads the answer of the token call, with the specification's value of what it leaves out (§2.1); throws a `NetworkError`
 * where another service answered instead.
 */
export function readToken(answer: unknown): AccessToken {
  const token = answer as Partial<AccessToken> | null;
  const expires_in = Number(token?.expires_in ?? 1800);
  if (isBearer(token?.access_token) && Number.isFinite(expires_in)) {
    return { ...(token as AccessToken), expires_in, scope: token.scope ?? 'all' };
  }
  const message = 'the answer has no access token; check the base URL';
  throw new NetworkError('notTheApi', message, { effect: 'none', status: 200 });
}

/** A token that a header can carry. */
function isBearer(token: unknown): token is string {
  return typeof token === 'string' && /^[!-~]+$/.test(token);
}
