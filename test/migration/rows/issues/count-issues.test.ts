import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { sumIssues } from '../../../../src/migration/rows/issues/count-issues.ts';
import { goodHashes } from '../../hashes.ts';
import { runImport } from '../../run-import.ts';

const { md5 } = goodHashes;
const fileOf = (rows: string[][]) => stringify([['user_name', 'email', 'algorithm', 'hash'], ...rows]);

test('all issues of a row are counted, and so are the names of unknown algorithms', async () => {
  const content = fileOf([
    ['ann', 'ann@a', 'md5', md5],
    ['bob', 'x', 'BLOWFISH', md5],
    ['ANN', 'y', 'BLOWFISH', md5],
    ['cid', '', 'SHA256-MD5', ''],
    ['dan', '', 'my secret', md5],
    ['eve', '', 'md5', ''],
  ]);
  const { summary, failures, written } = await runImport(content, { dryRun: true });
  expect(summary.codes).toEqual({ EMAIL: 2, ALGORITHM_UNKNOWN: 1, HASH_MISSING: 2 });
  expect(summary.issues).toEqual({
    ALGORITHM_UNKNOWN: 4,
    EMAIL: 2,
    HASH_MISSING: 2,
    DUPLICATE_USER_NAME: 1,
  });
  expect(Object.keys(summary.issues)[0]).toBe('ALGORITHM_UNKNOWN');
  expect(summary.unknown_algorithms).toEqual({ BLOWFISH: 2, '(other)': 1, 'SHA256-MD5': 1 });
  expect(failures[0]?.message).toContain('the algorithm is not one that the API accepts (BLOWFISH)');
  expect(written).toContain('<code><bdi>ALGORITHM_UNKNOWN</bdi></code> 4');
  expect(written).not.toContain('my secret');
});

test('at most twenty names are kept, and the others are counted together', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => [`u${index}`, '', `md5-v${index}`, md5]);
  const { summary } = await runImport(fileOf(rows), { dryRun: true });
  expect(Object.keys(summary.unknown_algorithms)).toHaveLength(21);
  expect(summary.unknown_algorithms['(other)']).toBe(10);
});

test('a shard counts its own rows, and the counts of all shards add up', async () => {
  const rows = [
    ['ann', 'x', 'md5', md5],
    ['bob', 'y', 'DES', ''],
    ['cid', 'z', 'DES', md5],
  ];
  const countsOf = async (index: number) => {
    const { summary } = await runImport(fileOf(rows), { dryRun: true, shard: { index, of: 2 } });
    return { codes: summary.issues, unknownAlgorithms: summary.unknown_algorithms };
  };
  const first = await countsOf(1);
  expect(first).toEqual({ codes: { EMAIL: 2, ALGORITHM_UNKNOWN: 1 }, unknownAlgorithms: { DES: 1 } });
  const whole = await runImport(fileOf(rows), { dryRun: true });
  const sum = sumIssues([first, await countsOf(2)]);
  expect(sum.codes).toEqual(whole.summary.issues);
  expect(sum.unknownAlgorithms).toEqual(whole.summary.unknown_algorithms);
});

test('a dry run counts all rows that it has checked, not only those with issues', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => [`u${index}`, index < 3 ? 'x' : '', 'md5', md5]);
  let last = {};
  const { summary } = await runImport(fileOf(rows), {
    dryRun: true,
    onProgress: (progress) => {
      last = progress;
    },
  });
  expect(last).toEqual({ total: 10, done: 10, created: 0, failed: 0, invalid: 3, isCheck: true });
  expect(summary).toMatchObject({ invalid: 3, pending: 7 });
});
