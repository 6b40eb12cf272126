import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type AuthStyle, authStyles } from '../../src/client/token.ts';
import { application, device } from '../test-service.ts';
import { type Answer, anyAnswer, json, startPeer } from './start-peer.ts';

const secret = 'top secret/ü+1';
const { client_id } = application;

/** The forms in which the secret is sent. */
const forms = [
  secret,
  encodeURIComponent(secret),
  String(new URLSearchParams({ secret })).slice('secret='.length),
  Buffer.from(`${client_id}:${secret}`).toString('base64'),
];

const reset: Answer = (_received, response) => void response.socket?.resetAndDestroy();
const silence: Answer = () => {};
const garbage: Answer = (_received, response) => void response.socket?.end('no HTTP\r\n\r\n');
const refusal = json(400, { error: 'invalid_client', error_description: 'Bad client credentials' });
const coded = json(400, { error_code: 'SVC.TENANT.COM.0003', error_msg: 'no' });

function everythingOf(error: unknown): string {
  const { message, stack, cause } = error as Error;
  const deep = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  return [message, stack, JSON.stringify(error), String(cause), deep].join('\n');
}

const noWait = { 'retry-after': '0' };

/** Asks three times for an immediate retry, so that the call fails with this answer. */
function atLast(answer: Answer): Answer {
  let patience = 3;
  return (received, response) => {
    patience -= 1;
    (patience < 0 ? answer : json(503, {}, noWait))(received, response);
  };
}

async function checkTokenFailure(token: Answer, authStyle: AuthStyle) {
  const peer = await startPeer({ token: atLast(token) });
  const client = peer.connect({ clientSecret: secret, authStyle, timeout: 0.8 });
  const error = await client.obtainToken().catch((failure: unknown) => failure);
  const sent = peer.tokenCalls.map(({ url, headers, body }) => `${url} ${headers.authorization} ${body}`);
  expect(sent).toHaveLength(4);
  expect(forms.some((form) => sent.join().includes(form))).toBe(true);
  expect(error).toBeInstanceOf(Error);
  const told = everythingOf(error);
  expect(forms.filter((form) => told.includes(form))).toEqual([]);
}

test('no error of the token call contains the secret, however the call fails and however the secret is sent', async () => {
  const another = json(200, {});
  const answers = [reset, silence, garbage, refusal, coded, json(502, {}, noWait), another];
  const cases = answers.flatMap((answer) => authStyles.map((style) => checkTokenFailure(answer, style)));
  expect(cases).toHaveLength(21);
  await Promise.all(cases);
});

test.each<[string, Answer]>([
  ['reset', reset],
  ['silent', silence],
  ['garbled', garbage],
  ['refused', coded],
  ['refused for its token', json(400, { error: 'invalid_token', error_description: 'Invalid access' })],
  ['answered by a gateway', json(502, {}, noWait)],
])('no error contains the token or a password when a call is %s', async (_case, call) => {
  const peer = await startPeer({ call });
  const client = peer.connect({ timeout: 0.8 });
  const error = await client
    .createUser({ user_name: 'ann', pwd: 'pass-word-1' })
    .catch((failure: unknown) => failure);
  expect(peer.calls[0]?.headers.authorization).toBe('Bearer token-1');
  expect(peer.calls[0]?.body).toContain('pass-word-1');
  expect(error).toBeInstanceOf(Error);
  expect(everythingOf(error)).not.toMatch(/token-\d|pass-word-1/);
});

/** Repeats everything that it was sent, in the form of an answer of the API. */
const echo: Answer = ({ url, headers, body }, response) => {
  const said = `no: ${url} ${headers.authorization} ${body} ${decodeURIComponent(url)} ${url.toUpperCase()}`;
  response.writeHead(400).end(JSON.stringify({ error_code: 'SVC.TENANT.COM.0003', error_msg: said }));
};

test.each(authStyles)('a secret by %s that a service repeats is hidden', async (authStyle) => {
  const peer = await startPeer({ token: echo });
  const error = await peer
    .connect({ clientSecret: secret, authStyle })
    .obtainToken()
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({ message: expect.stringMatching(/^no: .*\[hidden\]/) });
  expect(forms.filter((form) => everythingOf(error).toLowerCase().includes(form.toLowerCase()))).toEqual([]);
});

