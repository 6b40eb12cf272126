import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import type { Answer } from '../../../src/contract/exchange.ts';

const tokenStore = { load: () => ({ access_token: 't', expires_at: Infinity, scope: 'all' }), save() {} };

function clientOf(answer: Answer, timeout?: number) {
  const client = createClient({
    baseUrl: 'http://localhost',
    clientId: 'app',
    clientSecret: 'secret',
    tokenStore,
    answer,
    ...(timeout === undefined ? {} : { timeout }),
  });
  onTestFinished(() => client.close());
  return client;
}

const created = { status: 200, headers: {}, text: '{"user_id":"1"}', bytes: 15 };

test('a service in the process gets the request, and its answer is the result of the call', async () => {
  const answer = vi.fn<Answer>((_request, answered) => answered(created));
  await expect(clientOf(answer).createUser({ user_name: 'ann' })).resolves.toEqual({ user_id: '1' });
  const asked = answer.mock.calls.map(([{ body, ...request }]) => ({ ...request, body: body?.() }));
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/api/v2/tenant/users',
      headers: { 'content-type': 'application/json; charset=utf-8', authorization: 'Bearer t' },
      body: '{"user_name":"ann"}',
      value: { user_name: 'ann' },
    },
  ]);
});

test('its rejections are the same as those of a remote service', async () => {
  const text = '{"error_code":"USER.0034","error_msg":"taken"}';
  const client = clientOf((_request, answered) =>
    answered({ status: 400, headers: {}, text, bytes: text.length }),
  );
  await expect(client.createUser({})).rejects.toMatchObject({ name: 'ApiError', code: 'USER.0034' });
});

test('an answer that takes too long is not waited for, and is ignored when it arrives', async () => {
  let late = () => {};
  const client = clientOf((_request, answered) => {
    late = () => answered(created);
  }, 0.05);
  await expect(client.createUser({})).rejects.toMatchObject({ fault: 'timeout', effect: 'unknown' });
  late();
});

test('closing the client ends calls in progress, and later calls are not sent', async () => {
  const answer = vi.fn<Answer>();
  const client = clientOf(answer);
  const call = client.createUser({});
  await expect.poll(() => answer.mock.calls.length).toBe(1);
  const ended = expect(call).rejects.toMatchObject({ name: 'NetworkError', effect: 'unknown' });
  await client.close();
  await ended;
  await expect(client.createUser({})).rejects.toMatchObject({ name: 'NetworkError', effect: 'none' });
  expect(answer).toHaveBeenCalledTimes(1);
});
