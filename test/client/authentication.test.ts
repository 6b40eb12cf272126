import { expect, test } from 'vitest';
import { authStyles } from '../../src/client/token.ts';
import { application, startTestService } from '../test-service.ts';
import { json, startPeer } from './start-peer.ts';

const { client_id, client_secret } = application;

test.each(authStyles)('the service accepts credentials by %s', async (authStyle) => {
  const { connect } = await startTestService();
  expect(await connect({ authStyle }).listUsers({ offset: 0, limit: 10 })).toEqual({ total: 0, users: [] });
});

test.each(authStyles)('the service rejects a wrong secret by %s', async (authStyle) => {
  const { connect } = await startTestService();
  await expect(connect({ authStyle, clientSecret: 'wrong' }).obtainToken()).rejects.toMatchObject({
    name: 'AuthenticationError',
    code: 'invalid_client',
    message: 'Bad client credentials',
    status: 400,
  });
});

test('the client sends the credentials in the query by default, as the specification describes it', async () => {
  const peer = await startPeer();
  await peer.connect().obtainToken();
  expect(peer.tokenCalls).toMatchObject([
    {
      method: 'POST',
      url: `/api/v2/tenant/token?grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    },
  ]);
});

test('form keeps the credentials out of the URL', async () => {
  const peer = await startPeer();
  await peer.connect({ authStyle: 'form' }).obtainToken();
  expect(peer.tokenCalls).toMatchObject([
    {
      url: '/api/v2/tenant/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`,
    },
  ]);
});

test('basic keeps the credentials out of the URL and the body', async () => {
  const peer = await startPeer();
  await peer.connect({ authStyle: 'basic' }).obtainToken();
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  expect(peer.tokenCalls).toMatchObject([
    { url: '/api/v2/tenant/token', headers: { authorization }, body: 'grant_type=client_credentials' },
  ]);
});

test('a secret with characters that have a meaning in a URL arrives unchanged', async () => {
  const application = { client_id: 'a b+c&d', client_secret: 'p=1&q%20 +#字' };
  const { connect } = await startTestService({ application });
  const options = { clientId: application.client_id, clientSecret: application.client_secret };
  for (const authStyle of authStyles) {
    expect(await connect({ ...options, authStyle }).obtainToken()).toMatchObject({ scope: 'all' });
  }
});

test('the client reads both forms of errors from the token endpoint', async () => {
  const oauth = await startPeer({ token: json(400, { error: 'invalid_client', error_description: 'no' }) });
  await expect(oauth.connect().obtainToken()).rejects.toMatchObject({
    name: 'AuthenticationError',
    code: 'invalid_client',
    message: 'no',
  });
  const coded = await startPeer({ token: json(400, { error_code: 'SVC.TENANT.COM.0003', error_msg: 'no' }) });
  await expect(coded.connect().obtainToken()).rejects.toMatchObject({
    name: 'ApiError',
    code: 'SVC.TENANT.COM.0003',
    message: 'no',
  });
});

test('the client reads both forms of errors from every other endpoint', async () => {
  const oauth = await startPeer({ call: json(401, { error: 'unauthorized', error_description: 'no' }) });
  await expect(oauth.connect().getUser('x')).rejects.toMatchObject({
    name: 'AuthenticationError',
    code: 'unauthorized',
    status: 401,
  });
  const coded = await startPeer({ call: json(400, { error_code: 'SVC.TENANT.USER.0001', error_msg: 'no' }) });
  await expect(coded.connect().getUser('x')).rejects.toMatchObject({
    name: 'ApiError',
    code: 'SVC.TENANT.USER.0001',
    status: 400,
    effect: 'none',
  });
});

test('the error page of a web framework does not count as rejected credentials', async () => {
  const page = { timestamp: '2026-01-01', status: 400, error: 'Bad Request', path: '/' };
  const peer = await startPeer({ token: json(400, page) });
  await expect(peer.connect().obtainToken()).rejects.toMatchObject({ fault: 'notTheApi', status: 400 });
});

test.each([
  { status: 'up' },
  { access_token: 'x', expires_in: 'soon' },
  { access_token: 5, expires_in: 1800 },
  null,
  [],
])('%j is not a token, so the server is another service', async (answer) => {
  const peer = await startPeer({ token: json(200, answer) });
  await expect(peer.connect().getUser('x')).rejects.toMatchObject({
    name: 'NetworkError',
    fault: 'notTheApi',
  });
  expect(peer.calls).toEqual([]);
});
