import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { isHashAlgorithm } from '../../../src/contract/attributes.ts';
import { diagnose } from '../../../src/migration/hashes/diagnose.ts';
import { identify } from '../../../src/migration/hashes/identify.ts';
import { verifyHash } from '../../../src/migration/hashes/verify.ts';

function rowsOf(name: string): Record<string, string>[] {
  return parse(readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url)), { columns: true });
}

const users = new Map(rowsOf('legacy-users.csv').map((user) => [user.user_name, user]));
const known = rowsOf('legacy-passwords.csv');

test('each known password matches the row of its user, and no other password does', async () => {
  expect(known.length).toBeGreaterThan(3);
  for (const { user_name, password = '' } of known) {
    const { algorithm = '', hash: value = '', key = '' } = users.get(user_name) ?? expect.fail(user_name);
    if (!isHashAlgorithm(algorithm)) throw new Error(`${user_name} has no algorithm`);
    const hash = { algorithm, value, key };
    expect(identify(value).kinds.map((kind) => kind.algorithm)).toContain(algorithm);
    expect(await verifyHash(password, hash), user_name).toBe(true);
    expect(await diagnose(password, hash), user_name).toBeUndefined();
    expect(await verifyHash(`${password}\n`, hash), user_name).toBe(false);
  }
});
