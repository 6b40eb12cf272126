import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { makeTimeIndex, openChangeTimes } from '../../../../src/service/storage/users/time-index.ts';
import { testDatabase } from '../test-database.ts';

const second = fc.integer({ min: 0, max: 40 }).map((value) => value * 1000);
const bound = fc.oneof(second, fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY));

test('the index finds and counts the same users as a pass over all users would', () => {
  const users = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 3000, size: 'max' });
  const changes = fc.array(fc.tuple(fc.nat(2999), fc.integer({ min: 0, max: 40_000 })), { maxLength: 20 });
  const page = fc.tuple(fc.nat(3000), fc.integer({ min: 10, max: 100 }));
  fc.assert(
    fc.property(users, changes, bound, bound, page, (times, moved, from, until, [skip, limit]) => {
      const index = makeTimeIndex();
      for (const [at, time] of moved) if (at < times.length) times[at] = time + 1;
      for (const [at, time] of times.entries()) index.set(at + 1, time);
      const seqs = times.flatMap((time, at) => (time >= from && time < until ? [at + 1] : []));
      const expected = { total: seqs.length, page: seqs.slice(skip, skip + limit) };
      expect(index.find(from, until, skip, limit)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a user whose time changes is found only by the new time', () => {
  const index = makeTimeIndex();
  for (let seq = 1; seq <= 5000; seq += 1) index.set(seq, 1000);
  index.set(4000, 9000);
  expect(index.find(9000, 10_000, 0, 10)).toEqual({ total: 1, page: [4000] });
  expect(index.find(0, 9000, 3998, 10)).toEqual({ total: 4999, page: [3999, ...range(4001, 9)] });
});

test('times before 1970 and after 2106 count as the first and the last time of the index', () => {
  const index = makeTimeIndex();
  for (const [at, time] of [-5000, 0, Date.UTC(2026, 0), Date.UTC(2200, 0)].entries())
    index.set(at + 1, time);
  expect(index.find(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 10).total).toBe(4);
  expect(index.find(Date.UTC(2025, 0), Number.POSITIVE_INFINITY, 0, 10).page).toEqual([3, 4]);
  expect(index.find(Number.NEGATIVE_INFINITY, Date.UTC(2025, 0), 0, 10).page).toEqual([1, 2]);
});

test('the first update of the index reads all users, later ones only what was changed', async () => {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const users = 9000;
  await database.commit([{ sql: insertUsers, values: [] }]);
  await database.commit([
    { sql: `INSERT INTO numbers (tenant, seq, changed) VALUES (7, ${users}, ${users})`, values: [] },
  ]);
  const times = openChangeTimes(database, 7);
  await times.catchUp();
  expect(times.find(0, 2000, 0, 10)).toEqual({ total: 1, page: [1] });
  expect(times.find(1000, Number.POSITIVE_INFINITY, 8998, 10)).toEqual({ total: users, page: [8999, 9000] });

  const touch = 'UPDATE users SET changed = ?, updated_at = ? WHERE tenant = 7 AND seq = ?';
  await database.commit([{ sql: touch, values: [users + 1, 20_000_000, 5] }]);
  await times.catchUp();
  expect(times.find(20_000_000, 20_001_000, 0, 10)).toEqual({ total: 1, page: [5] });
  expect(times.find(5000, 6000, 0, 10)).toEqual({ total: 0, page: [] });
});

test('the index is built again when the database went back to an earlier state', async () => {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  await database.commit([{ sql: insertUsers, values: [] }]);
  const numbers = 'INSERT INTO numbers (tenant, seq, changed) VALUES (7, 9000, 9000)';
  await database.commit([{ sql: numbers, values: [] }]);
  const times = openChangeTimes(database, 7);
  await times.catchUp();
  await database.commit([
    { sql: 'DELETE FROM users WHERE tenant = 7 AND changed > 8000', values: [] },
    { sql: 'UPDATE users SET updated_at = 20000000 WHERE tenant = 7 AND seq = 9000', values: [] },
    { sql: 'UPDATE numbers SET changed = 8000 WHERE tenant = 7', values: [] },
  ]);
  await times.catchUp();
  expect(times.find(20_000_000, 20_001_000, 0, 10)).toEqual({ total: 1, page: [9000] });
  expect(times.find(1000, 3000, 0, 10)).toEqual({ total: 0, page: [] });
});

/** Users of tenant 7, each changed a second before the previous one. */
const insertUsers = `INSERT INTO users (tenant, seq, user_id, user_name_key, profile, pwd_must_modify, created_at, updated_at,
    disabled, usr_auth_times, version, changed)
  WITH RECURSIVE list (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM list WHERE n < 9000)
  SELECT 7, n, 'id-' || n, 'user-' || n, '{}', 0, 0, n * 1000, 0, 0, 1, 9001 - n FROM list`;

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}
