import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CommitBatch, TransactionOutcome } from '../batching.ts';
import { StoreError } from '../store-error.ts';
import type { CommitReply, CommitRequest } from './commit-worker.ts';

/** A thread that commits transactions to one SQLite file. */
export type CommitThread = ReturnType<typeof startCommitThread>;

/**
 * Starts the thread from its built file. If it ends by itself, the outcome of the running batch is unknown. It keeps the process
 * alive only while a batch is running.
 */
export function startCommitThread(file: URL, path: string) {
  const worker = new Worker(file, { workerData: path });
  let reason = 'the commit thread has ended';
  let isAlive = true;
  let finish: ((outcome: (index: number) => TransactionOutcome) => void) | undefined;

  worker.on('message', (reply: CommitReply) => {
    finish?.((index) => {
      const outcome = reply[index];
      return typeof outcome === 'object' ? new StoreError(outcome.message, outcome.code) : outcome === true;
    });
  });
  worker.on('error', (error) => {
    reason = error.message;
  });
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      isAlive = false;
      const message = `it is not known whether the commit took place: ${reason}`;
      finish?.(() => new StoreError(message, 'COMMIT_UNKNOWN'));
      resolve();
    });
  });
  worker.unref();

  return {
    /** Must not be called before the last batch was answered. */
    commit(transactions: Parameters<CommitBatch>[0]): ReturnType<CommitBatch> {
      return new Promise((resolve) => {
        finish = (outcome) => {
          finish = undefined;
          worker.unref();
          resolve(transactions.map((_, index) => outcome(index)));
        };
        worker.ref();
        worker.postMessage(transactions satisfies CommitRequest);
      });
    },
    /** False if the thread has ended by itself: it commits nothing any more. */
    isAlive: () => isAlive,
    /** Closes the connection of the thread, and ends the thread. */
    close(): Promise<void> {
      worker.ref();
      worker.postMessage('close' satisfies CommitRequest);
      return ended;
    },
  };
}

/** Returns the built entry of the thread; `undefined` if the program runs from its sources, which Node 20 cannot load in a thread. */
export function commitFile(): URL | undefined {
  const file = new URL('../threads/commit.cjs', import.meta.url);
  return existsSync(file) ? file : undefined;
}
