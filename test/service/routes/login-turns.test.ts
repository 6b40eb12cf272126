import { expect, test } from 'vitest';
import type { Passwords } from '../../../src/service/passwords/passwords.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { testPasswords } from '../../test-passwords.ts';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const pwd = 'qwe123!@#';
const ann = { user_name: 'ann', email: 'ann@example.com', pwd, pwd_must_modify: false };

/** A gate that is closed until somebody opens it. */
function makeGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('a login under one name does not wait for the logins of the same person under another name', async () => {
  const gate = makeGate();
  const compared: string[] = [];
  const passwords: Passwords = {
    ...testPasswords,
    async compare(stored, password, request) {
      compared.push(password);
      if (password === 'slow') await gate.opened;
      return testPasswords.compare(stored, password, request);
    },
  };
  const { client, connect } = await startTestService({ passwords });
  await client.createUser(ann);
  const other = connect().logIn('ann', 'slow', device);
  const refused = expect(other).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
  await expect.poll(() => compared).toEqual(['slow']);
  await expect(client.logIn(ann.email, 'quick', device)).rejects.toMatchObject(
    apiErrorOf('loginRefused', '4'),
  );
  gate.open();
  await refused;
});

test('a right login is not locked out by another one on another node that takes the last attempt', async () => {
  const database = await lastingDatabase();
  const tenants = [{ ...defaultTenant, login: { ...defaultTenant.login, max_attempts: 1 } }];
  const gate = makeGate();
  const compared: string[] = [];
  const slow: Passwords = {
    ...testPasswords,
    async compare(...given) {
      compared.push(given[1]);
      await gate.opened;
      return testPasswords.compare(...given);
    },
  };
  let onOtherNode: Promise<unknown> = Promise.resolve();
  const patient: Passwords = {
    ...testPasswords,
    async wait() {
      gate.open();
      await onOtherNode;
    },
  };
  const one = await startTestService({ database, tenants, passwords: slow });
  const other = await startTestService({ database, tenants, passwords: patient });
  await one.client.createUser(ann);
  onOtherNode = one.client.logIn('ann', pwd, device);
  await expect.poll(() => compared).toEqual([pwd]);
  expect(await other.client.logIn('ann', pwd, device)).toMatchObject({ status: 'SUCCESS' });
  expect(await onOtherNode).toMatchObject({ status: 'SUCCESS' });
});
