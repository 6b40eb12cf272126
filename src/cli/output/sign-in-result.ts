import type { CachedToken } from '../../client/token.ts';

/** What `login` and `status` show; the token itself is never part of it. */
export function signInResult(
  profile: string,
  baseUrl: string,
  clientId: string | undefined,
  token: CachedToken,
) {
  const expires_at = new Date(token.expires_at).toISOString();
  return {
    rows: [
      { profile, base_url: baseUrl, client_id: clientId ?? null, token: { expires_at, scope: token.scope } },
    ],
    columns: ['profile', 'base_url', 'client_id', 'token.expires_at'],
    single: true,
  };
}
