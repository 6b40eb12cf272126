import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import type { Passwords } from '../../../src/service/passwords/passwords.ts';
import { openDatabase } from '../../../src/service/storage/open-database.ts';
import { purgeExpired } from '../../../src/service/storage/purge.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { testPasswords } from '../../test-passwords.ts';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const pwd = 'qwe123!@#';
const ann = {
  user_name: 'Ann',
  email: 'ann@example.com',
  mobile: '15200000000',
  pwd,
  pwd_must_modify: false,
};
const wrong = 'wrong';

async function startWithAnn(
  login: Partial<typeof defaultTenant.login> = {},
  database?: string,
  passwords?: Passwords,
) {
  let time = Date.UTC(2026, 0, 1);
  const tenant = { ...defaultTenant, login: { ...defaultTenant.login, ...login } };
  const service = await startTestService({
    tenants: [tenant],
    now: () => time,
    ...(database ? { database } : {}),
    ...(passwords ? { passwords } : {}),
  });
  const { user_id } = await service.client.createUser(ann);
  const client = service.connect({ connections: 50 });
  /** What a login gets: its status, or the message of the rejection. */
  const tell = async (name: string, password: string) => {
    const outcome = client.logIn(name, password, device).then(({ status }) => status);
    return outcome.catch((error: ApiError) => error.message);
  };
  return {
    ...service,
    user_id,
    tell,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    now: () => time,
  };
}

const left = (attempts: number) => apiErrorOf('loginRefused', String(attempts)).message;
const locked = (seconds: number) => apiErrorOf('loginLocked', String(seconds)).message;

test('each wrong password leaves one attempt less, then the user is locked for some time', async () => {
  const { tell, pass } = await startWithAnn();
  const names = ['ann', 'ANN', 'Ann', 'aNN', 'anN'];
  for (const [index, name] of names.entries()) expect(await tell(name, wrong)).toBe(left(4 - index));
  expect(await tell('ann', wrong)).toBe(locked(300));
  expect(await tell('ann', pwd)).toBe(locked(300));
  pass(299);
  expect(await tell('ann', pwd)).toBe(locked(1));
  pass(1);
  expect(await tell('ann', pwd)).toBe('SUCCESS');
});

test('two names of one person count their attempts separately, as the names of two persons do, and are locked together', async () => {
  const { tell, pass } = await startWithAnn();
  const mobiles = ['+86-15200000000', '15200000000'];
  for (const [index, name] of mobiles.entries()) expect(await tell(name, wrong)).toBe(left(4 - index));
  for (const attempts of [4, 3, 2]) expect(await tell('ann@example.com', wrong)).toBe(left(attempts));
  for (const attempts of [4, 3, 2, 1]) expect(await tell('ann', pwd)).toBe(left(attempts));
  pass(300);
  expect(await tell('ann', pwd)).toBe('SUCCESS');
  expect(await tell('15200000000', wrong)).toBe(left(4));
});

test.each([0, 30, 59])(
  'of 60 guesses at the same time five are compared, also with the right one at place %i',
  async (place) => {
    const compared: string[] = [];
    const passwords: Passwords = {
      ...testPasswords,
      async compare(stored, password) {
        compared.push(password);
        return { matches: stored !== null && password === pwd, outdated: false };
      },
    };
    const { tell } = await startWithAnn({}, undefined, passwords);
    const guesses = Array.from({ length: 60 }, (_, index) => (index === place ? pwd : `${wrong}-${index}`));
    const told = await Promise.all(guesses.map((guess) => tell('ann', guess)));
    // A right guess among the first five resets the count, and five more are compared.
    const isIn = told[place] === 'SUCCESS';
    expect(isIn).toBe(compared.includes(pwd));
    expect(compared.length).toBeLessThanOrEqual(isIn ? 10 : 5);
    expect(told.filter((text) => text === locked(300))).toHaveLength(60 - compared.length);
  },
);

test('a right login resets the count, and so does a pause as long as the lock', async () => {
  const { tell, pass } = await startWithAnn();
  for (const attempts of [4, 3, 2, 1]) expect(await tell('ann', wrong)).toBe(left(attempts));
  expect(await tell('ann', pwd)).toBe('SUCCESS');
  for (const attempts of [4, 3]) expect(await tell('ann', wrong)).toBe(left(attempts));
  pass(300);
  expect(await tell('ann', wrong)).toBe(left(4));
});

test('the tenant sets how many attempts there are and how long the lock is', async () => {
  const { tell, pass } = await startWithAnn({ max_attempts: 1, lock_seconds: 7 });
  expect(await tell('ann', wrong)).toBe(left(0));
  expect(await tell('ann', pwd)).toBe(locked(7));
  pass(7);
  expect(await tell('ann', pwd)).toBe('SUCCESS');
});

