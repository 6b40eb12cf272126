import { expect, onTestFinished, test } from 'vitest';
import { createApplication, revokeApplication } from '../../../src/service/admin/applications.ts';
import type { Passwords } from '../../../src/service/passwords/passwords.ts';
import { openDatabase } from '../../../src/service/storage/open-database.ts';
import { testPasswords } from '../../test-passwords.ts';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

test('a login whose application is revoked while its password is compared gets no session', async () => {
  const database = await lastingDatabase();
  let revoke = async () => {};
  const passwords: Passwords = {
    ...testPasswords,
    async compare(...given) {
      await revoke();
      return testPasswords.compare(...given);
    },
  };
  const { client, connect } = await startTestService({ database, passwords });
  const now = Date.now();
  const pwd = 'qwe123!@#';
  await client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  const made = await createApplication(database, undefined, { name: null, scope: 'all', now });
  const other = connect({ clientId: made.client_id, clientSecret: made.client_secret });
  expect(await other.logIn('ann', pwd, device)).toMatchObject({ status: 'SUCCESS' });
  revoke = async () => {
    revoke = async () => {};
    await revokeApplication(database, made.client_id, now);
  };
  await expect(other.logIn('ann', pwd, device)).rejects.toMatchObject(apiErrorOf('applicationUnknown'));
  const reader = await openDatabase(database);
  onTestFinished(() => reader.close());
  expect(await reader.query('SELECT client_id FROM grants', [])).toEqual([]);
});
