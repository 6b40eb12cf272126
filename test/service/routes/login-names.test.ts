import { expect, test } from 'vitest';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const ann = { user_name: 'ann', email: 'Ann@X.org', mobile: '+86-15200000000' };

test.each([
  ['the e-mail address of another user', 'ann@x.ORG'],
  ['the mobile number of another user', '15200000000'],
  ['it with its area code', '86-15200000000'],
  ['it with a plus', '+86-15200000000'],
])('a user name cannot be %s', async (_what, user_name) => {
  const { client } = await startTestService();
  await client.createUser(ann);
  const taken = apiErrorOf('userNameTaken');
  await expect(client.createUser({ user_name })).rejects.toMatchObject(taken);
  const { user_id } = await client.createUser({ user_name: 'bob' });
  await expect(client.updateUser(user_id, { user_name })).rejects.toMatchObject(taken);
  expect(await client.getUser(user_id)).toMatchObject({ user_name: 'bob' });
});

test.each([
  ['bob@x.org', { email: 'BOB@x.org' }, 'emailTaken'],
  ['15200000009', { mobile: '+86-15200000009' }, 'mobileTaken'],
  ['86-15200000009', { mobile: '15200000009' }, 'mobileTaken'],
] as const)('the user name %s cannot be the address of another user', async (user_name, values, error) => {
  const { client } = await startTestService();
  await client.createUser({ user_name });
  await expect(client.createUser({ user_name: 'eve', ...values })).rejects.toMatchObject(apiErrorOf(error));
  const { user_id } = await client.createUser({ user_name: 'eve' });
  await expect(client.updateUser(user_id, values)).rejects.toMatchObject(apiErrorOf(error));
});

test('a node learns from the database that user names created by another node can be read as addresses', async () => {
  const database = await lastingDatabase();
  const one = (await startTestService({ database })).client;
  const other = (await startTestService({ database })).client;
  await one.createUser({ user_name: 'ann' });
  await other.createUser({ user_name: 'bob@x.org' });
  const email = apiErrorOf('emailTaken');
  await expect(one.createUser({ user_name: 'eve', email: 'bob@x.org' })).rejects.toMatchObject(email);
  const { user_id } = await one.createUser({ user_name: 'eve', email: 'eve@x.org' });
  await expect(one.updateUser(user_id, { email: 'bob@x.org' })).rejects.toMatchObject(email);
  await other.updateUser(user_id, { user_name: '15200000009' });
  await expect(one.createUser({ user_name: 'fay', mobile: '15200000009' })).rejects.toMatchObject(
    apiErrorOf('mobileTaken'),
  );
});

test('a user can have its own address as its user name, and can change it', async () => {
  const { client } = await startTestService();
  const pwd = 'Gf4-kupQx';
  const self = { user_name: 'bob@x.org', email: 'bob@x.org', pwd, pwd_must_modify: false };
  const { user_id } = await client.createUser(self);
  await client.createUser({ user_name: '15200000009', mobile: '15200000009' });
  await client.updateUser(user_id, { mobile: '15200000001' });
  await client.updateUser(user_id, { user_name: 'bobby', email: 'bobby@x.org' });
  expect(await client.logIn('bobby', pwd, device)).toMatchObject({ status: 'SUCCESS' });
});

test('of users that take one name under two attributes at the same time exactly one succeeds', async () => {
  const { client } = await startTestService();
  const rivals = Array.from({ length: 10 }, (_, index) =>
    client.createUser(
      index % 2 ? { user_name: 'eve@x.org' } : { user_name: `u${index}`, email: 'eve@x.org' },
    ),
  );
  const outcomes = await Promise.allSettled(rivals);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['full-width letters', 'ａｎｎ', 'ann'],
  ['another composition', 'Jose\u0301', 'josé'],
  ['the ligature', 'ﬁona', 'fiona'],
  ['the other sigma', 'Νίκος', 'ΝΊΚΟΣ'],
  ['the sharp s', 'Strauß', 'STRAUSS'],
])('names that differ only by %s are the same name', async (_what, user_name, same) => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser({ user_name });
  await expect(client.createUser({ user_name: same })).rejects.toMatchObject(apiErrorOf('userNameTaken'));
  expect(await client.getUserByUserName(same)).toMatchObject({ user_id, user_name });
});

test.each(['\u200b', '\u202e', '\u00ad', '\u034f', '\u2060', '\ufeff'])(
  'the invisible character %j is removed from user names and e-mail addresses',
  async (invisible) => {
    const { client } = await startTestService();
    await expect(client.createUser({ user_name: `ann${invisible}` })).rejects.toMatchObject(
      apiErrorOf('userNameInvalid'),
    );
    await expect(client.createUser({ email: `ann${invisible}@x.org` })).rejects.toMatchObject(
      apiErrorOf('emailInvalid'),
    );
  },
);
