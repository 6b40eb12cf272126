import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ErrorName } from '../../../src/contract/errors.ts';
import { openDatabase } from '../../../src/service/storage/open-database.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { device, startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const first = 'First-pass-2026';
const ann = { user_name: 'annabel', name: '单雄信', mobile: '15213579246', email: 'bella@example.com' };

type Service = Awaited<ReturnType<typeof start>>;

async function start(history = 5, database?: string) {
  const tenant = { ...defaultTenant, password: { ...defaultTenant.password, history } };
  const service = await startTestService({ tenants: [tenant], ...(database ? { database } : {}) });
  const { user_id } = await service.client.createUser({ ...ann, pwd: first });
  const change = (password: string, id = user_id) =>
    service.request('PUT', `/api/v2/tenant/users/${id}/change-password`, { body: { password } });
  return { ...service, user_id, change };
}

/** The two ways to set a new password; both must apply the same rules. */
const ways: Record<
  string,
  (service: Service, password: string) => Promise<{ status: number; body: unknown }>
> = {
  'the application': ({ change }, password) => change(password),
  async 'the user'({ client, request }, new_password) {
    const login = await client.logIn(ann.user_name, first, device);
    const headers = { 'x-state-token': login.status === 'PASSWORD_EXPIRED' ? login.state_token : '' };
    const body = { old_password: first, new_password };
    return request('POST', '/api/v2/sdk/pwd/update', { token: null, headers, body });
  },
};

const complexity = 'use at least 3 of digits, lower-case letters, upper-case letters and special characters';

const refusals: [password: string, told: [ErrorName, ...string[]]][] = [
  ['Ab1!', ['passwordLength', '8', '18']],
  ['onlysmallletters', ['passwordComplexity', complexity]],
  ['Gf4-kaaaaup', ['passwordRepeats', '3']],
  ['xAnnabel-26', ['passwordContainsUser']],
  ['x15213579246A', ['passwordContainsUser']],
  ['Bella-2026', ['passwordContainsUser']],
  ['Shanxiongxin1', ['passwordContainsUser']],
  ['P@ssw0rd', ['passwordWeak']],
  [first, ['passwordUsedBefore']],
];

test.each(
  Object.keys(ways).flatMap((way) => refusals.map(([password, told]) => [way, password, told] as const)),
)('%s cannot set the password %s: %j', async (way, password, told) => {
  const service = await start();
  expect(await ways[way]?.(service, password)).toMatchObject(errorReply(...told));
  expect(await service.client.logIn(ann.user_name, first, device)).toMatchObject({
    status: 'PASSWORD_EXPIRED',
  });
});

test('a change also refuses the user name in reverse', async () => {
  const { client, change } = await start();
  const { user_id } = await client.createUser({ user_name: '7-terces-nnA' });
  expect(await change('Ann-secret-7', user_id)).toMatchObject(errorReply('passwordReversedUserName'));
});

const passwords = ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth'].map((word) => `${word}-pass-2026`);
const used = errorReply('passwordUsedBefore');

test('a change refuses each of the last five passwords, the current one among them, and accepts the sixth', async () => {
  const { change } = await start();
  for (const password of passwords) expect(await change(password)).toMatchObject({ status: 200 });
  for (const password of passwords) expect(await change(password)).toMatchObject(used);
  expect(await change(first)).toMatchObject({ status: 200 });
  expect(await change(passwords[1] ?? '')).toMatchObject(used);
  expect(await change(passwords[0] ?? '')).toMatchObject({ status: 200 });
});

test.each([
  [0, 200, 200],
  [1, 400, 200],
  [2, 400, 400],
])(
  'with a history of %i the current password is answered with %i and the one before with %i',
  async (history, ...expected) => {
    const { change } = await start(history);
    const [second = ''] = passwords;
    await change(second);
    const now = await change(second);
    const before = await change(first);
    expect([now.status, before.status]).toEqual(expected);
  },
);

test('the history keeps no more passwords than the rule needs', async () => {
  const path = await lastingDatabase();
  const { change } = await start(3, path);
  const reader = await openDatabase(path);
  const rows = () => reader.query<{ password: string }>('SELECT password FROM password_history', []);
  for (const [index, password] of passwords.entries()) {
    await change(password);
    expect(await rows()).toHaveLength(Math.min(index + 1, 2));
  }
  expect((await rows()).every(({ password }) => password.startsWith('$argon2id$'))).toBe(true);
  await reader.close();
});

test('an imported hash with which nobody ever logged in is remembered like any password', async () => {
  const { client, change } = await start();
  const value = createHash('md5').update(first).digest('hex');
  const { user_id } = await client.importHashedUser({ 'hash-pwd': { algorithm: 'md5', value } });
  const [second = ''] = passwords;
  expect(await change(first, user_id)).toMatchObject(used);
  expect(await change(second, user_id)).toMatchObject({ status: 200 });
  expect(await change(first, user_id)).toMatchObject(used);
});

test('every password of several parallel changes is remembered', async () => {
  const { change } = await start();
  const three = passwords.slice(0, 3);
  const replies = await Promise.all(three.map((password) => change(password)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const password of [first, ...three]) expect(await change(password)).toMatchObject(used);
});

test('another user may have the same password', async () => {
  const { client, change } = await start();
  const { user_id } = await client.createUser({ user_name: 'bob' });
  expect(await change(first, user_id)).toMatchObject({ status: 200 });
});
