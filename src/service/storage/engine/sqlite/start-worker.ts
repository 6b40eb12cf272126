import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CommitBatch, TransactionOutcome } from '../batching.ts';
import { StoreError } from '../store-error.ts';
import type { Committed, ToCommit } from './commit-worker.ts';
import { createPacker } from './worker-messages.ts';

/** A thread that commits units to one SQLite file. */
export interface CommitThread {
  /** To be called again when it has answered. */
  commit: CommitBatch;
  /** False when it has ended by itself: it commits nothing any more. */
  isAlive(): boolean;
  /** Closes its connection, and ends it. */
  close(): Promise<void>;
}

/**
 * Starts the thread from its built file. Of what it had under way when it ends by itself nobody knows what became. It keeps
 * the process only while something is under way.
 */
export function startCommitThread(file: URL, path: string): CommitThread {
  const worker = new Worker(file, { workerData: path });
  const pack = createPacker();
  let words = 'the thread that writes it has ended';
  let isAlive = true;
  let settle: ((outcome: (index: number) => TransactionOutcome) => void) | undefined;

  worker.on('message', (committed: Committed) => {
    settle?.((index) => {
      const outcome = committed[index];
      return typeof outcome === 'object' ? new StoreError(outcome.message, outcome.code) : outcome === true;
    });
  });
  worker.on('error', (error) => {
    words = error.message;
  });
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      isAlive = false;
      const message = `it is not known whether the commit took place: ${words}`;
      settle?.(() => new StoreError(message, 'COMMIT_UNKNOWN'));
      resolve();
    });
  });
  worker.unref();

  return {
    commit(units) {
      return new Promise((resolve) => {
        settle = (outcome) => {
          settle = undefined;
          worker.unref();
          resolve(units.map((_, index) => outcome(index)));
        };
        worker.ref();
        worker.postMessage(pack(units) satisfies ToCommit);
      });
    },
    isAlive: () => isAlive,
    close() {
      worker.ref();
      worker.postMessage('close' satisfies ToCommit);
      return ended;
    },
  };
}

/**
 * The built entry of a thread. `undefined` where there is none: the program runs from its sources, which Node 20 cannot load
 * in a thread, and the caller's own thread does the work.
 */
export function threadFile(name: 'commit'): URL | undefined {
  const file = new URL(`../threads/${name}.cjs`, import.meta.url);
  return existsSync(file) ? file : undefined;
}
