import type { AccessToken } from '../contract/wire.ts';
import { isBearer } from './token-request.ts';

/** A token as it is kept between calls and, by the command line, between commands. */
export interface KeptToken {
  access_token: string;
  /** Epoch milliseconds. */
  expires_at: number;
  scope: string;
}

/** Where a token outlives the client. */
export interface TokenStore {
  /** The latest token, which another process may have stored meanwhile. */
  load(): KeptToken | undefined;
  save(token: KeptToken): void | Promise<void>;
}

/** Hands out one token for all calls. */
export interface TokenKeeper {
  /** The token in use; `undefined` where there is none, or a little before it ends. */
  live(): KeptToken | undefined;
  /** The token in use, or else a new one. */
  current(): Promise<KeptToken>;
  /** A token other than the refused one; callers that come together share one renewal. */
  renew(refused: KeptToken): Promise<KeptToken>;
}

/** Keeps one token; `obtain` asks the service for a new one (§4.1). */
export function keepToken(
  obtain: () => Promise<AccessToken>,
  store: TokenStore | undefined,
  now: () => number,
): TokenKeeper {
  let kept = store?.load();
  let renewal: Promise<KeptToken> | undefined;

  const isLive = (token: KeptToken) => isBearer(token.access_token) && now() < token.expires_at - margin;
  const live = () => (kept && isLive(kept) ? kept : undefined);

  async function replace(): Promise<KeptToken> {
    const stored = store?.load();
    if (stored && stored.access_token !== kept?.access_token && isLive(stored)) {
      kept = stored;
      return kept;
    }
    const answer = await obtain();
    const expires_at = now() + answer.expires_in * 1000;
    kept = { access_token: answer.access_token, expires_at, scope: answer.scope };
    await store?.save(kept);
    return kept;
  }

  function renewOnce(): Promise<KeptToken> {
    renewal ??= replace().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return {
    live,
    current: async () => live() ?? renewOnce(),
    renew(refused) {
      return kept && kept.access_token !== refused.access_token ? Promise.resolve(kept) : renewOnce();
    },
  };
}

/** Milliseconds before its end from which a token is renewed. */
const margin = 10_000;
