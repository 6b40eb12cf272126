import { expect, test } from 'vitest';
import type { NetworkError } from '../../src/client/errors.ts';
import { type Answer, json, startPeer } from './start-peer.ts';

const html: (status: number) => Answer = (status) => (_received, response) => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Gateway</h1></html>');
};

/** The error of a create, which is never repeated, if the service answers like this. */
async function failureOf(call: Answer, options: { timeout?: number } = {}) {
  const peer = await startPeer({ call });
  const failure = await peer
    .connect(options)
    .createUser({ user_name: 'ann' })
    .then(
      () => undefined,
      (error: NetworkError) => error,
    );
  expect(peer.calls).toHaveLength(1);
  const { name, fault, effect, status, retryAfter } = failure ?? {};
  return { name, fault, effect, status, retryAfter };
}

const network = { name: 'NetworkError', status: undefined, retryAfter: undefined };

test.each<[string, Answer, object]>([
  ['a 200 that is no JSON', html(200), { fault: 'notTheApi', effect: 'unknown', status: 200 }],
  ['a 200 with an id that is no text', json(200, { user_id: 17 }), { fault: 'notTheApi', status: 200 }],
  [
    'a 200 with an object for an id',
    json(200, { user_id: { id: 'a' } }),
    { fault: 'notTheApi', status: 200 },
  ],
  ['a 200 without an id', json(200, { user_id: null }), { fault: 'notTheApi', status: 200 }],
  ['a 200 with an empty id', json(200, { user_id: '' }), { fault: 'notTheApi', status: 200 }],
  ['a 202 of a gateway', json(202, { user_id: 'u-1' }), { fault: 'notTheApi', status: 202 }],
  ['a 204', html(204), { fault: 'notTheApi', status: 204 }],
  ['a 404 of another server', html(404), { fault: 'notTheApi', effect: 'none', status: 404 }],
  ['a redirection', html(302), { fault: 'notTheApi', effect: 'none', status: 302 }],
  ['a 303, which follows what was carried out', html(303), { fault: 'notTheApi', status: 303 }],
  ["a gateway's 502", html(502), { fault: 'unavailable', effect: 'unknown', status: 502 }],
  ["a gateway's 408", html(408), { fault: 'unavailable', effect: 'unknown', status: 408 }],
  ["a gateway's 503 in JSON", json(503, { error: 'no' }), { fault: 'busy', status: 503 }],
  [
    "a framework's 500 in JSON",
    json(500, { error: 'Internal Server Error' }),
    { fault: 'failing', effect: 'unknown', status: 500 },
  ],
])('%s is a network error', async (_case, answer, expected) => {
  expect(await failureOf(answer)).toEqual({ ...network, effect: 'unknown', ...expected });
});

test.each([100, 100_000])('an answer with %i lists in one another is not one of the API', async (levels) => {
  // The escape makes the client write the answer again, to look for secrets in it.
  const deep: Answer = (_received, response) => {
    response.end(`{"user_id":"u-1","name":"\\u0041","x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  };
  expect(await failureOf(deep)).toEqual({ ...network, fault: 'notTheApi', effect: 'unknown', status: 200 });
  const client = (await startPeer({ call: deep })).connect();
  await expect(client.getUser('u-1')).rejects.toMatchObject({ fault: 'notTheApi', effect: 'none' });
  await expect(client.call({ method: 'GET', url: '/x' })).rejects.toMatchObject({ fault: 'notTheApi' });
});

test('an answer with 99 lists in one another is accepted', async () => {
  const lists = JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`);
  const { connect } = await startPeer({ call: json(200, { user_id: 'u-1', name: lists }) });
  expect(await connect().getUser('u-1')).toMatchObject({ name: JSON.stringify(lists) });
});

test.each([{ users: null }, { users: {} }, { users: 'none' }, { users: [{ user_id: 'a' }, null] }])(
  '%j is not a page of users',
  async (page) => {
    const peer = await startPeer({ call: json(200, { ...page, total: 0 }) });
    await expect(peer.connect().listUsers({ offset: 0, limit: 10 })).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'notTheApi',
    });
  },
);

test('an answer without any field names no user of a ticket, and neither does one with a code', async () => {
  const device = { operating_sys_version: '1', device_ip: '10.0.0.7', device_fingerprint: 'f' };
  const verify = async (body: object) => {
    const peer = await startPeer({ call: json(200, body) });
    return peer.connect().verifySsoTicket({ sso_ticket: 'ticket', ...device });
  };
  await expect(verify({})).rejects.toMatchObject({ fault: 'notTheApi', effect: 'unknown' });
  const failed = { error_code: 'SVC.TENANT.SSO.0001', error_msg: 'no' };
  await expect(verify(failed)).rejects.toMatchObject({ name: 'ApiError', code: 'SVC.TENANT.SSO.0001' });
  expect(await verify({ own_field: 'ann' })).toEqual({ own_field: 'ann' });
});

