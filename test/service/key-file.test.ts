import { CompactEncrypt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { openKeyCipher } from '../../src/service/identity/key-cipher.ts';
import { findPlainKeys } from '../../src/service/storage/access/signing-keys.ts';
import { openDatabase } from '../../src/service/storage/open-database.ts';
import { findTenants } from '../../src/service/storage/tenants.ts';
import { defaultTenant } from '../../src/service/tenant/default-tenant.ts';
import { preparedKeyPair } from '../prepared-keys.ts';
import { application, startTestService } from '../test-service.ts';
import { contentOf } from './storage/content-of.ts';
import { lastingDatabase } from './storage/test-database.ts';

const keySecret = Buffer.alloc(32, 7);

async function kidOf(service: Awaited<ReturnType<typeof startTestService>>): Promise<string | undefined> {
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
  const path = `/api/v2/tenant/token?${query}`;
  const { body } = await service.request<{ id_token: string }>('POST', path, { token: null });
  return decodeProtectedHeader(body.id_token).kid;
}

test('with a key file no private key is stored in clear, and a start with another key file or none is refused', async () => {
  const database = await lastingDatabase();
  const first = await startTestService({ database, keySecret });
  const kid = await kidOf(first);
  await first.close();
  expect((await contentOf(database)).includes('PRIVATE KEY')).toBe(false);
  expect(await kidOf(await startTestService({ database, keySecret }))).toBe(kid);
  await expect(startTestService({ database, keySecret: Buffer.alloc(32, 8) })).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: 'the key file is not the one with which the signing keys of the database are encrypted',
  });
  await expect(startTestService({ database })).rejects.toMatchObject({
    message: 'the signing keys of the database are encrypted, and no key file is given',
  });
});

test('the key file is required from the first start on, even before there is a signing key', async () => {
  const database = await lastingDatabase();
  await startTestService({ database, keySecret });
  await expect(startTestService({ database, keySecret: Buffer.alloc(32, 8) })).rejects.toThrow('key file');
});

test('signing keys stored in clear are encrypted at the first start with a key file, also by two nodes at the same time', async () => {
  const database = await lastingDatabase();
  const plain = await startTestService({ database });
  const kid = await kidOf(plain);
  const nodes = await Promise.all([
    startTestService({ database, keySecret }),
    startTestService({ database, keySecret }),
  ]);
  for (const node of nodes) expect(await kidOf(node)).toBe(kid);
  // Bytes that SQLite or PostgreSQL no longer use can still contain the key in clear.
  const opened = await openDatabase(database);
  expect(await findPlainKeys(opened)).toEqual([]);
  await opened.close();
});

test('a node without the key file cannot use a signing key that was encrypted meanwhile, and says so', async () => {
  const database = await lastingDatabase();
  const plain = await startTestService({ database });
  await startTestService({ database, keySecret }).then(kidOf);
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
  const reply = await plain.request('POST', `/api/v2/tenant/token?${query}`, { token: null });
  expect(reply).toMatchObject({ status: 500, body: { error_code: 'SVC.TENANT.COM.0002' } });
  expect(plain.reports.splice(0)).toMatchObject([
    { message: 'the signing keys of the database are encrypted, and no key file is given' },
  ]);
});

test('an encrypted signing key is refused in the row of another key, or when it is encrypted in another way', async () => {
  const database = await openDatabase(await lastingDatabase());
  const cipher = await openKeyCipher(database, keySecret);
  const { kid, privateKey } = await preparedKeyPair();
  const sealed = await cipher.seal(1, kid, privateKey);
  expect(await cipher.open(1, kid, sealed)).toBe(privateKey);
  await expect(cipher.open(2, kid, sealed)).rejects.toThrow('key file');
  const at = sealed.length - 10;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  await expect(cipher.open(1, kid, changed)).rejects.toThrow('key file');
  const otherwise = new CompactEncrypt(Buffer.from(privateKey));
  otherwise.setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM', kid: `1/${kid}` });
  await expect(cipher.open(1, kid, await otherwise.encrypt(keySecret))).rejects.toThrow('key file');
  await database.close();
});

test('a start that is refused for want of the key file changes no rule of the tenant', async () => {
  const database = await lastingDatabase();
  const first = await startTestService({ database, keySecret });
  await first.close();
  const strict = { ...defaultTenant, login: { ...defaultTenant.login, max_attempts: 1 } };
  await expect(startTestService({ database, tenants: [strict] })).rejects.toThrow('key file');
  const opened = await openDatabase(database);
  const [stored] = await findTenants(opened);
  await opened.close();
  expect(stored?.definition.login.max_attempts).toBe(5);
});