test('each user has a count, and so has a name that no user has', async () => {
  const { client, tell } = await startWithAnn();
  await client.createUser({ ...ann, user_name: 'bob', email: '', mobile: '' });
  for (const attempts of [4, 3, 2, 1, 0]) {
    expect(await tell('ann', wrong)).toBe(left(attempts));
    expect(await tell(attempts % 2 ? 'Nobody' : 'nobody', wrong)).toBe(left(attempts));
    expect(await tell(attempts % 2 ? '+86-15200000009' : '15200000009', wrong)).toBe(left(attempts));
  }
  for (const name of ['ann', 'nobody', '15200000009']) expect(await tell(name, wrong)).toBe(locked(300));
  expect(await tell('bob', pwd)).toBe('SUCCESS');
});

test.each(['ann', 'nobody'])('50 parallel wrong logins of %s get five attempts', async (name) => {
  const { tell } = await startWithAnn();
  const told = await Promise.all(Array.from({ length: 50 }, () => tell(name, wrong)));
  const expected = [...[4, 3, 2, 1, 0].map(left), ...Array.from({ length: 45 }, () => locked(300))];
  expect(told.sort()).toEqual(expected.sort());
});

test('any number of right logins at the same time succeed', async () => {
  const { tell } = await startWithAnn({ max_attempts: 1 });
  const told = await Promise.all(Array.from({ length: 20 }, () => tell('ann', pwd)));
  expect(new Set(told)).toEqual(new Set(['SUCCESS']));
});

test.each(['15200000009', '+86-15200000009'])(
  'right logins of a user whose name %s can be read as a mobile number are not counted',
  async (user_name) => {
    const { client, tell } = await startWithAnn({ max_attempts: 1 });
    await client.createUser({ user_name, pwd, pwd_must_modify: false });
    for (const _ of [1, 2]) expect(await tell(user_name, pwd)).toBe('SUCCESS');
    expect(await tell(user_name, wrong)).toBe(left(0));
  },
);

test('parallel first logins with a legacy hash all succeed', async () => {
  const { client, tell } = await startWithAnn({ max_attempts: 1 });
  const hash = { algorithm: 'md5', value: 'e10adc3949ba59abbe56e057f20f883e' } as const;
  await client.importHashedUser({ user_name: 'old', pwd_must_modify: false, 'hash-pwd': hash });
  const told = await Promise.all(Array.from({ length: 8 }, () => tell('old', '123456')));
  expect(new Set(told)).toEqual(new Set(['SUCCESS']));
  expect(await client.getUserByUserName('old')).toMatchObject({ usr_auth_times: '8' });
});

test('a wrong old password counts as a failed login, which can lock the user', async () => {
  const { client, request, tell, user_id } = await startWithAnn({ max_attempts: 2 });
  const path = `/api/v2/tenant/users/${user_id}/change-password`;
  await request('PUT', path, { body: { password: 'New-pass-2026' } });
  const login = await client.logIn('ann', 'New-pass-2026', device);
  const headers = { 'x-state-token': login.status === 'PASSWORD_EXPIRED' ? login.state_token : '' };
  const update = (old_password: string) => {
    const body = { old_password, new_password: 'Next-pass-2026' };
    return request<{ error_msg: string }>('POST', '/api/v2/sdk/pwd/update', { token: null, headers, body });
  };
  expect((await update(wrong)).body.error_msg).toBe(left(1));
  expect(await tell('ann', wrong)).toBe(left(1));
  expect((await update('New-pass-2026')).body.error_msg).toBe(locked(300));
});

test('the counts are still there after a restart, and are deleted when their time is over', async () => {
  const path = await lastingDatabase();
  const { tell, pass, now } = await startWithAnn({}, path);
  for (const name of ['ann', 'my-Secret-Word']) expect(await tell(name, wrong)).toBe(left(4));
  const reader = await openDatabase(path);
  const rows = () => reader.query<{ account: string }>('SELECT account FROM login_attempts', []);
  expect(await rows()).toHaveLength(3);
  expect(JSON.stringify(await rows())).not.toMatch(/my-secret-word/i);
  await purgeExpired(reader, now());
  expect(await rows()).toHaveLength(3);
  pass(300);
  await purgeExpired(reader, now());
  expect(await rows()).toHaveLength(0);
  await reader.close();
});

test('the client throws the rejections as API errors', async () => {
  const { client } = await startWithAnn({ max_attempts: 1 });
  const errors: unknown[] = [];
  for (const _ of [1, 2]) await client.logIn('ann', wrong, device).catch((error) => errors.push(error));
  expect(errors.map((error) => error instanceof ApiError && error.code)).toEqual([
    'SDK.LOGIN.1005',
    'SDK.LOGIN.1003',
  ]);
});
