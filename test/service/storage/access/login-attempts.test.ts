import { expect, onTestFinished, test } from 'vitest';
import {
  admitLogin,
  clearAttempts,
  countFailure,
  refuseLocked,
} from '../../../../src/service/storage/access/login-attempts.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { findUser } from '../../../../src/service/storage/users/find-users.ts';
import { insertUser } from '../../../../src/service/storage/users/insert-user.ts';
import { disableUserRow } from '../../../../src/service/storage/users/update-user.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import { refusedReply } from '../../refused.ts';
import { testDatabase } from '../test-database.ts';

const tenant = { key: 1, definition: defaultTenant };
const now = Date.UTC(2026, 0, 1);
const stored = { stored: 'as it is stored', mustModify: false };

async function startWithAnn() {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const checked = { attributes: { user_name: 'ann' }, extension: {} };
  const userId = await insertUser(database, tenant, checked, stored, now);
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
  const told = await Promise.all(Array.from({ length: 5 }, fail));
  expect(told.map(({ message }) => message).sort()).toEqual(
    ['0', '1', '2', '3', '4'].map((left) => refusedReply('loginRefused', left).body.error_msg),
  );
  expect(await admit()).toBe(false);
  await expect(refuseLocked(database, tenant, row.user_id, now)).rejects.toMatchObject(
    refusedReply('loginLocked', '300'),
  );
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

test('a failure that follows the last attempt is told of the lock, and does not prolong it', async () => {
  const { database, row, fail } = await startWithAnn();
  for (let failure = 0; failure < 5; failure += 1) await fail();
  const later = await countFailure(database, tenant, row.user_id, now + 100_000);
  expect(later).toMatchObject(refusedReply('loginLocked', '200'));
  await database.commit([clearAttempts(tenant, row.user_id)]);
  expect(await fail()).toMatchObject(refusedReply('loginRefused', '4'));
});

test('counts of another tenant stand apart', async () => {
  const { database, row, fail } = await startWithAnn();
  await fail();
  const other = { ...tenant, key: 2 };
  expect(await countFailure(database, other, row.user_id, now)).toMatchObject(
    refusedReply('loginRefused', '4'),
  );
});
