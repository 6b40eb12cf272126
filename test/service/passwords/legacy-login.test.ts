import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { type HashAlgorithm, hashAlgorithms } from '../../../src/contract/attributes.ts';
import type { HashedPassword } from '../../../src/contract/wire.ts';
import { openDatabase } from '../../../src/service/storage/open-database.ts';
import { application, device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const { key, vectors } = known;

function digest(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}

function hashOf(algorithm: HashAlgorithm, value: string): HashedPassword {
  return algorithm === 'hmacsha256_base64_key' ? { algorithm, value, key } : { algorithm, value };
}

async function startWith(hash: HashedPassword, database?: string) {
  const service = await startTestService(database === undefined ? {} : { database });
  const user = { user_name: 'ann', pwd_must_modify: false };
  const { user_id } = await service.client.importHashedUser({ ...user, 'hash-pwd': hash });
  return { ...service, user_id, logIn: (password: string) => service.client.logIn('ann', password, device) };
}

const cases = hashAlgorithms.flatMap((algorithm) =>
  vectors.map((vector) => [algorithm, vector.password, vector[algorithm]] as const),
);

test.each(cases)(
  '%s: the old password %s opens a session, at every login',
  async (algorithm, password, value) => {
    const { client, user_id, logIn } = await startWith(hashOf(algorithm, value));
    await expect(logIn(`${password}x`)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
    for (const _ of [1, 2]) expect(await logIn(password)).toMatchObject({ status: 'SUCCESS' });
    await expect(logIn(`${password}x`)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
    expect(await client.getUser(user_id)).toMatchObject({ usr_auth_times: '2' });
  },
);

test.each(known.must_not_match)(
  '$algorithm: $mistake opens no session',
  async ({ algorithm, password, value }) => {
    const { logIn } = await startWith(hashOf(algorithm as HashAlgorithm, value));
    await expect(logIn(password)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
  },
);

const key64 = Buffer.from('key').toString('base64');

test.each<HashedPassword>([
  { algorithm: 'md5', value: digest('md5', '') },
  { algorithm: 'md5_sha256', value: digest('sha256', digest('md5', '')) },
  {
    algorithm: 'hmacsha256_base64_key',
    value: createHmac('sha256', 'key').update('').digest('hex'),
    key: key64,
  },
  // The hash of crypt_blowfish for the empty password.
  { algorithm: 'bcrypt', value: '$2b$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy' },
])(
  'an empty or missing password opens no session, even if it is what was hashed: $algorithm',
  async (hash) => {
    const { request } = await startWith(hash);
    const headers = {
      'x-client-id': application.client_id,
      'x-device-fingerprint': 'f-1',
      'x-operating-sys-version': 'macOS',
      'x-agent': 'test',
    };
    for (const [password, left] of [
      ['', '4'],
      [undefined, '3'],
      [null, '2'],
    ]) {
      const body = { user_name: 'ann', password };
      const reply = await request('POST', '/api/v2/sdk/login', { token: null, headers, body });
      expect(reply).toMatchObject(errorReply('loginRefused', left ?? ''));
    }
  },
);

const bare = vectors[1]?.bcrypt.slice('$2b$'.length) ?? '';

test.each(['$2a$', '$2b$', '$2y$', '{bcrypt}$2a$', ''])(
  'a bcrypt hash with the prefix %j opens a session',
  async (prefix) => {
    const { logIn } = await startWith({ algorithm: 'bcrypt', value: prefix + bare });
    expect(await logIn('123456')).toMatchObject({ status: 'SUCCESS' });
  },
);

test('an HMAC key that is not base64 is used as the bytes of its text', async () => {
  const value = createHmac('sha256', 'not base64!').update('secret').digest('hex');
  const { logIn } = await startWith({ algorithm: 'hmacsha256_base64_key', value, key: 'not base64!' });
  expect(await logIn('secret')).toMatchObject({ status: 'SUCCESS' });
});

test.each(cases)('%s: the first login with %s replaces the old hash', async (algorithm, password, value) => {
  const database = await lastingDatabase();
  const { logIn, client, user_id } = await startWith(hashOf(algorithm, value), database);
  const reader = await openDatabase(database);
  const stored = async () => {
    const [row] = await reader.query<{ password: string }>('SELECT password FROM users', []);
    return row?.password;
  };
  expect(await stored()).toContain(value);
  await logIn(`${password}x`).catch(() => undefined);
  expect(await stored()).toContain(value);
  const before = await client.getUser(user_id);
  await logIn(password);
  expect(await stored()).toMatch(/^\$argon2id\$/);
  // The password itself stays the same, so neither time changes.
  const { updated_at, pwd_change_at } = await client.getUser(user_id);
  expect({ updated_at, pwd_change_at }).toEqual({
    updated_at: before.updated_at,
    pwd_change_at: before.pwd_change_at,
  });
  await reader.close();
});

test.each([
  ['no hash', undefined],
  ['an empty object', {}],
  ['an empty value', { algorithm: 'md5', value: '' }],
  ['an empty value and key', { algorithm: 'hmacsha256_base64_key', value: '', key: '' }],
  ['an empty algorithm', { algorithm: '', value: 'x' }],
  ['nulls', { algorithm: null, value: null }],
  ['no algorithm but a key', { value: 'x', key: 'x' }],
])('a user imported with %s has no password', async (_case, hash) => {
  const { client, request } = await startTestService();
  const body = { user_name: 'ann', 'hash-pwd': hash };
  expect((await request('POST', '/api/v2/tenant/users/import-hash-pwd', { body })).status).toBe(200);
  expect(await client.getUserByUserName('ann')).not.toHaveProperty('pwd_change_at');
  await expect(client.logIn('ann', '', device)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
});

test.each(['sha1', 'MD5', 'Bcrypt', ' md5', 'constructor'])(
  'the algorithm %j is not supported',
  async (algorithm) => {
    const { request } = await startTestService();
    for (const value of ['x', '', undefined]) {
      const body = { 'hash-pwd': { algorithm, value } };
      const reply = await request('POST', '/api/v2/tenant/users/import-hash-pwd', { body });
      expect(reply).toMatchObject(errorReply('algorithmNotSupported'));
    }
  },
);

test.each([undefined, '', null])('an hmac hash with the HMAC key %j is refused', async (empty) => {
  const { request } = await startTestService();
  const body = { 'hash-pwd': { algorithm: 'hmacsha256_base64_key', value: 'x', key: empty } };
  const reply = await request('POST', '/api/v2/tenant/users/import-hash-pwd', { body });
  expect(reply).toMatchObject(errorReply('hashKeyEmpty'));
});
