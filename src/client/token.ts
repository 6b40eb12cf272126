import type { Request } from '../contract/exchange.ts';
import { operations } from '../contract/operations.ts';
import type { AccessToken } from '../contract/wire.ts';
import { NetworkError } from './errors.ts';

/** A token as kept between calls and, by the command line, between commands. */
export interface CachedToken {
  access_token: string;
  /** Epoch milliseconds. */
  expires_at: number;
  scope: string;
}

/** Storage in which a token outlives the client. */
export interface TokenStore {
  /** The first token to use. */
  initial?: CachedToken | undefined;
  /** Returns the latest token, which another process may have stored meanwhile. */
  load(): CachedToken | undefined;
  save(token: CachedToken): void | Promise<void>;
}

/** Provides one token for all calls. */
export type TokenCache = ReturnType<typeof createTokenCache>;

/** Creates the cache for one token. `obtain` requests a new token (§4.1), repeatedly if needed and if retries are allowed. */
export function createTokenCache(
  obtain: (retries: boolean) => Promise<AccessToken>,
  store: TokenStore | undefined,
  now: () => number,
) {
  let kept = store?.initial;
  let renewal: Promise<CachedToken> | undefined;
  let refused: string | undefined;
  /** Milliseconds before its end at which the token in use is renewed. */
  let margin = longestMargin;

  const isLive = ({ access_token, expires_at }: CachedToken, before = longestMargin) =>
    access_token !== refused && isBearer(access_token) && now() < expires_at - before;
  /** Returns the token in use; `undefined` if there is none, or if it expires soon. */
  const live = () => (kept && isLive(kept, margin) ? kept : undefined);

  async function replace(retries: boolean): Promise<CachedToken> {
    const stored = store?.load();
    if (stored && stored.access_token !== kept?.access_token && isLive(stored)) {
      kept = stored;
      margin = longestMargin;
      return kept;
    }
    const answer = await obtain(retries);
    const left = answer.expires_in * 1000;
    const expires_at = now() + left;
    // A service may issue the same token until it ends: without this, each call in its last seconds would ask for one.
    margin = Math.min(longestMargin, left / 2);
    kept = { access_token: answer.access_token, expires_at, scope: answer.scope };
    // A service may issue the same token again.
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
    /** Returns the token in use, or obtains a new one; concurrent callers share one renewal. */
    current: async (retries: boolean) => live() ?? renewOnce(retries),
    /** Marks a token as rejected by the service, so that it is not used again. */
    refuse(token: CachedToken) {
      refused = token.access_token;
    },
  };
}

/** A token is renewed this many milliseconds before it expires, or after half of its life if that is shorter. */
const longestMargin = 10_000;

/** Ways to send the credentials to the token endpoint (decision 1). */
export const authStyles = ['query', 'form', 'basic'] as const;

export type AuthStyle = (typeof authStyles)[number];

/** Builds the token request (§4.1). `query` is the specification's way; the others keep the secret out of URLs. */
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

/** Longest life of a token in seconds, a hundred years: JavaScript has no dates from the year 275,760 on. */
const longestLife = 100 * 365 * 86_400;

/**
 * Parses the answer to the token request, with the specification's defaults for missing fields (§2.1); throws a `NetworkError` if
 * the answer came from another service.
 */
export function readToken(answer: unknown): AccessToken {
  const token = answer as Partial<AccessToken> | null;
  const life = Number(token?.expires_in ?? 1800);
  if (isBearer(token?.access_token) && Number.isFinite(life)) {
    const expires_in = Math.min(Math.max(life, 0), longestLife);
    return { ...(token as AccessToken), expires_in, scope: token.scope ?? 'all' };
  }
  const message = 'the answer has no access token; check the base URL';
  throw new NetworkError('notTheApi', message, { effect: 'none', status: 200 });
}

/** True for a token that can be sent in a header. */
function isBearer(token: unknown): token is string {
  return typeof token === 'string' && /^[!-~]+$/.test(token);
}
