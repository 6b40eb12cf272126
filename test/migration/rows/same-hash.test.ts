import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { noticesOf } from '../../../src/migration/report/texts/notices.ts';
import { countSameHash } from '../../../src/migration/rows/preview-rows.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const characters = (count: number) => randomBytes(24).toString('base64').replaceAll('+', '.').slice(0, count);
const someHash = () => `$2b$04$${characters(21)}u${characters(30)}u`;

function importing(hashes: readonly string[]) {
  const lines = hashes.map((hash, index) => `u${index + 1},${hash}\n`).join('');
  return runImport(`user_name,hash\n${lines}`, { algorithm: 'infer', concurrency: 1 });
}

const sameForAll = (rows: number, hash: string) => Array.from({ length: rows }, () => hash);

const warned = /have the same bcrypt hash/;

test('a copy whose passwords were all set to the same one is imported with a warning that counts its users', async () => {
  const { sent, summary } = await importing([
    someHash(),
    ...sameForAll(19, goodHashes.bcrypt),
    goodHashes.md5,
  ]);
  expect(sent).toHaveLength(21);
  expect(summary).toMatchObject({ created: 21, same_hash: 19 });
  const warnings = noticesOf(summary).filter(({ isWarning }) => isWarning);
  expect(warnings.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^19 users have the same bcrypt hash, so one password works for all of them\./),
  );
  expect(JSON.stringify(warnings)).not.toContain(goodHashes.bcrypt);
});

test('ten copies, a sixth of the users, and digests without a salt raise no warning', async () => {
  const sixth = Array.from({ length: 120 }, (_, row) => (row % 6 === 0 ? goodHashes.bcrypt : someHash()));
  for (const hashes of [sameForAll(10, goodHashes.bcrypt), sixth, sameForAll(30, goodHashes.md5)]) {
    const { summary } = await importing(hashes);
    expect(summary).toMatchObject({ created: hashes.length, same_hash: 0 });
    expect(JSON.stringify(noticesOf(summary))).not.toMatch(warned);
  }
});

test('a hash that every fourth user has is counted however long the file is, and a few equal ones at the beginning are not', () => {
  const count = countSameHash();
  const often = someHash();
  const early = someHash();
  for (let row = 1; row <= 44; row += 1) count.add(early);
  let found = 0;
  for (let row = 45; row <= 20_000; row += 1) found = count.add(row % 4 === 0 ? often : someHash());
  expect(found).toBe(4989);
  for (let row = 0; row < 6000; row += 1) found = count.add(someHash());
  expect(found).toBe(0);
});
