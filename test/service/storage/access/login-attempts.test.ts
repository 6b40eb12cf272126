import { expect, onTestFinished, test } from 'vitest';
import { clearAttempts, countAttempt } from '../../../../src/service/storage/access/login-attempts.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { storeTenant } from '../../../../src/service/storage/tenants.ts';
import { findUser } from '../../../../src/service/storage/users/find-users.ts';
import { insertUser } from '../../../../src/service/storage/users/insert-user.ts';
import { admitLogin } from '../../../../src/service/storage/users/set-password.ts';
import { disableUserRow } from '../../../../src/service/storage/users/update-user.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import { testDatabase } from '../test-database.ts';

const now = Date.UTC(2026, 0, 1);
const stored = { stored: 'as it is stored', mustModify: false };

async function startWithAnn() {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const tenant = await storeTenant(database, defaultTenant);
  const checked = { attributes: { user_name: 'ann' }, extension: {} };
  const userId = await insertUser(database, tenant, checked, stored, now);
  const row = await findUser(database, tenant, userId);
  if (!row) throw new Error('the user was just stored');
  return {
    database,
    tenant,
    row,
    accounts: { person: userId, typed: userId },
    attempt: (time = now) => countAttempt(database, tenant, { person: userId, typed: userId }, time),
    admit: (time = now) => database.commit([admitLogin(tenant, row, { counts: true }, time)]),
  };
}

const permitted = (attemptsLeft: number) => ({ attemptsLeft, isPermitted: true });

test('of any number of attempts at the same time five are permitted, before any password is compared', async () => {
  const { attempt, admit } = await startWithAnn();
  const attempts = await Promise.all(Array.from({ length: 60 }, () => attempt()));
  const locked = Array.from({ length: 55 }, () => ({ secondsLocked: 300 }));
  expect(attempts).toEqual(expect.arrayContaining([0, 1, 2, 3, 4].map(permitted)));
  expect(attempts.filter((one) => 'secondsLocked' in one)).toEqual(locked);
  expect(await attempt(now + 299_999)).toEqual({ secondsLocked: 1 });
  expect(await attempt(now + 300_000)).toEqual(permitted(4));
  expect(await admit()).toBe(true);
});

test('a lock ends early if it was made by a clock that was ahead, and clocks that differ by minutes do not end it', async () => {
  const { attempt } = await startWithAnn();
  const minutes = (count: number) => now + count * 60_000;
  for (let tried = 0; tried < 5; tried += 1) await attempt(minutes(24 * 60));
  expect(await attempt(minutes(24 * 60))).toEqual({ secondsLocked: 300 });
  expect(await attempt(now)).toEqual(permitted(4));
  for (const left of [3, 2, 1, 0]) expect(await attempt(minutes(4))).toEqual(permitted(left));
  expect(await attempt(now)).toEqual({ secondsLocked: 540 });
});

test('the attempts under all names of a person lock the person, and each name shows only its own attempts left', async () => {
  const { database, tenant, row } = await startWithAnn();
  const by = (typed: string) => countAttempt(database, tenant, { person: row.user_id, typed }, now);
  expect([await by('a'), await by('a'), await by('a')]).toEqual([4, 3, 2].map(permitted));
  expect([await by('b'), await by('b')]).toEqual([4, 3].map(permitted));
  expect(await by('b')).toEqual({ attemptsLeft: 2, isPermitted: false });
  expect(await by('c')).toEqual({ attemptsLeft: 4, isPermitted: false });
});

test('a login is refused if the user was disabled, or the password changed, in the meantime', async () => {
  const { database, tenant, row, admit } = await startWithAnn();
  expect(await admit()).toBe(true);
  await disableUserRow(database, tenant, row.user_id, now);
  expect(await admit()).toBe(false);
  const other = { ...row, password: 'another' };
  expect(await database.commit([admitLogin(tenant, other, { counts: true }, now)])).toBe(false);
});

test('an attempt during the lock gets the remaining time, and does not prolong the lock', async () => {
  const { database, tenant, row, attempt } = await startWithAnn();
  for (let count = 0; count < 5; count += 1) await attempt();
  const later = await attempt(now + 100_000);
  expect(later).toEqual({ secondsLocked: 200 });
  await database.commit([clearAttempts(tenant, [row.user_id])]);
  expect(await attempt()).toEqual(permitted(4));
});

test('another tenant has its own counts', async () => {
  const { database, accounts, attempt } = await startWithAnn();
  await attempt();
  const other = await storeTenant(database, { ...defaultTenant, tenant_id: 'other' });
  expect(await countAttempt(database, other, accounts, now)).toEqual(permitted(4));
});
