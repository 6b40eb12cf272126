import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchQueries } from '../../../../src/service/storage/engine/batching.ts';

/** Queries that are answered with their own text, as SQLite answers them; and the batches so far. */
function openQueries() {
  const batches: string[][] = [];
  const query = batchQueries((batch) => {
    batches.push(batch.map(({ sql }) => sql));
    for (const { sql, resolve } of batch) resolve([sql]);
  });
  return { batches, query };
}

test('queries of one turn are one batch at its end', async () => {
  const { batches, query } = openQueries();
  const answers = [query('one', []), query('two', [])];
  expect(batches).toEqual([]);
  expect(await Promise.all(answers)).toEqual([['one'], ['two']]);
  expect(batches).toEqual([['one', 'two']]);
});

test('queries that follow from answers are a batch of the same turn, however many steps there are', async () => {
  const { batches, query } = openQueries();
  const steps = async (name: string) => {
    await query(`${name} 1`, []);
    await Promise.resolve().then(() => undefined);
    await query(`${name} 2`, []);
    await query(`${name} 3`, []);
  };
  const both = Promise.all([steps('a'), steps('b')]);
  await nextTurn();
  expect(batches).toEqual([
    ['a 1', 'b 1'],
    ['a 2', 'b 2'],
    ['a 3', 'b 3'],
  ]);
  await both;
});

test('what comes after that turn waits for the end of its own', async () => {
  const { batches, query } = openQueries();
  await query('one', []);
  await nextTurn();
  const later = [query('two', []), query('three', [])];
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(batches).toEqual([['one']]);
  await Promise.all(later);
  expect(batches).toEqual([['one'], ['two', 'three']]);
});
