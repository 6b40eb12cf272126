import { operations } from '../contract/operations.ts';
import type { AccessToken } from '../contract/wire.ts';
import { NetworkError } from './failures.ts';
import type { Request } from './transport.ts';

/** Ways to hand the credentials to the token endpoint (decision 1). */
export const authStyles = ['query', 'form', 'basic'] as const;

export type AuthStyle = (typeof authStyles)[number];

/** The token call (§4.1). `query` is the specification's way; the others keep the secret out of URLs. */
export function tokenRequest(style: AuthStyle, clientId: string, clientSecret: string): Request {
  const grant = { grant_type: 'client_credentials' };
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const { method, url } = operations.obtainToken;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  switch (style) {
    case 'query':
      return { method, path: `${url}?${new URLSearchParams({ ...grant, ...credentials })}`, headers };
    case 'form':
      return {
        method,
        path: url,
        headers,
        body: () => `${new URLSearchParams({ ...grant, ...credentials })}`,
      };
    case 'basic': {
      const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const authorization = `Basic ${pair}`;
      return {
        method,
        path: url,
        headers: { ...headers, authorization },
        body: () => `${new URLSearchParams(grant)}`,
      };
    }
  }
}

/** Reads the answer of the token call (§2.1); throws a `NetworkError` where another service answered instead. */
export function tokenOf(answer: unknown): AccessToken {
  const token = answer as Partial<AccessToken> | null;
  if (isBearer(token?.access_token) && Number.isFinite(Number(token.expires_in))) {
    return token as AccessToken;
  }
  const message = 'the answer holds no access token; is the base URL right?';
  throw new NetworkError('notTheApi', message, { effect: 'none', status: 200 });
}

/** A token that a header can carry. */
export function isBearer(token: unknown): token is string {
  return typeof token === 'string' && /^[!-~]+$/.test(token);
}
