import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';

test('disable keeps the user in the list', async () => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  expect(await client.disableUser(user_id)).toEqual({ user_id });
  const { users, total } = await client.listUsers({ offset: 0, limit: 10 });
  expect({ users, total }).toMatchObject({ users: [{ user_id, disabled: true }], total: 1 });
});

test('disabling a user twice succeeds, and the second time changes nothing, not even updated_at', async () => {
  let time = Date.UTC(2026, 0, 1);
  const { client } = await startTestService({ now: () => time });
  const { user_id } = await client.createUser({ user_name: 'ann' });
  time += 60_000;
  await client.disableUser(user_id);
  const disabled = await client.getUser(user_id);
  expect(disabled).toMatchObject({ disabled: true, updated_at: '2026-01-01 00:01:00' });
  time += 60_000;
  expect(await client.disableUser(user_id)).toEqual({ user_id });
  expect(await client.getUser(user_id)).toEqual(disabled);
});

test('a user who does not exist cannot be disabled', async () => {
  const { client } = await startTestService();
  await expect(client.disableUser('20220126153857263-A04D-60E0D446C')).rejects.toMatchObject(
    apiErrorOf('userNotFound'),
  );
});

test.each([undefined, '', '{}', '{"disabled":false}', '[]'])(
  'a body of %j makes no difference',
  async (body) => {
    const { client, request } = await startTestService();
    const { user_id } = await client.createUser({ user_name: 'ann' });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const reply = await request('PUT', `/api/v2/tenant/users/${user_id}/disable`, { body, headers });
    expect(reply).toMatchObject({ status: 200, body: { user_id } });
    expect(await client.getUser(user_id)).toMatchObject({ disabled: true });
  },
);
