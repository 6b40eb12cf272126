import { createHmac, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { expect, test, vi } from 'vitest';
import type { AccessToken } from '../../../src/contract/wire.ts';
import type { Database, Value } from '../../../src/service/storage/engine/database.ts';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import { preparedKeyPair } from '../../prepared-keys.ts';
import { application, device, startTestService, type TestService } from '../../test-service.ts';
import { keptDatabase, lastingDatabase } from '../storage/test-database.ts';

const now = () => Date.UTC(2026, 0, 1, 12, 0, 0, 500);
const issued = Date.UTC(2026, 0, 1, 12) / 1000;

async function idTokenOf({ request }: TestService, credentials = application): Promise<string> {
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  const { body } = await request<AccessToken>('POST', `/api/v2/tenant/token?${query}`, { token: null });
  return body.id_token;
}

async function keysOf({ request }: TestService, query = ''): Promise<JSONWebKeySet> {
  return (await request<JSONWebKeySet>('GET', `/api/v1/oauth2/keys${query}`, { token: null })).body;
}

const options = { currentDate: new Date(now()), algorithms: ['RS256'] };

test('the served keys verify the id token', async () => {
  const service = await startTestService({ now });
  const token = await idTokenOf(service);
  const keys = await keysOf(service);
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), options);

  expect(payload).toEqual({
    iss: service.baseUrl,
    sub: application.client_id,
    aud: application.client_id,
    iat: issued,
    exp: issued + 1800,
    token_use: 'application',
  });
  expect(protectedHeader).toEqual({ alg: 'RS256', kid: keys.keys[0]?.kid, typ: 'JWT' });
});

test('OpenSSL verifies the id token, too', async () => {
  const service = await startTestService({ now });
  const [header = '', payload = '', signature = ''] = (await idTokenOf(service)).split('.');
  const [jwk] = (await keysOf(service)).keys;
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65_537n });
  const bytes = Buffer.from(signature, 'base64url');
  expect(verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), key, bytes)).toBe(true);
  expect(verify('RSA-SHA256', Buffer.from(`${header}.${payload}x`), key, bytes)).toBe(false);
});

test('the served keys have no private part, and are served before the first token is made', async () => {
  const service = await startTestService();
  const { keys } = await keysOf(service, `?client_id=${service.tenants[0]?.client_id}`);
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  expect(keys).toMatchObject([{ kty: 'RSA', alg: 'RS256', use: 'sig' }]);
});

