import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { batchWrites } from '../../../../../src/service/storage/engine/batching.ts';
import { startCommitThread } from '../../../../../src/service/storage/engine/sqlite/commit-thread.ts';
import { openSqlite } from '../../../../../src/service/storage/engine/sqlite/sqlite.ts';
import { temporaryFile } from '../../temporary-database.ts';

/** The built file: Node.js cannot load the sources in a thread. */
const entry = pathToFileURL(join(import.meta.dirname, '../../../../../dist/threads/commit.cjs'));

const add = (digest: string | number[]) => ({
  sql: 'INSERT INTO tokens (tenant, digest, client_id, expires_at) VALUES (1, ?, ?, 0)',
  values: [digest as string, 'c'],
});

/** A database with its schema, and a thread that writes to it. */
function start() {
  const path = temporaryFile();
  const database = openSqlite(path);
  const thread = startCommitThread(entry, path);
  onTestFinished(async () => {
    if (thread.isAlive()) await thread.close();
    await database.close();
  });
  const digests = async () =>
    (await database.query<{ digest: string }>('SELECT digest FROM tokens ORDER BY digest', [])).map(
      ({ digest }) => digest,
    );
  return { thread, digests };
}

test('transactions are committed in their order, and one that is rolled back or fails does not affect the others', async () => {
  const { thread, digests } = start();
  const outcomes = await thread.commit([
    [add('a')],
    [add('b'), add('a')],
    [add([1])],
    [{ sql: 'DELETE FROM tokens WHERE digest = ?', values: ['x'], optional: true }, add('c')],
  ]);
  expect(outcomes).toEqual([true, false, expect.objectContaining({ name: 'StoreError' }), true]);
  expect(await digests()).toEqual(['a', 'c']);
});

test('every batch sees what the batch before has committed', async () => {
  const { thread, digests } = start();
  for (const name of ['a', 'b', 'a']) {
    expect(await thread.commit([[add(name)]])).toEqual([name !== 'a' || (await digests()).length < 2]);
  }
  expect(await digests()).toEqual(['a', 'b']);
});

test('when a thread ends by itself, the outcome of its batch is reported as unknown', async () => {
  const thread = startCommitThread(entry, '/nowhere/at/all/users.db');
  const [outcome] = await thread.commit([[add('a')]]);
  expect(outcome).toMatchObject({ name: 'StoreError', code: 'COMMIT_UNKNOWN' });
  expect(String(outcome)).toMatch(/not known whether the commit took place: .*open/);
  expect(thread.isAlive()).toBe(false);
});

test('close waits until the thread has ended', async () => {
  const { thread } = start();
  await thread.commit([[add('a')]]);
  await thread.close();
  expect(thread.isAlive()).toBe(false);
});

test('a batch that cannot be sent to the thread is rejected, and the next batch is not affected', async () => {
  let batches = 0;
  const commitBatch = async (transactions: readonly unknown[]) => {
    batches += 1;
    if (batches === 1) throw new Error('no thread');
    return transactions.map(() => true);
  };
  const { commit, idle } = batchWrites(commitBatch, () => false);
  await expect(commit([add('a')])).rejects.toMatchObject({ name: 'StoreError', message: 'no thread' });
  expect(await commit([add('a')])).toBe(true);
  await idle();
  await expect(commit([add('b')])).rejects.toThrow('not open');
});
