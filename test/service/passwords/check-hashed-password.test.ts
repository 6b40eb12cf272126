import { expect, test } from 'vitest';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';

const body = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const bcrypt = (cost: number) => ({ algorithm: 'bcrypt', value: `$2b$${cost}$${body}` }) as const;

test.each([
  ['a bcrypt cost above 14', bcrypt(15), 'hash-pwd.value has the bcrypt cost 15; at most 14'],
  ['the highest cost of all', bcrypt(31), 'hash-pwd.value has the bcrypt cost 31; at most 14'],
  [
    'a value too long',
    { algorithm: 'md5', value: 'x'.repeat(1025) },
    'hash-pwd.value has more than 1024 characters',
  ],
  [
    'a key too long',
    { algorithm: 'hmacsha256_base64_key', value: 'x', key: 'x'.repeat(4097) },
    'hash-pwd.key has more than 4096 characters',
  ],
] as const)('%s is rejected, and the message says what is wrong', async (_what, hash, message) => {
  const { client } = await startTestService();
  await expect(client.importHashedUser({ user_name: 'ann', 'hash-pwd': hash })).rejects.toMatchObject(
    apiErrorOf('requestInvalid', message),
  );
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test('values within the limits are accepted, and the tenant sets the cost', async () => {
  const password = { ...defaultTenant.password, max_bcrypt_cost: 10 };
  const { client } = await startTestService({ tenants: [{ ...defaultTenant, password }] });
  await client.importHashedUser({ 'hash-pwd': bcrypt(10) });
  await client.importHashedUser({ 'hash-pwd': { algorithm: 'md5', value: 'x'.repeat(1024) } });
  await expect(client.importHashedUser({ 'hash-pwd': bcrypt(11) })).rejects.toMatchObject(
    apiErrorOf('requestInvalid', 'hash-pwd.value has the bcrypt cost 11; at most 10'),
  );
});
