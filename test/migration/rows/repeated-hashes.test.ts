import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueTable, type WarningCode } from '../../../src/migration/rows/issues.ts';
import { createRepeatedHashSearch } from '../../../src/migration/rows/repeated-hashes.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const someHash = () => `$2b$04$${randomBytes(48).toString('base64url').slice(0, 52)}u`.replace(/[-_]/g, '.');

function importing(hashes: readonly string[], accept: WarningCode[] = []) {
  const lines = hashes.map((hash, index) => `u${index + 1},${hash}\n`).join('');
  return runImport(`user_name,hash\n${lines}`, { algorithm: 'infer', concurrency: 1, accept });
}

const sameForAll = (rows: number, hash: string) => Array.from({ length: rows }, () => hash);

test('a copy whose passwords were all set to one is found; each row names the first', async () => {
  const hashes = [someHash(), ...sameForAll(19, goodHashes.bcrypt)];
  const { sent, failures, summary } = await importing(hashes);
  expect(sent).toHaveLength(11);
  expect(failures.map(({ row }) => Number(row))).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20]);
  const { message } = issueTable.HASH_REPEATED;
  for (const failure of failures)
    expect(failure).toMatchObject({ code: 'HASH_REPEATED', message: `hash: ${message} (row 2)` });
  expect(summary).toMatchObject({ created: 11, invalid: 9, codes: { HASH_REPEATED: 9 } });
  expect((await importing(hashes, ['HASH_REPEATED'])).sent).toHaveLength(20);
});

test('ten copies, a sixth of the rows, and digests without a salt are not doubted', async () => {
  const sixth = Array.from({ length: 120 }, (_, row) => (row % 6 === 0 ? goodHashes.bcrypt : someHash()));
  for (const hashes of [sameForAll(10, goodHashes.bcrypt), sixth, sameForAll(30, goodHashes.md5)]) {
    expect((await importing(hashes)).failures).toEqual([]);
  }
});

test('the hash of every fourth row is found however long the file is, and others are forgotten', () => {
  const find = createRepeatedHashSearch();
  const often = someHash();
  const early = someHash();
  for (let row = 1; row <= 44; row += 1) find(row, early);
  for (let row = 45; row <= 20_000; row += 1) {
    const found = find(row, row % 4 === 0 ? often : someHash());
    if (row > 1000) expect(found).toBe(row % 4 === 0 ? 48 : undefined);
  }
  expect(find(20_001, early)).toBeUndefined();
});
