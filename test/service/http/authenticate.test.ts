import { expect, test } from 'vitest';
import { companions, type Operation, operations } from '../../../src/contract/operations.ts';
import { openRoutes } from '../../../src/service/routes/routes.ts';
import { device, startTestService } from '../../test-service.ts';
import { invalidToken } from '../api-errors.ts';

const open = Object.keys(openRoutes);
const all: [string, Operation][] = Object.entries({ ...operations, ...companions });
const closed = all.filter(([name]) => !open.includes(name));

test('only calls that get or check credentials need no bearer token', () => {
  expect(open).toEqual(['obtainToken', 'logIn', 'updatePassword', 'listKeys', 'discover']);
});

test.each(closed)('%s needs a bearer token, whatever else is wrong', async (_name, { method, url }) => {
  const { request } = await startTestService();
  const path = url.replace(':user_id', 'nobody');
  const bodies = method === 'GET' ? [undefined] : [undefined, '{', '[]', '{"user_name":5}'];
  const authorizations = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer x y',
    'Basic eDp5',
    'Bearer garbage',
    `Bearer 1.${'x'.repeat(43)}`,
  ];
  for (const body of bodies) {
    for (const authorization of authorizations) {
      const { status, body: answer } = await request(method, path, {
        body,
        token: null,
        headers: { authorization },
      });
      expect({ status, body: answer }).toEqual(invalidToken);
    }
    const { status, body: answer } = await request(method, path, { body, token: null });
    expect({ status, body: answer }).toEqual(invalidToken);
  }
});

test('a call needs a bearer token whatever the length of its user id', async () => {
  const { request } = await startTestService();
  expect(await request('GET', `/api/v2/tenant/users/${'x'.repeat(8000)}`, { token: null })).toMatchObject(
    invalidToken,
  );
});

test('a call needs a bearer token whatever the content type of its body', async () => {
  const { request } = await startTestService();
  const parts = { token: null, body: 'x', headers: { 'content-type': 'text/plain' } };
  expect(await request('POST', '/api/v2/tenant/users', parts)).toMatchObject(invalidToken);
});

test('the scheme of the header is read in upper and lower case', async () => {
  const { request, client } = await startTestService();
  const { access_token } = await client.obtainToken();
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    const headers = { authorization: `${scheme} ${access_token}` };
    const reply = await request('GET', '/api/v2/tenant/users?offset=0&limit=10', { token: null, headers });
    expect(reply.status).toBe(200);
  }
});

test('a token with one letter changed is rejected', async () => {
  const { request, client } = await startTestService();
  const { access_token } = await client.obtainToken();
  const changed = access_token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const token of [
    changed,
    access_token.slice(0, -1),
    `${access_token}A`,
    access_token.replace('1.', '2.'),
  ]) {
    expect(await request('GET', '/api/v2/tenant/users', { token })).toMatchObject(invalidToken);
  }
});

test('no session token, state token or ticket is accepted as a bearer token', async () => {
  const { request, client } = await startTestService();
  await client.createUser({ user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false });
  await client.createUser({ user_name: 'bob', pwd: 'qwe123!@#' });
  const session = await client.logIn('ann', 'qwe123!@#', device);
  const state = await client.logIn('bob', 'qwe123!@#', device);
  const tokens = [...Object.values(session), ...Object.values(state)].map(String);
  expect(tokens).toHaveLength(6);
  for (const token of tokens)
    expect(await request('GET', '/api/v2/tenant/users', { token })).toMatchObject(invalidToken);
});
