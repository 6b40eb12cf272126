import { expect, test } from 'vitest';
import { killAndCheck } from '../kill-and-check.mjs';
import { temporaryDatabase } from './storage/temporary-database.ts';

test('if serve ends during its start, the check gives the reason', async () => {
  await expect(killAndCheck('/dev/null/x.db', 1)).rejects.toThrow(/ended before it was ready.*\/dev\/null/s);
});

test('a service that is killed three times while it writes loses nothing that it acknowledged', async () => {
  const found = await killAndCheck(await temporaryDatabase(), 3);
  expect(found.acknowledged).toBeGreaterThan(600);
  expect(found).toMatchObject({
    lost: [],
    unrecorded: [],
    twice: [],
    total: found.listed,
    filtered: found.listed,
  });
  // A call that was in progress at a kill may have been committed: each of 32 connections has at most one such call for
  // each kill.
  expect(found.listed - found.acknowledged).toBeGreaterThanOrEqual(0);
  expect(found.listed - found.acknowledged).toBeLessThanOrEqual(3 * 32);
});
