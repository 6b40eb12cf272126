import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import type { AccessToken } from '../../../src/contract/wire.ts';
import { application, device, startTestService, type TestService } from '../../test-service.ts';
import { temporaryDatabase } from '../storage/temporary-database.ts';

const now = () => Date.UTC(2026, 0, 1, 12, 0, 0, 500);
const issued = Date.UTC(2026, 0, 1, 12) / 1000;

async function idTokenOf({ request }: TestService): Promise<string> {
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
  const { body } = await request<AccessToken>('POST', `/api/v2/tenant/token?${query}`, { token: null });
  return body.id_token;
}

async function keysOf({ request }: TestService): Promise<JSONWebKeySet> {
  return (await request<JSONWebKeySet>('GET', '/api/v1/oauth2/keys', { token: null })).body;
}

const clock = { currentDate: new Date(now()) };

test('the id token is proved by the served keys', async () => {
  const service = await startTestService({ now });
  const token = await idTokenOf(service);
  const keys = await keysOf(service);
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), clock);

  expect(payload).toEqual({
    iss: service.baseUrl,
    sub: application.client_id,
    aud: application.client_id,
    iat: issued,
    exp: issued + 1800,
    token_use: 'application',
  });
  expect(protectedHeader).toEqual({ alg: 'ES256', kid: keys.keys[0]?.kid, typ: 'JWT' });
});

test('the served keys hold no private part', async () => {
  const { keys } = await keysOf(await startTestService());
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

test('an id token of another service is not proved', async () => {
  const token = await idTokenOf(await startTestService({ now }));
  const keys = createLocalJWKSet(await keysOf(await startTestService({ now })));
  await expect(jwtVerify(token, keys, clock)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

test('a login gives an id token of the user', async () => {
  const service = await startTestService({ now });
  const { user_id } = await service.client.createUser({
    user_name: 'ann',
    pwd: 'qwe123!@#',
    pwd_must_modify: false,
  });
  const answer = await service.client.logIn('ann', 'qwe123!@#', device);
  const token = answer.status === 'SUCCESS' ? answer.id_token : '';
  const { payload } = await jwtVerify(token, createLocalJWKSet(await keysOf(service)), clock);
  expect(payload).toMatchObject({
    sub: user_id,
    aud: application.client_id,
    iss: service.baseUrl,
    iat: issued,
    token_use: 'login',
    'api.userName': 'ann',
  });
});

test.each([undefined, 'https://users.example.com'])(
  'the issuer is the address of the service (%s), whatever host the caller claims',
  async (publicUrl) => {
    const service = await startTestService({ now, ...(publicUrl ? { publicUrl } : {}) });
    const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
    const { body } = await service.request<AccessToken>('POST', `/api/v2/tenant/token?${query}`, {
      token: null,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(decodeJwt(body.id_token).iss).toBe(publicUrl ?? service.baseUrl);
  },
);

test('the key outlives the service', async () => {
  const database = await temporaryDatabase();
  const first = await startTestService({ now, database });
  const token = await idTokenOf(first);
  const second = await startTestService({ now, database });
  const keys = await keysOf(second);
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), clock);
  expect(payload.sub).toBe(application.client_id);
  expect(decodeProtectedHeader(await idTokenOf(second)).kid).toBe(keys.keys[0]?.kid);
});