test.each([200, 400, 500])(
  'a failure inside the service keeps its code, and its effect is unknown: %i',
  async (status) => {
    const body = { error_code: 'SVC.TENANT.COM.0002', error_msg: 'System busy, please try again later' };
    expect(await failureOf(json(status, body))).toMatchObject({
      name: 'ApiError',
      status,
      effect: 'unknown',
    });
  },
);

const taken = { error_code: 'SVC.TENANT.USER.0034', error_msg: 'Username already exists' };

test.each(['createUser', 'importHashedUser', 'getUser', 'updateUser', 'disableUser'] as const)(
  'an answer with the code of an error is no success of %s, and its effect is unknown if it names a user, too',
  async (name) => {
    const failureOf = async (status: number, body: object) => {
      const client = (await startPeer({ call: json(status, body) })).connect();
      return name === 'createUser' || name === 'importHashedUser'
        ? client[name]({})
        : client[name]('u-1', {});
    };
    const error = { name: 'ApiError', code: taken.error_code, message: taken.error_msg };
    const both = { ...taken, user_id: 'u-1' };
    await expect(failureOf(200, both)).rejects.toMatchObject({ ...error, effect: 'unknown' });
    await expect(failureOf(200, taken)).rejects.toMatchObject({ ...error, effect: 'none' });
    await expect(failureOf(400, both)).rejects.toMatchObject({ ...error, effect: 'none' });
    for (const error_code of ['', '0', '00000', 'OK', 'success'])
      expect(await failureOf(200, { error_code, error_msg: null, user_id: 'u-1' })).toMatchObject({
        user_id: 'u-1',
      });
  },
);

test('after a connection is reset the effect is unknown', async () => {
  const reset: Answer = (_received, response) => void response.socket?.resetAndDestroy();
  expect(await failureOf(reset)).toEqual({ ...network, fault: 'interrupted', effect: 'unknown' });
});

test('after an incomplete answer the effect is unknown', async () => {
  const breakOff: Answer = (_received, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"user_id"', () => response.destroy());
  };
  expect(await failureOf(breakOff)).toEqual({ ...network, fault: 'interrupted', effect: 'unknown' });
});

test('after an answer that does not begin or end in time the effect is unknown', async () => {
  const silence: Answer = () => {};
  const stall: Answer = (_received, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{');
  };
  const expected = { ...network, fault: 'timeout', effect: 'unknown' };
  const failures = [failureOf(silence, { timeout: 0.1 }), failureOf(stall, { timeout: 0.1 })];
  expect(await Promise.all(failures)).toEqual([expected, expected]);
});

test('a rate limit with seconds says how long to wait, and that nothing was done', async () => {
  const limit = json(429, { error_code: 'SVC.TENANT.COM.0008', error_msg: 'x' }, { 'retry-after': '7' });
  expect(await failureOf(limit)).toEqual({
    ...network,
    fault: 'throttled',
    effect: 'none',
    status: 429,
    retryAfter: 7000,
  });
});

test('a rate limit with a date says how long to wait', async () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { retryAfter } = await failureOf(json(429, {}, { 'retry-after': date }));
  expect(retryAfter).toBeGreaterThan(50_000);
  expect(retryAfter).toBeLessThanOrEqual(60_000);
});

test('a date in the past asks for no wait', async () => {
  const past = await failureOf(json(429, {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }));
  expect(past.retryAfter).toBe(0);
});

test.each([-3_600_000, 3_600_000])(
  'a date is read by the clock of the service, which is off by %i ms',
  async (off) => {
    const at = (time: number) => new Date(Date.now() + off + time).toUTCString();
    const { retryAfter } = await failureOf(json(429, {}, { date: at(0), 'retry-after': at(5000) }));
    expect([4000, 5000, 6000]).toContain(retryAfter);
  },
);

test.each([
  ['1.5', 1500],
  ['86400', 86_400_000],
  ['3000000', 86_400_000],
  ['9'.repeat(400), 86_400_000],
  ['Sat, 01 Jan 3000 00:00:00 GMT', 86_400_000],
  ['soon', undefined],
  ['-5', undefined],
  ['in 3000', undefined],
  ['', undefined],
])('the wait of Retry-After %s is read correctly', async (given, expected) => {
  expect((await failureOf(json(429, {}, { 'retry-after': given }))).retryAfter).toBe(expected);
});

test('a call after close fails instead of waiting', async () => {
  const peer = await startPeer();
  const client = peer.connect();
  await client.obtainToken();
  await client.close();
  await expect(client.createUser({})).rejects.toMatchObject({ name: 'NetworkError' });
  expect(peer.calls).toEqual([]);
});

test.each([{}, [], 'ok', { users: [] }, { error_code: null }])(
  'after an answer with status 200 that is not that of the operation, the effect of a write is unknown: %j',
  async (body) => {
    const client = (await startPeer({ call: json(200, body) })).connect();
    await expect(client.createUser({})).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'notTheApi',
      effect: 'unknown',
    });
    await expect(client.getUser('x')).rejects.toMatchObject({ fault: 'notTheApi', effect: 'none' });
  },
);
