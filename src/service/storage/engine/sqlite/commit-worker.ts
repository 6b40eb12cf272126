import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { TransactionOutcome } from '../batching.ts';
import { runBatch } from './batch.ts';
import { openSqliteConnection } from './connection.ts';
import { createUnpacker, type PackedTransactions } from './worker-messages.ts';

/** What the thread is sent: the units of one commit, or that it shall close. */
export type ToCommit = PackedTransactions | 'close';

/** What it answers, in the order of the units: what `commit` promises, or the words and the code of a failure. */
export type Committed = (boolean | { message: string; code: string | undefined })[];

/** The entry of a thread that commits the units of one SQLite file. */
function serveCommits(port: MessagePort, path: string): void {
  const connection = openSqliteConnection(path);
  const unpack = createUnpacker();
  port.on('message', (message: ToCommit) => {
    if (message === 'close') {
      connection.close();
      port.close();
    } else port.postMessage(runBatch(connection, unpack(message)).map(told) satisfies Committed);
  });
}

/** Of an error only its words and its code are taken to another thread. */
function told(outcome: TransactionOutcome): Committed[number] {
  if (typeof outcome === 'boolean') return outcome;
  return { message: outcome.message, code: 'code' in outcome ? String(outcome.code) : undefined };
}

if (parentPort) serveCommits(parentPort, workerData);
