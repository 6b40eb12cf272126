import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrant,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { rotateSigningKey } from '../../src/service/admin/signing-keys.ts';
import { preparedKeyPair } from '../prepared-keys.ts';
import { startTestService } from '../test-service.ts';
import { lastingDatabase } from './storage/test-database.ts';

/** An id and a secret with all characters that form encoding changes. */
const application = { client_id: 'app-1_a.b~c+d', client_secret: 's:e%c r&t=+/-_.~é' };

/** openid-client as it is used against a service without TLS, with signatures verified. */
function discover(baseUrl: string, auth?: ClientAuth) {
  const { client_id, client_secret } = application;
  const options = { execute: [allowInsecureRequests, enableNonRepudiationChecks] };
  return discovery(new URL(baseUrl), client_id, auth ? { client_secret } : client_secret, auth, options);
}

test.each<[string, ClientAuth | undefined]>([
  ['its default', undefined],
  ['Basic', ClientSecretBasic()],
  ['a form', ClientSecretPost()],
])('openid-client finds the endpoints, gets a token by %s and verifies its id token', async (_way, auth) => {
  const { baseUrl } = await startTestService({ application });
  const config = await discover(baseUrl, auth);
  expect(config.serverMetadata()).toMatchObject({ issuer: baseUrl });
  const tokens = await clientCredentialsGrant(config);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'all', expires_in: 1800 });
  const { client_id } = application;
  expect(tokens.claims()).toMatchObject({ iss: baseUrl, sub: client_id, aud: client_id });
});

/** Verifies a token by the published keys with OpenSSL; `undefined` if its key is not among them. */
function isProved(token: string, keys: readonly (JsonWebKey & { kid?: string })[]): boolean | undefined {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const jwk = keys.find(({ kid }) => kid === kidOf(token));
  if (!jwk) return undefined;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

test('verifiers that have the keys of before a rotation verify tokens during the overlap and after it', async () => {
  // openid-client uses the system's clock to decide when it reads the keys again.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const pass = (minutes: number) => void vi.setSystemTime(Date.now() + minutes * 60_000);
  const database = await lastingDatabase();
  const { baseUrl, request } = await startTestService({ application, database });
  const config = await discover(baseUrl);
  const idToken = async () => (await clientCredentialsGrant(config)).id_token ?? '';
  const keys = async () =>
    (await request<{ keys: JsonWebKey[] }>('GET', '/api/v1/oauth2/keys', { token: null })).body.keys;

  const before = await idToken();
  const keysBefore = await keys();
  expect(isProved(before, keysBefore)).toBe(true);

  pass(1);
  const rotation = { now: Date.now(), lead: 600, keySecret: undefined, makeKeyPair: preparedKeyPair };
  await rotateSigningKey(database, undefined, rotation);
  const during = await idToken();
  expect(kidOf(during)).toBe(kidOf(before));
  const keysDuring = await keys();
  expect(keysDuring).toHaveLength(2);

  pass(10);
  const after = await idToken();
  expect(kidOf(after)).not.toBe(kidOf(before));
  expect(isProved(after, keysDuring), 'the new key was published before it signed').toBe(true);
  expect(isProved(after, keysBefore)).toBeUndefined();
  const keysAfter = await keys();
  for (const token of [before, during, after]) expect(isProved(token, keysAfter)).toBe(true);

  pass(35);
  expect(isProved(during, await keys()), 'the last token of the old key has ended').toBeUndefined();
  expect(isProved(await idToken(), await keys())).toBe(true);
});
