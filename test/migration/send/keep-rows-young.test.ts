import { cachedDataVersionTag } from 'node:v8';
import { expect, test } from 'vitest';
import { keepRowsYoung } from '../../../src/migration/send/keep-rows-young.ts';

const before = cachedDataVersionTag();

test('V8 has another flag while many rows are under way, and its own again afterwards', async () => {
  expect(await keepRowsYoung(10_000, async () => cachedDataVersionTag())).not.toBe(before);
  expect(cachedDataVersionTag()).toBe(before);
});

test('the flag is set back after a failure too', async () => {
  const failure = new Error('the journal cannot be written');
  await expect(keepRowsYoung(10_000, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(cachedDataVersionTag()).toBe(before);
});

test('for a few rows no flag is changed, so that V8 takes all code that it compiled before', async () => {
  expect(await keepRowsYoung(9_999, async () => cachedDataVersionTag())).toBe(before);
});
