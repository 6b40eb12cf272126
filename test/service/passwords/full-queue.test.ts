import { expect, test } from 'vitest';
import { openPasswords } from '../../../src/service/passwords/passwords.ts';
import { verifyStored } from '../../../src/service/passwords/stored-password.ts';
import type { Database } from '../../../src/service/storage/engine/database.ts';
import { testCost } from '../../test-passwords.ts';
import { application, device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { keptDatabase } from '../storage/test-database.ts';

const pwd = 'qwe123!@#';

/** Starts a service whose comparisons of the password `slow` wait for `free`; `statusOf` returns the status of a login. */
async function startSlow(database?: Database) {
  let free = () => {};
  const blocked = new Promise<boolean>((resolve) => {
    free = () => resolve(false);
  });
  const passwords = openPasswords({
    cost: testCost,
    verify: (stored, password) => (password === 'slow' ? blocked : verifyStored(stored, password)),
    sleep: () => Promise.resolve(),
  });
  const { client, request } = await startTestService({ passwords, ...(database ? { database } : {}) });
  await client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  const headers = {
    'x-client-id': application.client_id,
    'x-device-fingerprint': 'f-3c1a',
    'x-operating-sys-version': 'macOS 14.5',
    'x-agent': 'test',
  };
  const statusOf = async (user_name: string, password: string) => {
    const body = { user_name, password };
    return (await request('POST', '/api/v2/sdk/login', { token: null, headers, body })).status;
  };
  return { client, statusOf, free };
}

/** At least `leastRefused` of this number of logins do not fit into the queue. */
const logins = 100;
const leastRefused = logins - 64 - 3;

test('a login that is not compared because the queue is full uses no attempt', async () => {
  const { client, statusOf, free } = await startSlow();
  let refused = 0;
  const slow = Array.from({ length: logins }, async (_, index) => {
    if ((await statusOf(`nobody-${index}`, 'slow')) === 503) refused += 1;
  });
  await expect.poll(() => refused).toBeGreaterThanOrEqual(leastRefused);
  for (const _ of [1, 2, 3, 4, 5]) expect(await statusOf('ann', pwd)).toBe(503);
  free();
  await Promise.all(slow);
  expect(await client.logIn('ann', pwd, device)).toMatchObject({ status: 'SUCCESS' });
});

test('a login uses no attempt if the queue becomes full after it was counted', async () => {
  const database = await keptDatabase();
  let counted = 0;
  let count = () => {};
  const allCount = new Promise<void>((resolve) => {
    count = resolve;
  });
  const { client, statusOf, free } = await startSlow({
    ...database,
    async commit(transaction) {
      if (!transaction.some(({ sql }) => sql.startsWith('INSERT INTO login_attempts')))
        return database.commit(transaction);
      counted += 1;
      if (counted === logins) count();
      await allCount;
      return database.commit(transaction);
    },
  });
  const refused: string[] = [];
  const slow = Array.from({ length: logins }, async (_, index) => {
    const name = `nobody-${index}`;
    if ((await statusOf(name, 'slow')) === 503) refused.push(name);
  });
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(leastRefused);
  free();
  await Promise.all(slow);
  const first = apiErrorOf('loginRefused', '4');
  for (const name of refused) await expect(client.logIn(name, 'wrong', device)).rejects.toMatchObject(first);
});
