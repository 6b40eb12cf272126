import { expect, test } from 'vitest';
import type { AccessToken } from '../../../src/contract/wire.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { testPasswords } from '../../test-passwords.ts';
import { application, startTestService } from '../../test-service.ts';

const path = '/api/v2/tenant/token';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const { client_id, client_secret } = application;

function text(parameters: Record<string, string>): string {
  return String(new URLSearchParams(parameters));
}

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

const grant = { grant_type: 'client_credentials' };
const complete = { ...grant, client_id, client_secret };

const token = {
  access_token: expect.stringMatching(/^\S{20,}$/),
  token_type: 'bearer',
  expires_in: 1800,
  scope: 'all',
  id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
};

test.each([
  ['the query, as the specification has it', `?${text(complete)}`, { headers: form }],
  ['the query, without a content type', `?${text(complete)}`, {}],
  ['the form body', '', { headers: form, body: text(complete) }],
  [
    'HTTP Basic, the grant in the body',
    '',
    { headers: { ...form, ...basic(client_id, client_secret) }, body: text(grant) },
  ],
  ['HTTP Basic, the grant in the query', `?${text(grant)}`, { headers: basic(client_id, client_secret) }],
])('the token endpoint accepts credentials in %s', async (_case, query, parts) => {
  const { request } = await startTestService();
  const reply = await request('POST', path + query, { token: null, ...parts });
  expect(reply).toMatchObject({ status: 200, body: token });
  expect(reply.headers['cache-control']).toBe('no-store');
});

test('the answer has exactly the fields of §2.1', async () => {
  const { request } = await startTestService();
  const { body } = await request('POST', `${path}?${text(complete)}`, { token: null });
  expect(body).toEqual(token);
});

test.each([
  ['a wrong secret', { ...complete, client_secret: 'wrong' }, 'invalid_client', 'Bad client credentials'],
  ['an unknown id', { ...complete, client_id: 'nobody' }, 'invalid_client', 'Bad client credentials'],
  ['a secret in other case', { ...complete, client_secret: client_secret.toUpperCase() }, 'invalid_client'],
  ['another grant', { ...complete, grant_type: 'password' }, 'unsupported_grant_type'],
  ['no grant', { client_id, client_secret }, 'invalid_request'],
  ['no id', { ...grant, client_secret }, 'invalid_request'],
  ['no secret', { ...grant, client_id }, 'invalid_request'],
  ['an empty secret', { ...complete, client_secret: '' }, 'invalid_request'],
  ['nothing', {}, 'invalid_request'],
])(
  'the token endpoint rejects %s in the query, the form and by Basic alike',
  async (_case, parameters, error, description = '') => {
    const { request } = await startTestService();
    const { client_id: id = '', client_secret: secret = '', ...rest } = parameters as Record<string, string>;
    const replies = [
      await request('POST', `${path}?${text(parameters)}`, { token: null }),
      await request('POST', path, { token: null, headers: form, body: text(parameters) }),
      await request('POST', path, {
        token: null,
        headers: { ...form, ...basic(id, secret) },
        body: text(rest),
      }),
    ];
    const error_description = description || expect.stringMatching(/\S/);
    for (const { status, body } of replies) {
      expect({ status, body }).toEqual({ status: 400, body: { error, error_description } });
    }
  },
);

test.each([
  ['a parameter twice', `?${text(complete)}&client_id=${client_id}`, {}],
  [
    'Basic that is no pair',
    `?${text(grant)}`,
    { authorization: `Basic ${Buffer.from('x').toString('base64')}` },
  ],
  ['Basic that is no base64', `?${text(grant)}`, { authorization: 'Basic ***' }],
  ['a bearer', `?${text(grant)}`, { authorization: 'Bearer x' }],
])('the token endpoint rejects %s as malformed', async (_case, query, headers) => {
  const { request } = await startTestService();
  expect(await request('POST', path + query, { token: null, headers })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

test('Basic credentials are also read as RFC 6749 encodes them, and a wrong secret stays wrong in both encodings', async () => {
  const { request } = await startTestService();
  const encoded = (secret: string) => secret.replaceAll('-', '%2D');
  const status = async (id: string, secret: string) =>
    (await request('POST', `${path}?${text(grant)}`, { token: null, headers: basic(id, secret) })).status;
  expect(await status(encoded(client_id), encoded(client_secret))).toBe(200);
  expect(await status(client_id, encoded(client_secret))).toBe(200);
  expect(await status(client_id, `${encoded(client_secret)}x`)).toBe(400);
  expect(await status(client_id, `${client_secret}%`)).toBe(400);
});

test('no token call computes a slow hash, with right or wrong credentials of a generated application', async () => {
  const used: string[] = [];
  const refuse = (name: string) => () => {
    used.push(name);
    return Promise.reject(new Error('not expected'));
  };
  const passwords = { ...testPasswords, compare: refuse('compare'), matches: refuse('matches') };
  const tenants = [defaultTenant, { ...defaultTenant, tenant_id: 'other' }];
  const { request, tenants: access } = await startTestService({ tenants, passwords });
  const { client_id: clientId = '', client_secret: clientSecret = '' } = access[1] ?? {};
  const status = async (id: string, secret: string) => {
    const parameters = { ...grant, client_id: id, client_secret: secret };
    return (await request('POST', `${path}?${text(parameters)}`, { token: null })).status;
  };
  expect([await status(clientId, clientSecret), await status(clientId, 'x'), await status('y', 'x')]).toEqual(
    [200, 400, 400],
  );
  expect(used).toEqual([]);
});

test('several tokens are valid at the same time, and each expires by itself', async () => {
  let time = Date.UTC(2026, 0, 1);
  const { request } = await startTestService({ now: () => time });
  const obtain = async () =>
    (await request<AccessToken>('POST', `${path}?${text(complete)}`, { token: null })).body.access_token;
  const statuses = (tokens: string[]) =>
    Promise.all(
      tokens.map(
        async (one) =>
          (await request('GET', '/api/v2/tenant/users?offset=0&limit=10', { token: one })).status,
      ),
    );

  const first = await obtain();
  time += 1_000_000;
  const second = await obtain();
  expect(first).not.toBe(second);
  expect(await statuses([first, second])).toEqual([200, 200]);
  time += 799_999;
  expect(await statuses([first, second])).toEqual([200, 200]);
  time += 1;
  expect(await statuses([first, second])).toEqual([400, 200]);
  time += 1_000_000;
  expect(await statuses([first, second])).toEqual([400, 400]);
});