test('a token, a password, a hash or a ticket that a service repeats is hidden', async () => {
  const peer = await startPeer({ call: echo });
  const client = peer.connect();
  const device = { operating_sys_version: '1', device_ip: '10.0.0.7', device_fingerprint: 'f' };
  const hash = { algorithm: 'hmacsha256_base64_key', value: 'planted+hash/1=', key: 'planted"key' } as const;
  const calls = [
    client.createUser({ user_name: 'ann', pwd: 'planted"pass-word' }),
    client.importHashedUser({ user_name: 'ann', 'hash-pwd': hash }),
    client.verifySsoTicket({ sso_ticket: 'ssoTicket-planted', ...device }),
    client.logIn('ann', 'planted pass', device),
    client.issueSsoTicket('planted-session', device),
  ];
  for (const call of calls) {
    const error = await call.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ message: expect.stringMatching(/^no: .*\[hidden\].*\[hidden\]/) });
    expect(everythingOf(error)).not.toMatch(/token-\d|planted/);
  }
});

/** JSON as some frameworks write it, with letters and slashes escaped without need. */
function escapedJson(value: unknown): string {
  const coded = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/"[^"\\]*"/g, (text) => text.replace(/[a-z/]/gi, coded));
}

test.each(['plain', 'escaped'])(
  'parts of an earlier request that a service repeats are hidden in errors and in data (%s)',
  async (way) => {
    const [clientSecret, accessToken] = ['top secret/ü+1 of the application', 'token/of-this-run'];
    const repeated = `was ${clientSecret} and ${accessToken}`;
    const users = [
      { user_id: repeated, user_name: accessToken, extension: { [clientSecret]: clientSecret } },
    ];
    const answer = { ...anyAnswer, ...users[0], users, total: 1, sso_ticket: clientSecret };
    const refusal = { error_code: clientSecret, error_msg: repeated };
    let body: unknown = answer;
    const peer = await startPeer({
      token: json(200, { access_token: accessToken, expires_in: 1800, token_type: 'bearer', scope: 'all' }),
      call: (_received, response) => {
        const text = way === 'plain' ? JSON.stringify(body) : escapedJson(body);
        response.writeHead(body === answer ? 200 : 400).end(text);
      },
    });
    const client = peer.connect({ clientSecret });
    const calls = () => [
      client.listUsers({ offset: 0, limit: 10 }),
      client.getUserByUserName('x'),
      client.createUser({ user_name: 'ann' }),
      client.verifySsoTicket({ sso_ticket: 'ssoTicket-1', ...device }),
      client.issueSsoTicket('session', device),
    ];
    const told = await Promise.all(calls());
    expect(JSON.stringify(told)).not.toMatch(/top secret|of-this-run/);
    expect(told[0]).toMatchObject({
      total: 1,
      users: [{ user_name: '[hidden]', extension: { '[hidden]': '[hidden]' } }],
    });
    body = refusal;
    for (const call of calls()) {
      const error = await call.catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: '[hidden]', message: 'was [hidden] and [hidden]' });
      expect(everythingOf(error)).not.toMatch(/top secret|of-this-run/);
    }
  },
);

test('data that only resembles a short secret is not changed', async () => {
  const user = { user_id: 'u-1', name: 'secret token-1 of Ann' };
  const peer = await startPeer({ call: json(200, user) });
  expect(await peer.connect({ clientSecret: 'secret' }).getUser('u-1')).toMatchObject(user);
});

test("the API's own words are not changed, even if one of them is a password", async () => {
  const wrong = 'The user name or the password is wrong, attempts left: 4';
  const peer = await startPeer({ call: json(400, { error_code: 'SDK.LOGIN.1005', error_msg: wrong }) });
  const told = async (password: string) =>
    peer
      .connect()
      .logIn('ann', password, device)
      .catch((failure: Error) => failure.message);
  expect([await told('wrong'), await told('password')]).toEqual([wrong, wrong]);
});
