import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorCode } from '../../../../text/error-code.ts';
import type { CommitBatch, TransactionOutcome } from '../batching.ts';
import { runBatch } from './batch.ts';
import { openSqliteConnection } from './connection.ts';

/** A message to the thread: the transactions of one batch, or the request to close. */
export type CommitRequest = Parameters<CommitBatch>[0] | 'close';

/** The thread's answer to a batch, in the same order: the result of `commit`, or the message and the code of a failure. */
export type CommitReply = (boolean | { message: string; code: string | undefined })[];

/** Entry of a thread that commits transactions to one SQLite file. */
function serveCommits(port: MessagePort, path: string): void {
  const connection = openSqliteConnection(path);
  port.on('message', (message: CommitRequest) => {
    if (message === 'close') {
      connection.close();
      port.close();
    } else port.postMessage(runBatch(connection, message).map(replyTo) satisfies CommitReply);
  });
}

/** Only the message and the code of an error are passed to another thread. */
function replyTo(outcome: TransactionOutcome): CommitReply[number] {
  if (typeof outcome === 'boolean') return outcome;
  return { message: outcome.message, code: errorCode(outcome) };
}

if (parentPort) serveCommits(parentPort, workerData);