test('an id token of another service is not verified', async () => {
  const token = await idTokenOf(await startTestService({ now }));
  const keys = createLocalJWKSet(await keysOf(await startTestService({ now })));
  await expect(jwtVerify(token, keys, options)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens that an attacker could make from a served token and the public key. */
function forgeries(token: string, [key]: JSONWebKeySet['keys']): Record<string, string> {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const other = text({ ...decodeJwt(token), sub: 'somebody else' });
  const head = (parts: object) => text({ ...decodeProtectedHeader(token), ...parts });
  const pem = createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });
  const hmac = (first: string) => createHmac('sha256', String(pem)).update(first).digest('base64url');
  const symmetric = `${head({ alg: 'HS256' })}.${other}`;
  return {
    'another subject': `${header}.${other}.${signature}`,
    'no algorithm': `${head({ alg: 'none' })}.${other}.`,
    'the public key as a secret': `${symmetric}.${hmac(symmetric)}`,
    'a key of its own': `${head({ jwk: { kty: 'oct', k: 'AAAA' }, kid: '' })}.${other}.${signature}`,
    'the id of no key': `${head({ kid: '../../dev/null' })}.${payload}.${signature}`,
  };
}

test('a forged id token is not verified', async () => {
  const service = await startTestService({ now });
  const { keys } = await keysOf(service);
  const forged = forgeries(await idTokenOf(service), keys);
  for (const [name, token] of Object.entries(forged)) {
    await expect(jwtVerify(token, createLocalJWKSet({ keys }), options), name).rejects.toThrow();
    expect(await service.request('GET', '/api/v2/tenant/users', { token }), name).toMatchObject({
      status: 400,
      body: { error: 'invalid_token' },
    });
  }
});

test('a login gives an id token of the user, with the name in the field that clients of the vendor read', async () => {
  const service = await startTestService({ now });
  const { user_id } = await service.client.createUser({
    user_name: 'ann',
    pwd: 'qwe123!@#',
    pwd_must_modify: false,
  });
  const answer = await service.client.logIn('ann', 'qwe123!@#', device);
  const token = answer.status === 'SUCCESS' ? answer.id_token : '';
  const { payload } = await jwtVerify(token, createLocalJWKSet(await keysOf(service)), options);
  const { api, ...claims } = payload as JWTPayload & { api: string };
  expect(claims).toEqual({
    sub: user_id,
    aud: application.client_id,
    iss: service.baseUrl,
    iat: issued,
    exp: issued + 1800,
    token_use: 'login',
    userName: 'ann',
  });
  expect(JSON.parse(api)).toEqual({ userName: 'ann' });
});

test.each([undefined, 'https://users.example.com'])(
  'the issuer is the address of the service (%s), whatever host the caller names',
  async (publicUrl) => {
    const service = await startTestService({ now, ...(publicUrl ? { publicUrl } : {}) });
    const claimed = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    const parts = { token: null, headers: { ...claimed, forwarded: 'host=evil.example' } };
    const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
    const { body } = await service.request<AccessToken>('POST', `/api/v2/tenant/token?${query}`, parts);
    expect(decodeJwt(body.id_token).iss).toBe(publicUrl ?? service.baseUrl);
    const found = await service.request('GET', '/.well-known/openid-configuration', parts);
    expect(JSON.stringify(found.body)).not.toContain('evil');
  },
);

test('the discovery document names the endpoints under the issuer', async () => {
  const publicUrl = 'https://users.example.com/idm';
  const { request } = await startTestService({ publicUrl });
  const path = '/.well-known/openid-configuration';
  const { body } = await request<Record<string, unknown>>('GET', path, { token: null });
  expect(body).toMatchObject({
    issuer: publicUrl,
    token_endpoint: `${publicUrl}/api/v2/tenant/token`,
    jwks_uri: `${publicUrl}/api/v1/oauth2/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const narrow = await request<{ jwks_uri: string }>('GET', `${path}?client_id=a%26b`, { token: null });
  expect(narrow.body.jwks_uri).toBe(`${publicUrl}/api/v1/oauth2/keys?client_id=a%26b`);
});

test('the signing key is the same after a restart of the service', async () => {
  const database = await lastingDatabase();
  const first = await startTestService({ now, database });
  const token = await idTokenOf(first);
  const second = await startTestService({ now, database });
  const keys = await keysOf(second);
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), options);
  expect(payload.sub).toBe(application.client_id);
  expect(decodeProtectedHeader(await idTokenOf(second)).kid).toBe(keys.keys[0]?.kid);
});

test('two nodes that need the first signing key at the same time use the same one, and each makes at most one', async () => {
  const database = await lastingDatabase();
  let made = 0;
  const makeKeyPair = () => {
    made += 1;
    return preparedKeyPair();
  };
  const nodes = [
    await startTestService({ now, database, makeKeyPair }),
    await startTestService({ now, database, makeKeyPair }),
  ];
  const calls = nodes.flatMap((node) => Array.from({ length: 10 }, () => idTokenOf(node)));
  const tokens = await Promise.all(calls);
  expect(made).toBeLessThanOrEqual(2);
  const sets = await Promise.all(nodes.map((node) => keysOf(node)));
  expect(sets[0]?.keys).toHaveLength(1);
  expect(sets[1]).toEqual(sets[0]);
  for (const token of tokens) await jwtVerify(token, createLocalJWKSet(sets[0] ?? { keys: [] }), options);
});

test('a node that learns late that there was no signing key makes no second one', async () => {
  const kept = await keptDatabase();
  const events = new EventEmitter();
  const looked = once(events, 'looked');
  let isFirst = true;
  const database: Database = {
    ...kept,
    async query<Row>(sql: string, values: readonly Value[]) {
      const rows = await kept.query<Row>(sql, values);
      if (isFirst && sql.includes('private_key FROM signing_keys')) {
        isFirst = false;
        const answered = once(events, 'answered');
        events.emit('looked');
        await answered;
      }
      return rows;
    },
  };
  const makeKeyPair = vi.fn(preparedKeyPair);
  const service = await startTestService({ now, database, makeKeyPair });
  const slow = idTokenOf(service);
  await looked;
  const token = await idTokenOf(service);
  events.emit('answered');
  expect(decodeProtectedHeader(await slow).kid).toBe(decodeProtectedHeader(token).kid);
  expect(makeKeyPair).toHaveBeenCalledOnce();
});

test('each tenant has signing keys of its own, which verify no token of another tenant', async () => {
  const tenants = ['acme', 'globex'].map((tenant_id) => definitionOf(JSON.stringify({ tenant_id })));
  const service = await startTestService({ now, tenants });
  expect(service.tenants.map(({ tenant_id }) => tenant_id)).toEqual(['acme', 'globex']);
  const globex = {
    client_id: service.tenants[1]?.client_id ?? '',
    client_secret: service.tenants[1]?.client_secret ?? '',
  };
  expect(await keysOf(service), 'a key is made when it is needed').toEqual({ keys: [] });
  const [ours, theirs] = [await idTokenOf(service), await idTokenOf(service, globex)];
  const all = await keysOf(service);
  const own = await keysOf(service, `?client_id=${globex.client_id}`);
  expect([all.keys.length, own.keys.length]).toEqual([2, 1]);
  for (const token of [ours, theirs]) await jwtVerify(token, createLocalJWKSet(all), options);
  await jwtVerify(theirs, createLocalJWKSet(own), { ...options, audience: globex.client_id });
  await expect(jwtVerify(ours, createLocalJWKSet(own), options)).rejects.toThrow();
  const forUs = { ...options, audience: globex.client_id };
  await expect(jwtVerify(ours, createLocalJWKSet(all), forUs)).rejects.toThrow('"aud"');
});
