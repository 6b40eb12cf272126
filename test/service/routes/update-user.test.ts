import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

const full = {
  user_name: 'ann',
  name: 'Ann',
  mobile: '15200000000',
  email: 'ann@example.com',
  attr_gender: 'female',
  attr_birthday: '2000-01-01',
  attr_nick_name: 'Annie',
  mailing_address: '1 Main St.',
  zip_code: '100000',
  first_name: 'Ann',
  middle_name: 'M',
  last_name: 'Lee',
  industry: 'IT',
  external_id: 'E-1',
  head_img: 'https://example.com/a.png',
  extension: { age: '42', joined_on: '2020-01-01' },
};

const changeable = {
  user_name: 'bea',
  name: 'Bea',
  mobile: '+852-51234567',
  email: 'bea@example.com',
  attr_gender: 'male',
  attr_birthday: '2001-02-03',
  attr_nick_name: 'B',
  mailing_address: '2 Main St.',
  zip_code: '200000',
  first_name: 'Bea',
  middle_name: 'N',
  last_name: 'Li',
  industry: '事业单位',
  head_img: 'data:image/png;base64,AA==',
};

/** A service with one user who has every attribute; its clock does not move unless a test sets it. */
async function startWithUser() {
  let time = Date.UTC(2026, 0, 1);
  const service = await startTestService({ now: () => time });
  const { user_id } = await service.client.createUser(full);
  time += 60_000;
  return {
    ...service,
    user_id,
    path: `/api/v2/tenant/users/${user_id}`,
    show: () => service.client.getUser(user_id),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test.each(Object.entries(changeable))('update changes %s and nothing else', async (name, value) => {
  const { client, user_id, show } = await startWithUser();
  const before = await show();
  expect(await client.updateUser(user_id, { [name]: value })).toEqual({ user_id });
  expect(await show()).toEqual({ ...before, [name]: value, updated_at: '2026-01-01 00:01:00' });
});

test('one update changes many attributes, and the old identifiers are free for others', async () => {
  const { client, user_id, show } = await startWithUser();
  await client.updateUser(user_id, changeable);
  expect(await show()).toMatchObject(changeable);
  const { user_name, email, mobile } = full;
  const next = await client.createUser({ user_name, email, mobile });
  expect(await client.getUserByEmail(email)).toMatchObject(next);
  expect(await client.getUserByMobile('852-51234567')).toMatchObject({ user_id });
});

test.each(Object.keys(changeable).filter((name) => name !== 'user_name'))(
  '"" and null clear %s',
  async (name) => {
    const { request, path, show } = await startWithUser();
    for (const empty of ['', null]) {
      const before = await show();
      expect((await request('PUT', path, { body: { [name]: empty } })).status).toBe(200);
      const after = await show();
      expect(after).not.toHaveProperty(name);
      expect(Object.keys(after)).toHaveLength(Object.keys(before).length - 1);
      await request('PUT', path, { body: { [name]: full[name as keyof typeof full] } });
    }
  },
);

test('a cleared identifier is free for others', async () => {
  const { client, user_id } = await startWithUser();
  await client.updateUser(user_id, { email: '', mobile: '' });
  const { email, mobile } = full;
  expect(await client.createUser({ email, mobile })).toEqual({ user_id: expect.any(String) });
});

test('a user name cannot be cleared', async () => {
  const { request, path, show } = await startWithUser();
  for (const empty of ['', null]) {
    expect(await request('PUT', path, { body: { user_name: empty } })).toMatchObject(
      errorReply('userNameEmpty'),
    );
  }
  expect(await show()).toMatchObject({ user_name: 'ann' });
});

test('update merges extension attributes one by one', async () => {
  const { client, request, path, user_id, show } = await startWithUser();
  await client.updateUser(user_id, { extension: { age: '43' } });
  expect(await show()).toMatchObject({ extension: { age: '43', joined_on: '2020-01-01' } });
  await request('PUT', path, { body: { extension: { age: null } } });
  expect((await show()).extension).toEqual({ joined_on: '2020-01-01' });
  await client.updateUser(user_id, { extension: { joined_on: '' } });
  expect(await show()).not.toHaveProperty('extension');
  await client.updateUser(user_id, { extension: { age: '44' } });
  expect((await show()).extension).toEqual({ age: '44' });
  for (const nothing of [{}, null, '']) await request('PUT', path, { body: { extension: nothing } });
  expect((await show()).extension).toEqual({ age: '44' });
});

test('a rejected change leaves everything as it was, also the parts that were valid', async () => {
  const { client, user_id, show } = await startWithUser();
  const before = await show();
  const bad = { name: 'New', email: 'no mail', extension: { age: '43' } };
  await expect(client.updateUser(user_id, bad)).rejects.toMatchObject(apiErrorOf('emailInvalid'));
  expect(await show()).toEqual(before);
});

test('update ignores the external ID, the password and unknown fields', async () => {
  const { client, request, path, show } = await startWithUser();
  const before = await show();
  const body = {
    external_id: 'E-2',
    pwd: 'x',
    pwd_must_modify: 'no',
    'hash-pwd': 5,
    user_id: 'x',
    disabled: true,
  };
  expect((await request('PUT', path, { body })).status).toBe(200);
  expect(await show()).toEqual(before);
  expect(await client.getUserByExternalId('E-1')).toEqual(before);
});

test('updated_at changes only when something else does', async () => {
  const { client, user_id, show, pass } = await startWithUser();
  await client.updateUser(user_id, full);
  await client.updateUser(user_id, {});
  await client.updateUser(user_id, { name: 'Ann', extension: { age: '42' } });
  expect((await show()).updated_at).toBe('2026-01-01 00:00:00');
  await client.updateUser(user_id, { name: 'Ann B.' });
  pass(60_000);
  await client.updateUser(user_id, { attr_nick_name: 'Annie', name: 'Ann B.' });
  expect(await show()).toMatchObject({
    created_at: '2026-01-01 00:00:00',
    updated_at: '2026-01-01 00:01:00',
  });
});

test('a user may write its own identifiers in another case or form', async () => {
  const { client, user_id, show } = await startWithUser();
  const same = { user_name: 'ANN', email: 'Ann@Example.com', mobile: '+86-15200000000' };
  await client.updateUser(user_id, same);
  expect(await show()).toMatchObject(same);
});

test('update refuses the identifiers of another user, in any case or form', async () => {
  const { client, show } = await startWithUser();
  const { user_id: other } = await client.createUser({ user_name: 'bob' });
  await expect(client.updateUser(other, { user_name: 'ANN' })).rejects.toMatchObject(
    apiErrorOf('userNameTaken'),
  );
  await expect(client.updateUser(other, { mobile: '86-15200000000' })).rejects.toMatchObject(
    apiErrorOf('mobileTaken'),
  );
  await expect(client.updateUser(other, { email: 'ANN@EXAMPLE.COM' })).rejects.toMatchObject(
    apiErrorOf('emailTaken'),
  );
  expect(await client.getUser(other)).toMatchObject({ user_name: 'bob' });
  expect(await show()).toMatchObject(full);
});

test('update changes a disabled user like any other, and rejects an unknown user', async () => {
  const { client, user_id, show } = await startWithUser();
  await client.disableUser(user_id);
  await client.updateUser(user_id, { name: 'Still here' });
  expect(await show()).toMatchObject({ name: 'Still here', disabled: true });
  await expect(client.updateUser('nobody', { name: 'x' })).rejects.toMatchObject(apiErrorOf('userNotFound'));
});
