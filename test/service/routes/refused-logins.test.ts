import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Passwords } from '../../../src/service/passwords/passwords.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { testPasswords } from '../../test-passwords.ts';
import { device, startTestService } from '../../test-service.ts';

const pwd = 'qwe123!@#';
const md5 = { algorithm: 'md5', value: createHash('md5').update(pwd).digest('hex') } as const;
const bcrypt = {
  algorithm: 'bcrypt',
  value: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
} as const;

/** The login and the password that are sent, and the stored form with which the service compares the password. */
const attempts: [kind: string, login: string, password: string, stored: unknown][] = [
  ['a wrong password', 'own', 'wrong', expect.stringMatching(/^\$argon2id/)],
  ['a wrong password by e-mail', 'own@example.com', 'wrong', expect.stringMatching(/^\$argon2id/)],
  ['a wrong password beside an md5 hash', 'legacy', 'wrong', JSON.stringify(md5)],
  ['a wrong password beside a bcrypt hash', 'slow', 'wrong', JSON.stringify(bcrypt)],
  ['an unknown name', 'nobody', pwd, null],
  ['an unknown number', '15200000009', pwd, null],
  ['a disabled user', 'gone', pwd, null],
  ['a disabled user with an md5 hash', 'legacy-gone', pwd, null],
  ['a user without a password', 'nopass', '', null],
];

/** A service with all these users that records each stored form with which a password is compared. */
async function startWithUsers() {
  const compared: (string | null)[] = [];
  const passwords: Passwords = {
    ...testPasswords,
    compare(stored, password, request) {
      compared.push(stored);
      return testPasswords.compare(stored, password, request);
    },
  };
  const login = { max_attempts: 1000, lock_seconds: 300 };
  const { client } = await startTestService({ tenants: [{ ...defaultTenant, login }], passwords });
  await client.createUser({ user_name: 'own', email: 'own@example.com', pwd, pwd_must_modify: false });
  await client.importHashedUser({ user_name: 'legacy', 'hash-pwd': md5 });
  await client.importHashedUser({ user_name: 'slow', 'hash-pwd': bcrypt });
  await client.createUser({ user_name: 'nopass' });
  const disabled = [
    await client.createUser({ user_name: 'gone', pwd }),
    await client.importHashedUser({ user_name: 'legacy-gone', 'hash-pwd': md5 }),
  ];
  for (const { user_id } of disabled) await client.disableUser(user_id);
  return { client, compared };
}

// That a comparison takes the same time for each of these forms is tested in passwords/timing-equaliser.test.ts.
test('every refused login makes one comparison; for a user who may not log in, that of an unknown user', async () => {
  const { client, compared } = await startWithUsers();
  for (const [kind, login, password, stored] of attempts) {
    compared.length = 0;
    await expect(client.logIn(login, password, device)).rejects.toMatchObject({ code: 'SDK.LOGIN.1005' });
    expect([kind, compared]).toEqual([kind, [stored]]);
  }
});
