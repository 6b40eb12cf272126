import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchQueries, batchWrites } from '../../../../src/service/storage/engine/batching.ts';
import type { Statement } from '../../../../src/service/storage/engine/database.ts';

/** Queries that return their own text as fast as SQLite does; and the batches so far. */
function openQueries() {
  const batches: string[][] = [];
  const query = batchQueries((batch) => {
    batches.push(batch.map(({ sql }) => sql));
    for (const { sql, resolve } of batch) resolve([sql]);
  });
  return { batches, query };
}

test('queries of one turn of the event loop are one batch at the end of the turn', async () => {
  const { batches, query } = openQueries();
  const answers = [query('one', []), query('two', [])];
  expect(batches).toEqual([]);
  expect(await Promise.all(answers)).toEqual([['one'], ['two']]);
  expect(batches).toEqual([['one', 'two']]);
});

test('queries that follow from answers are one batch of the same turn, however many steps there are', async () => {
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

test('a query after that turn waits for the end of its own turn', async () => {
  const { batches, query } = openQueries();
  await query('one', []);
  await nextTurn();
  const later = [query('two', []), query('three', [])];
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(batches).toEqual([['one']]);
  await Promise.all(later);
  expect(batches).toEqual([['one'], ['two', 'three']]);
});

const newUser: readonly Statement[] = [{ sql: 'insert', values: [], tenantLock: 1, numbers: 'user' }];
const change: readonly Statement[] = [{ sql: 'update', values: [] }];

/** Commits that take no time, and the sizes of their batches so far. */
function openCommits() {
  const sizes: number[] = [];
  const commitBatch = async (transactions: readonly unknown[]) => {
    sizes.push(transactions.length);
    return transactions.map(() => true);
  };
  const { commit } = batchWrites(commitBatch, () => false);
  /** Sends the given number of new users in each turn, and resolves when all are committed. */
  const send = async (...perTurn: number[]) => {
    const sent: Promise<boolean>[] = [];
    for (const count of perTurn) {
      sent.push(...Array.from({ length: count }, () => commit(newUser)));
      await nextTurn();
    }
    await Promise.all(sent);
  };
  return { sizes, commit, send };
}

test('new users share a commit while each turn brings many more of them', async () => {
  const { sizes, send } = openCommits();
  await send(60, 60, 60);
  expect(sizes).toEqual([180]);
});

test('new users do not wait for others if only few arrive', async () => {
  const { sizes, send } = openCommits();
  await send(16, 16, 16, 16);
  // Users who arrive before the end of a turn and directly after it share one commit.
  expect(sizes).toEqual([32, 32]);
});

test('a batch of new users has a maximum size', async () => {
  const { sizes, send } = openCommits();
  await send(100, 100, 100, 100);
  expect(sizes).toEqual([256, 144]);
});

test('a change is committed without a wait, together with the new users that wait', async () => {
  const { sizes, commit, send } = openCommits();
  const sent = send(60, 60);
  await nextTurn();
  await commit(change);
  expect(sizes).toEqual([121]);
  await sent;
});
