import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { ErrorName } from '../../src/contract/errors.ts';
import type { NewUser, UserChanges } from '../../src/contract/wire.ts';
import { startTestService, type TestService } from '../test-service.ts';
import { apiErrorOf } from './api-errors.ts';
import { tally } from './tally.ts';

const hundred = Array.from({ length: 100 }, (_, number) => number);

/** A client with open connections: only then its calls arrive at the same time. */
async function connectAtOnce({ connect }: TestService): Promise<Client> {
  const client = connect({ connections: 50 });
  await Promise.all(hundred.map(() => client.listUsers({ offset: 0, limit: 10 })));
  return client;
}

test.each<[string, ErrorName, (number: number) => NewUser]>([
  ['user name', 'userNameTaken', (n) => ({ user_name: n % 2 ? 'Same' : 'sAME', email: `${n}@example.com` })],
  ['e-mail', 'emailTaken', (n) => ({ email: n % 2 ? 'Same@example.com' : 'same@EXAMPLE.com' })],
  ['mobile', 'mobileTaken', (n) => ({ mobile: n % 2 ? '15200000000' : '+86-15200000000' })],
])('of 100 parallel creates with one %s exactly one succeeds', async (_key, taken, userOf) => {
  const client = await connectAtOnce(await startTestService());
  const counts = await tally(hundred.map((number) => client.createUser(userOf(number))));
  expect(counts).toEqual({ fulfilled: 1, [apiErrorOf(taken).code]: 99 });
  const page = await client.listUsers({ offset: 0, limit: 10 });
  expect([page.total, page.users.length]).toEqual([1, 1]);
});

test('of parallel creates and imports of one user exactly one succeeds', async () => {
  const client = await connectAtOnce(await startTestService());
  const user = { user_name: 'same' };
  const calls = hundred.map((n) => (n % 2 ? client.createUser(user) : client.importHashedUser(user)));
  expect(await tally(calls)).toEqual({ fulfilled: 1, [apiErrorOf('userNameTaken').code]: 99 });
});

test('parallel creates without a name all succeed, each with its own place in the list', async () => {
  const client = await connectAtOnce(await startTestService());
  const made = await Promise.all(hundred.map(() => client.createUser({})));
  const page = await client.listUsers({ offset: 0, limit: 100 });
  expect(page.users.map(({ user_id }) => user_id).sort()).toEqual(made.map(({ user_id }) => user_id).sort());
});

test('of 20 users who take one e-mail address at the same time exactly one gets it', async () => {
  const client = await connectAtOnce(await startTestService());
  const ids = await Promise.all(hundred.slice(0, 20).map(() => client.createUser({})));
  const calls = ids.map(({ user_id }) => client.updateUser(user_id, { email: 'same@example.com' }));
  expect(await tally(calls)).toEqual({ fulfilled: 1, [apiErrorOf('emailTaken').code]: 19 });
});

test('parallel changes of different attributes of one user are all kept', async () => {
  const client = await connectAtOnce(await startTestService());
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const changes: UserChanges[] = [
    { user_name: 'bea' },
    { name: 'Bea' },
    { mobile: '15200000000' },
    { email: 'bea@example.com' },
    { attr_gender: 'female' },
    { attr_birthday: '2000-01-01' },
    { attr_nick_name: 'B' },
    { mailing_address: '1 Main St.' },
    { zip_code: '100000' },
    { first_name: 'Bea' },
    { middle_name: 'M' },
    { last_name: 'Lee' },
    { industry: 'IT' },
    { head_img: 'https://example.com/a.png' },
    { extension: { age: '42' } },
    { extension: { joined_on: '2020-01-01' } },
  ];
  await Promise.all([
    ...changes.map((change) => client.updateUser(user_id, change)),
    client.disableUser(user_id),
  ]);
  expect(await client.getUser(user_id)).toMatchObject({
    ...Object.assign({}, ...changes),
    extension: { age: '42', joined_on: '2020-01-01' },
    disabled: true,
  });
});

test('parallel logins are all counted, and change nothing else', async () => {
  const client = await connectAtOnce(await startTestService());
  const { user_id } = await client.createUser({ user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false });
  const before = await client.getUser(user_id);
  const device = { device_fingerprint: 'f', device_ip: 'i', operating_sys_version: 's' };
  const logins = hundred.slice(0, 10).map(() => client.logIn('ann', 'qwe123!@#', device));
  await Promise.all([...logins, client.updateUser(user_id, { name: 'Ann' })]);
  const after = await client.getUser(user_id);
  expect(after).toEqual({
    ...before,
    name: 'Ann',
    usr_auth_times: '10',
    updated_at: after.updated_at,
    usr_last_login: expect.any(String),
  });
});
