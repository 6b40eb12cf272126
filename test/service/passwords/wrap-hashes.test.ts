import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { type HashAlgorithm, hashAlgorithms } from '../../../src/contract/attributes.ts';
import type { ServiceContext } from '../../../src/service/context/context.ts';
import { openDatabase } from '../../../src/service/storage/open-database.ts';
import { openWrapping } from '../../../src/service/wrap-hashes.ts';
import { testPasswords } from '../../test-passwords.ts';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf } from '../api-errors.ts';
import { isPostgres } from '../storage/temporary-database.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const [, vector] = known.vectors;
if (!vector) throw new Error('no vector');
const { password } = vector;
const fast = hashAlgorithms.filter((algorithm) => algorithm !== 'bcrypt');
const now = () => Date.UTC(2026, 10, 22);

/** A service on a database, and beside it a node that wraps hashes; `passwords` are those of the node. */
async function startBoth(passwords: Partial<ServiceContext['passwords']> = {}) {
  const database = await lastingDatabase();
  const service = await startTestService({ database });
  const reader = await openDatabase(database);
  onTestFinished(() => reader.close());
  const open = (clock = now) => {
    const context = { database: reader, passwords: { ...testPasswords, ...passwords }, now: clock };
    return openWrapping(
      context,
      () => {},
      () => Promise.resolve(),
    );
  };
  const add = (algorithm: HashAlgorithm, user_name: string, value: string = vector?.[algorithm] ?? '') =>
    service.client.importHashedUser({
      user_name,
      pwd_must_modify: false,
      'hash-pwd': { algorithm, value, key: known.key },
    });
  const stored = async () => {
    const rows = await reader.query<{ password: string }>('SELECT password FROM users ORDER BY seq', []);
    return rows.map((row) => row.password);
  };
  const logIn = (name: string, word: string) =>
    service.client.logIn(name, word, device).then(({ status }) => status);
  return { ...service, database, reader, open, add, stored, logIn };
}

test('fast hashes are wrapped, and their users log in as before', async () => {
  const { add, open, stored, logIn, client } = await startBoth();
  for (const algorithm of hashAlgorithms) await add(algorithm, algorithm);
  await add('md5', 'no-digest', 'qaMqvAPULkbiQzkTCWo5XDcvzpk8Tna');
  const before = await client.listUsers({ offset: 0, limit: 10 });
  const wrapping = open();
  expect(await wrapping.waiting()).toBe(5);
  expect([await wrapping.wrapPart(), await wrapping.wrapPart()]).toEqual([true, false]);
  expect(await wrapping.waiting()).toBe(0);

  const forms = await stored();
  for (const [index, algorithm] of hashAlgorithms.entries()) {
    const isFast = algorithm !== 'bcrypt';
    expect(forms[index]?.includes(vector[algorithm])).toBe(!isFast);
    expect(forms[index]?.includes('"wrapped":"$argon2id$')).toBe(isFast);
  }
  expect(forms.join()).not.toContain('qaMqvAPULkbiQzkTCWo5XDcvzpk8Tna');
  expect(await client.listUsers({ offset: 0, limit: 10 })).toEqual(before);

  await expect(logIn('md5', `${password}x`)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
  for (const algorithm of fast) expect(await logIn(algorithm, password)).toBe('SUCCESS');
  expect((await stored()).filter((form) => form.startsWith('$argon2id$'))).toHaveLength(fast.length);
  expect(await logIn('md5', password)).toBe('SUCCESS');
  await expect(logIn('no-digest', password)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
});

test('a running service wraps the hashes that it finds, and its metrics have the number that waits', async () => {
  const { add, database, stored } = await startBoth();
  await add('md5', 'ann');
  const waiting = (body: string) => /^tenant_users_hashes_to_wrap (\d+)$/m.exec(body)?.[1];
  const { readMetrics } = await startTestService({ database, metrics: { port: 0 }, wrapHashes: true });
  await expect.poll(async () => waiting(await readMetrics())).toBe('0');
  expect((await stored())[0]).toContain('"wrapped"');
});

test('one node wraps a part, and another takes the part over when the first one has died', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  const wrap = async (form: string) => {
    calls += 1;
    if (calls === 1) await held;
    return form.replace('"value"', '"wrapped"');
  };
  const { add, open, stored } = await startBoth({ wrap });
  await add('md5', 'ann');
  const [first, second] = [open(), open()];
  const working = first.wrapPart();
  await expect.poll(() => calls).toBe(1);
  expect(await second.wrapPart()).toBe(false);
  expect(await open(() => now() + 601_000).wrapPart()).toBe(true);
  const done = await stored();
  expect(done[0]).toContain('"wrapped"');
  release();
  expect(await working).toBe(true);
  expect(await stored()).toEqual(done);
});

test('a part that was taken by a clock that was ahead does not wait until then', async () => {
  const { add, open, stored, reader } = await startBoth();
  await add('md5', 'ann');
  const claim = 'UPDATE tenants SET wrapping_until = ?';
  await reader.commit([{ sql: claim, values: [now() + 24 * 3_600_000] }]);
  expect(await open().wrapPart()).toBe(true);
  expect((await stored())[0]).toContain('"wrapped"');
});

test('a hash that a login replaced meanwhile is kept, and a stop leaves the remaining hashes for the next start', async () => {
  const { add, open, stored, logIn, reader } = await startBoth({
    wrap: async (form, request) => {
      if (form.includes('"key"')) await logIn('hmacsha256_base64_key', password);
      return testPasswords.wrap(form, request);
    },
  });
  await add('hmacsha256_base64_key', 'hmacsha256_base64_key');
  await add('md5', 'md5');
  const wrapping = open();
  expect(await wrapping.wrapPart()).toBe(true);
  const [first, second] = await stored();
  expect(first).toMatch(/^\$argon2id\$/);
  expect(second).toContain('"wrapped"');

  await add('md5', 'late');
  const stopped = openWrapping(
    { database: reader, passwords: testPasswords, now },
    () => {},
    () => stopped.stop(),
  );
  expect(await stopped.wrapPart()).toBe(false);
  expect((await stored())[2]).toContain(vector.md5);
  expect(await open().wrapPart()).toBe(true);
  expect((await stored())[2]).toContain('"wrapped"');
});

test('a hash that is replaced by an administrator is wrapped before it goes into the history', async () => {
  const { add, request, reader, logIn } = await startBoth();
  const { user_id } = await add('md5', 'ann');
  const change = await request('PUT', `/api/v2/tenant/users/${user_id}/change-password`, {
    body: { password: 'Str0ng-Enough!', must_modify: false },
  });
  expect(change.status).toBe(200);
  const [row] = await reader.query<{ password: string }>('SELECT password FROM password_history', []);
  expect(row?.password).toContain('"wrapped":"$argon2id$');
  expect(await logIn('ann', 'Str0ng-Enough!')).toBe('SUCCESS');
});

test.skipIf(isPostgres)('the file no longer contains the replaced hash', async () => {
  const { add, open, database, reader } = await startBoth();
  await add('md5', 'ann');
  await reader.query('PRAGMA wal_checkpoint(TRUNCATE)', []);
  expect(readFileSync(database).includes(vector.md5)).toBe(true);
  await open().wrapPart();
  await reader.query('PRAGMA wal_checkpoint(TRUNCATE)', []);
  expect(readFileSync(database).includes(vector.md5)).toBe(false);
  expect(readFileSync(`${database}-wal`)).toHaveLength(0);
});
