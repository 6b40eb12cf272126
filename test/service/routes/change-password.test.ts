import { expect, test } from 'vitest';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

async function startWithUser() {
  let time = Date.UTC(2026, 0, 1);
  const service = await startTestService({ now: () => time });
  const user = { user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false };
  const { user_id } = await service.client.createUser(user);
  time += 60_000;
  const path = `/api/v2/tenant/users/${user_id}/change-password`;
  return { ...service, user_id, change: (body: object) => service.request('PUT', path, { body }) };
}

test('an application gives a user a new password, which the user must change at the next login', async () => {
  const { client, change, user_id } = await startWithUser();
  expect(await change({ password: 'New-pass-2026' })).toMatchObject({ status: 200, body: { user_id } });
  expect(await client.logIn('ann', 'New-pass-2026', device)).toMatchObject({ status: 'PASSWORD_EXPIRED' });
  await expect(client.logIn('ann', 'qwe123!@#', device)).rejects.toMatchObject(
    apiErrorOf('loginRefused', '4'),
  );
  expect(await client.getUser(user_id)).toMatchObject({
    pwd_change_at: '2026-01-01 00:01:00',
    updated_at: '2026-01-01 00:01:00',
  });
});

test('the user need not change the new password if the application says so', async () => {
  const { client, change } = await startWithUser();
  await change({ password: 'New-pass-2026', must_modify: false });
  expect(await client.logIn('ann', 'New-pass-2026', device)).toMatchObject({ status: 'SUCCESS' });
});

test('a user without a password gets a first one', async () => {
  const { client, request } = await startWithUser();
  const { user_id } = await client.createUser({ user_name: 'bob' });
  const body = { password: 'New-pass-2026', must_modify: false };
  expect((await request('PUT', `/api/v2/tenant/users/${user_id}/change-password`, { body })).status).toBe(
    200,
  );
  expect(await client.logIn('bob', 'New-pass-2026', device)).toMatchObject({ status: 'SUCCESS' });
});

test.each([
  [{}, errorReply('passwordEmpty')],
  [{ password: '' }, errorReply('passwordEmpty')],
  [{ password: null }, errorReply('passwordEmpty')],
  [{ password: 5 }, errorReply('requestInvalid', 'password must be a text')],
  [
    { password: 'New-pass-2026', must_modify: 'no' },
    errorReply('requestInvalid', 'must_modify must be true or false'),
  ],
])('the body %j changes nothing', async (body, refusal) => {
  const { client, change } = await startWithUser();
  expect(await change(body)).toMatchObject(refusal);
  expect(await client.logIn('ann', 'qwe123!@#', device)).toMatchObject({ status: 'SUCCESS' });
});

test('a password cannot be set for an unknown user', async () => {
  const { request } = await startWithUser();
  const reply = await request('PUT', '/api/v2/tenant/users/nobody/change-password', {
    body: { password: 'x' },
  });
  expect(reply).toMatchObject(errorReply('userNotFound'));
});

test('a new password takes the lock of wrong ones away, under every name of the user and of nobody else', async () => {
  const { client, user_id, change } = await startWithUser();
  const email = 'ann@example.com';
  await client.updateUser(user_id, { email });
  await client.createUser({ user_name: 'bob', pwd: 'qwe123!@#', pwd_must_modify: false });
  const isLocked = (name: string, password: string) =>
    expect(client.logIn(name, password, device)).rejects.toMatchObject(apiErrorOf('loginLocked', '300'));
  for (const name of ['ann', email, 'bob']) {
    for (const _ of [1, 2, 3, 4, 5]) await client.logIn(name, 'wrong', device).catch(() => {});
    await isLocked(name, 'qwe123!@#');
  }
  await change({ password: 'qwe123!@#', must_modify: false });
  await isLocked('ann', 'qwe123!@#');
  await change({ password: 'New-pass-2026', must_modify: false });
  for (const name of ['ann', email])
    expect(await client.logIn(name, 'New-pass-2026', device)).toMatchObject({ status: 'SUCCESS' });
  await isLocked('bob', 'qwe123!@#');
});
