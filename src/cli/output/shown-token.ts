import type { CachedToken } from '../../client/token.ts';

/** What is shown of a token: never the token itself. */
export function shownToken({ expires_at, scope }: CachedToken) {
  return { expires_at: new Date(expires_at).toISOString(), scope };
}
