import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

const users = '/api/v2/tenant/users';

const ann = {
  user_name: 'Ann',
  email: 'Ann@Example.com',
  mobile: '+852-51234567',
  external_id: 'E-1',
  name: 'Ann O’Neil',
};

test('each of the five look-ups finds the user and returns the same', async () => {
  const { client } = await startTestService();
  await client.createUser({ user_name: 'bob', email: 'bob@example.com', external_id: 'E-2' });
  const { user_id } = await client.createUser(ann);
  const user = await client.getUser(user_id);
  expect(user).toMatchObject({ user_id, ...ann });
  expect(await client.getUserByUserName('Ann')).toEqual(user);
  expect(await client.getUserByEmail('Ann@Example.com')).toEqual(user);
  expect(await client.getUserByMobile('+852-51234567')).toEqual(user);
  expect(await client.getUserByExternalId('E-1')).toEqual(user);
});

test('look-ups find user names and e-mail addresses in any case, and return them as given', async () => {
  const { client } = await startTestService();
  await client.createUser(ann);
  expect(await client.getUserByUserName('aNN')).toMatchObject({ user_name: 'Ann' });
  expect(await client.getUserByEmail('ann@example.COM')).toMatchObject({ email: 'Ann@Example.com' });
});

test('look-ups compare user ids and external IDs exactly', async () => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser(ann);
  await expect(client.getUserByExternalId('e-1')).rejects.toMatchObject(apiErrorOf('userNotFound'));
  await expect(client.getUserByExternalId('E-')).rejects.toMatchObject(apiErrorOf('userNotFound'));
  for (const id of [user_id.slice(0, -1), `${user_id}0`, user_id.slice(1)]) {
    await expect(client.getUser(id)).rejects.toMatchObject(apiErrorOf('userNotFound'));
  }
});

test('a look-up finds a mobile number in every form, and only in its area', async () => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser({ mobile: '86-15200000000' });
  for (const mobile of ['15200000000', '86-15200000000', '+86-15200000000']) {
    expect(await client.getUserByMobile(mobile)).toMatchObject({ user_id, mobile: '86-15200000000' });
  }
  await client.createUser({ mobile: '+1-2125550123' });
  await expect(client.getUserByMobile('2125550123')).rejects.toMatchObject(apiErrorOf('mobileInvalid'));
});

test('of several users with one external ID a look-up finds the one created first, also after updates', async () => {
  const { client } = await startTestService();
  const first = await client.createUser({ external_id: 'same' });
  const second = await client.createUser({ external_id: 'same' });
  expect(await client.getUserByExternalId('same')).toMatchObject(first);
  await client.updateUser(second.user_id, { name: 'second' });
  await client.updateUser(first.user_id, { name: 'first' });
  await client.disableUser(first.user_id);
  expect(await client.getUserByExternalId('same')).toMatchObject(first);
});

test('look-ups find a disabled user like any other', async () => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser(ann);
  await client.disableUser(user_id);
  for (const user of [await client.getUserByUserName('ann'), await client.getUserByMobile('852-51234567')]) {
    expect(user).toMatchObject({ user_id, disabled: true });
  }
});

const lookups = [
  ['user-by-username', 'user_name', 'userNameInvalid', 'nobody', ['a b', ' ', 'a\u0000', 'x'.repeat(101)]],
  [
    'user-by-email',
    'email',
    'emailInvalid',
    'nobody@example.com',
    ['nobody', '@', 'a b@c', `${'x'.repeat(254)}@b`],
  ],
  ['user-by-mobile', 'mobile', 'mobileInvalid', '15200000009', ['nobody', '12', '+86', '86-12000000000']],
  ['user-by-external-id', 'external_id', 'externalIdInvalid', 'nobody', ['a\u0000', 'x'.repeat(256)]],
] as const;

test.each(lookups)(
  '%s: a value that is empty, malformed or not a text gets the code for a wrong format',
  async (path, field, invalid, _unknown, malformed) => {
    const { request } = await startTestService();
    for (const value of ['', null, undefined, 5, true, [], {}, ...malformed]) {
      const reply = await request('POST', `${users}/${path}`, { body: { [field]: value } });
      expect(reply).toMatchObject(errorReply(invalid));
    }
  },
);

test.each(lookups)(
  '%s: a valid value that no user has gets the code for a user not found',
  async (path, field, _invalid, unknown) => {
    const { client, request } = await startTestService();
    await client.createUser(ann);
    const reply = await request('POST', `${users}/${path}`, { body: { [field]: unknown } });
    expect(reply).toMatchObject(errorReply('userNotFound'));
  },
);

test('an area code that is not permitted has its own code', async () => {
  const { client } = await startTestService();
  await expect(client.getUserByMobile('+49-15112345678')).rejects.toMatchObject(
    apiErrorOf('areaCodeNotPermitted'),
  );
});

test('a value that is SQL code is treated as a value', async () => {
  const { client } = await startTestService();
  await client.createUser(ann);
  for (const value of ["'OR'1'='1", '%', '_nn', 'Ann;--']) {
    await expect(client.getUserByUserName(value)).rejects.toMatchObject(apiErrorOf('userNotFound'));
    await expect(client.getUserByExternalId(value)).rejects.toMatchObject(apiErrorOf('userNotFound'));
    await expect(client.getUser(value)).rejects.toMatchObject(apiErrorOf('userNotFound'));
  }
});
