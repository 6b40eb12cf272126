import type { Client } from '../client/client.ts';
import { createBrake } from './brake.ts';
import { checkRows } from './check-rows.ts';
import type { ValidRow } from './checked-row.ts';
import { compileColumns } from './compile-columns.ts';
import { createTally } from './create-tally.ts';
import { openBooks, refuseUsedDirectory } from './open-books.ts';
import { openSource } from './open-source.ts';
import { holdBack, sendUser } from './send-user.ts';
import { settleRows } from './settle-rows.ts';
import type { Summary } from './summary.ts';

/** What an import needs to know. */
export interface ImportOptions {
  /** CSV file, UTF-8, comma-separated, with a header of API field names. */
  file: string;
  /** Where the books go; made when missing, refused when it holds books. */
  jobDirectory: string;
  /** Most rows on the wire at the same time; default 32. */
  concurrency?: number;
  /** Let columns pass that mean nothing to the API. */
  ignoreUnknown?: boolean;
  /** Let rows pass that have neither algorithm nor hash: their users get no password. */
  allowPasswordless?: boolean;
  /** Check everything, send nothing. */
  dryRun?: boolean;
  /** Aborted: no more rows are taken. */
  signal?: AbortSignal;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
  /** Called for each outcome. */
  onProgress?: (progress: Progress) => void;
}

/** What a run stands at. */
export interface Progress {
  /** Data rows of the file. */
  total: number;
  /** Rows that have an outcome. */
  done: number;
  created: number;
  /** Rows failed, invalid or without an answer. */
  failed: number;
}

/** What an import came to. */
export interface ImportResult {
  summary: Summary;
  /** Why rows were left pending: the failure, or the reason of the signal. */
  stoppedBy?: Error;
}

/**
 * Imports a file of users with hashed passwords: source → rows → checked users → outcomes → books, each step
 * an async iterable of the one before. A refused row does not end the run. Rejects with a `SourceError` or a
 * `JobDirectoryError`, or with the signal's reason, as long as nothing was sent; later only with a
 * `JobDirectoryError`, when the books cannot be written on.
 */
export async function importHashes(
  client: Pick<Client, 'importHashedUser'>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { file, jobDirectory, concurrency = 32, signal, now = Date.now, onProgress } = options;
  if (!(concurrency >= 1)) throw new RangeError('concurrency must be at least 1');
  const started = now();
  await refuseUsedDirectory(jobDirectory);
  const source = await openSource(file, signal);
  try {
    const columns = compileColumns(file, source.header.line, source.header.cells, options);
    const books = await openBooks(jobDirectory);
    const tally = createTally(source.rows);
    const brake = createBrake(signal);
    const settle = options.dryRun ? holdBack : (row: ValidRow) => sendUser(client, row, brake);
    const rows = checkRows(source.records, columns, options.allowPasswordless ?? false);
    try {
      for await (const outcome of settleRows(rows, settle, concurrency, brake)) {
        tally.add(outcome);
        const full = books.enter(outcome);
        if (full) await full;
        onProgress?.(tally.progress());
      }
    } catch (failure) {
      await books.abandon();
      throw failure;
    }
    const seconds = (now() - started) / 1000;
    const summary = tally.summary({ job: jobDirectory, dry_run: options.dryRun ?? false, seconds });
    await books.close(summary);
    const reason = brake.reason();
    return reason ? { summary, stoppedBy: reason } : { summary };
  } finally {
    await source.close();
  }
}
