import { expect, onTestFinished, test } from 'vitest';
import {
  admitLogin,
  clearAttempts,
  countFailure,
  secondsLocked,
} from '../../../../src/service/storage/access/login-attempts.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { findUser } from '../../../../src/service/storage/users/find-users.ts';
import { insertUser } from '../../../../src/service/storage/users/insert-user.ts';
import { disableUserRow } from '../../../../src/service/storage/users/update-user.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import { testDatabase } from '../test-database.ts';

const tenant = { key: 1, definition: defaultTenant };
const now = Date.UTC(2026, 0, 1);
const stored = { stored: 'as it is stored', mustModify: false };

async function startWithAnn() {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const checked = { attributes: { user_name: 'ann' }, extension: {} };
  const result = await insertUser(database, tenant, checked, stored, now);
  if ('rejected' in result) throw new Error('the first user cannot be rejected');
  const { userId } = result;
  const row = await findUser(database, tenant, userId);
  if (!row) throw new Error('the user was just stored');
  return {
    database,
    row,
    fail: () => countFailure(database, tenant, userId, now),
    admit: (time = now) => database.commit([admitLogin(tenant, row, { counts: true }, time)]),
  };
}

test('a login whose password was right is not let in when the user was locked meanwhile', async () => {
  const { database, row, fail, admit } = await startWithAnn();
  const failures = await Promise.all(Array.from({ length: 5 }, fail));
  expect(failures).toHaveLength(5);
  expect(failures).toEqual(expect.arrayContaining([0, 1, 2, 3, 4].map((attemptsLeft) => ({ attemptsLeft }))));
  expect(await admit()).toBe(false);
  expect(await secondsLocked(database, tenant, row.user_id, now)).toBe(300);
  expect(await admit(now + 299_999)).toBe(false);
  expect(await admit(now + 300_000)).toBe(true);
});

test('nor when the user was disabled, or the password changed', async () => {
  const { database, row, admit } = await startWithAnn();
  expect(await admit()).toBe(true);
  await disableUserRow(database, tenant, row.user_id, now);
  expect(await admit()).toBe(false);
  const other = { ...row, password: 'another' };
  expect(await database.commit([admitLogin(tenant, other, { counts: true }, now)])).toBe(false);
});

test('a failure after the last attempt gets the time of the lock, and does not prolong it', async () => {
  const { database, row, fail } = await startWithAnn();
  for (let failure = 0; failure < 5; failure += 1) await fail();
  const later = await countFailure(database, tenant, row.user_id, now + 100_000);
  expect(later).toEqual({ secondsLocked: 200 });
  await database.commit([clearAttempts(tenant, row.user_id)]);
  expect(await fail()).toEqual({ attemptsLeft: 4 });
});

test('counts of another tenant stand apart', async () => {
  const { database, row, fail } = await startWithAnn();
  await fail();
  const other = { ...tenant, key: 2 };
  expect(await countFailure(database, other, row.user_id, now)).toEqual({ attemptsLeft: 4 });
});
