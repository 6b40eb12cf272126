import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { errorReply } from '../api-errors.ts';
import { startFaulty } from './start-faulty.ts';

const second = (action: unknown) => [{ operation: 'createUser', when: { nth: 2 }, do: action }];
const json = 'application/json; charset=utf-8';
const busy = { body: errorReply('systemBusy').body, contentType: json };
const page = (title: string) => ({
  contentType: 'text/html',
  body: expect.stringContaining(`<h1>${title}</h1>`),
});

test.each([
  [{ status: 500 }, { status: 500, ...busy }],
  [
    { status: 503, body: 'json', retry_after: 7 },
    { status: 503, ...busy, retryAfter: '7' },
  ],
  [
    { status: 500, body: 'html' },
    { status: 500, ...page('500 Internal Server Error') },
  ],
  [{ status: 502 }, { status: 502, ...page('502 Bad Gateway') }],
  [{ status: 503 }, { status: 503, ...page('503 Service Unavailable'), retryAfter: undefined }],
  [{ status: 504 }, { status: 504, ...page('504 Gateway Timeout') }],
  [{ html: true }, { status: 200, ...page('Sign in') }],
  [{ reset: 'before_commit' }, { broke: 'ECONNRESET' }],
  [
    { status: 429, retry_after: 2 },
    { status: 429, body: { error_code: 'SVC.TENANT.COM.0008' }, contentType: json, retryAfter: '2' },
  ],
  [
    { status: 429, body: 'html' },
    { status: 429, ...page('429 Too Many Requests'), retryAfter: undefined },
  ],
])('%j ends the call before the operation is carried out', async (action, seen) => {
  const { create, stored, faults } = await startFaulty(second(action));
  expect(await create('ann')).toMatchObject({ status: 200, contentType: json });
  expect(await create('bob')).toMatchObject(seen);
  expect(await create('carl')).toMatchObject({ status: 200 });
  expect(await stored()).toEqual(['ann', 'carl']);
  expect(faults.triggered()).toEqual([1]);
});

test.each([
  [{ reset: 'after_commit' }, { broke: 'ECONNRESET' }],
  [{ cut_reply: true }, { broke: 'UND_ERR_SOCKET' }],
  [
    { html: true, after_commit: true },
    { status: 200, ...page('Sign in') },
  ],
  [
    { status: 500, after_commit: true },
    { status: 500, ...busy },
  ],
  [
    { status: 504, after_commit: true },
    { status: 504, ...page('504 Gateway Timeout') },
  ],
])('%j carries the call out and loses the answer', async (action, seen) => {
  const { create, stored } = await startFaulty(second(action));
  await create('ann');
  expect(await create('bob')).toMatchObject(seen);
  expect(await create('carl')).toMatchObject({ status: 200 });
  expect(await stored()).toEqual(['ann', 'bob', 'carl']);
});

test('a cut reply announces more bytes than it sends', async () => {
  const { baseUrl, client } = await startFaulty([{ operation: 'getUserByEmail', do: { cut_reply: true } }]);
  const { access_token } = await client.obtainToken();
  const { user_id } = await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const whole = JSON.stringify(await client.getUser(user_id));
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const body = '{"email":"ann@example.com"}';
  const head = [
    'POST /api/v2/tenant/users/user-by-email HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `authorization: Bearer ${access_token}`,
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const [headers = '', sent = ''] = (await text(socket)).split('\r\n\r\n');
  expect(headers).toMatch(/^HTTP\/1.1 200 OK/);
  expect(/content-length: (\d+)/i.exec(headers)?.[1]).toBe(String(whole.length));
  expect(sent).toBe(whole.slice(0, whole.length / 2));
});

test('a cut page with a large user announces more bytes than it sends, too', async () => {
  const { baseUrl, client } = await startFaulty([
    { operation: 'listUsers', when: { nth: 2 }, do: { cut_reply: true } },
  ]);
  const { access_token } = await client.obtainToken();
  await client.createUser({ head_img: `data:image/png;base64,${'A'.repeat(70_000)}` });
  const whole = JSON.stringify(await client.listUsers({ offset: 0, limit: 10 }));
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const head = [
    'GET /api/v2/tenant/users?offset=0&limit=10 HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${access_token}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [headers = '', sent = ''] = (await text(socket)).split('\r\n\r\n');
  expect(headers).toContain(`content-length: ${whole.length}`);
  expect(sent).toBe(whole.slice(0, whole.length / 2));
});

test('Retry-After as a date is a whole second, and never too early', async () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0, 250);
  const action = { status: 503, retry_after: { date_in: 3 } };
  const { create } = await startFaulty([{ operation: '*', when: { from: 2 }, do: action }], {
    now: () => now,
  });
  expect(await create('ann')).toMatchObject({ status: 503, retryAfter: 'Thu, 01 Jan 2026 12:00:04 GMT' });
});

test('the access token of the call that triggered the fault is rejected from then on, and another token is not', async () => {
  const { create, call, client, stored } = await startFaulty([
    { operation: 'createUser', when: { nth: 2 }, do: { expire_token: true } },
  ]);
  const refused = { status: 400, body: { error: 'invalid_token', error_description: 'Invalid access' } };
  expect(await create('ann')).toMatchObject({ status: 200 });
  expect(await create('bob')).toMatchObject(refused);
  expect(await create('carl')).toMatchObject(refused);
  expect(await call('GET', '/api/v2/tenant/users?offset=0&limit=10')).toMatchObject(refused);
  // The client gets a new token by itself, once.
  expect(await client.createUser({ user_name: 'dora' })).toEqual({ user_id: expect.any(String) });
  expect(await stored()).toEqual(['ann', 'dora']);
});

test.each([
  [{ status: 500 }, 0],
  [{ html: true }, 0],
  [{ reset: 'before_commit' }, 0],
  [{ status: 503, after_commit: true }, 1],
  [{ status: 504, after_commit: true }, 1],
  [{ html: true, after_commit: true }, 1],
  [{ reset: 'after_commit' }, 1],
  [{ cut_reply: true }, 1],
])(
  'with %j the audit log has a line for a call that was carried out, and for no other',
  async (action, count) => {
    const lines: string[] = [];
    const { client, call } = await startFaulty([{ operation: 'disableUser', do: action }], {
      audit: { to: { write: (text) => lines.push(text) } },
    });
    const { user_id } = await client.createUser({ user_name: 'ann' });
    await call('PUT', `/api/v2/tenant/users/${user_id}/disable`);
    expect(await client.getUser(user_id)).toMatchObject({ disabled: count === 1 });
    const disabled = lines.join('').match(/"event":"disableUser","outcome":"\w+"/g) ?? [];
    expect(disabled).toEqual(Array.from({ length: count }, () => '"event":"disableUser","outcome":"done"'));
  },
);
