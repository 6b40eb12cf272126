import { type Clock, systemClock } from '../client/retry.ts';
import type { Canary } from './canaries/read-canaries.ts';
import {
  type AlgorithmVerification,
  mergeVerifications,
  verifyCanaries,
} from './canaries/verify-canaries.ts';
import { type InputOptions, openInput } from './input/open-input.ts';
import type { Journal } from './journal/journal.ts';
import { openJournal } from './journal/open-journal.ts';
import { type EarlierRun, readResumedRun } from './journal/read-earlier-run.ts';
import type { Job } from './model/job.ts';
import type { Preview } from './model/preview.ts';
import { isOfShard, rowsOfShard, type Shard } from './model/shard.ts';
import type { Summary } from './model/summary.ts';
import type { RateSample } from './rate-limit/history.ts';
import type { Limits } from './rate-limit/limiter.ts';
import type { CommandLine } from './report/report-data.ts';
import { createTally, type Progress, summarize } from './report/summarize.ts';
import { writeResults } from './report/write-results.ts';
import type { Columns } from './rows/columns.ts';
import { createIssueCounter } from './rows/count-issues.ts';
import type { PreparedSource } from './rows/prepared-source.ts';
import { countedRows, countPreview } from './rows/preview-rows.ts';
import { type ValidatedRow, type ValidRow, validateRows } from './rows/validate-rows.ts';
import { createRunControl } from './send/call-api.ts';
import type { FailureLimit } from './send/circuit-breaker.ts';
import { importAndDisable } from './send/disable-created.ts';
import { holdRow } from './send/hold-row.ts';
import { holdBack, type ImportClient } from './send/import-row.ts';
import { createSelection } from './send/import-rows.ts';
import { createJobMemory } from './send/job-memory.ts';
import { runRows } from './send/run-rows.ts';

/** What an import needs to know. */
export interface ImportOptions extends Omit<InputOptions, 'signal'> {
  /** File of users. */
  file: string;
  /** Users whose passwords are known: a hash that does not match stops the run before anything is sent. */
  canaries?: { name: string; list: readonly Canary[] };
  /** Aborted: no more rows are read. */
  signal?: AbortSignal;
  /** Where the journal and the job records go; created when missing. */
  jobDirectory: string;
  /** The tenant, as far as the journal must know it again: base URL, client id. */
  target: Readonly<Record<string, string>>;
  /** Version of the program, for the report. */
  version: string;
  /** Most rows in flight; default `auto`: as many as work best. */
  concurrency?: number | 'auto';
  /** Most calls a second; without it a limit of the tenant is found. */
  rate?: number;
  /** Failed rows that are accepted; more stop the run. */
  maxFailures?: FailureLimit;
  /** Milliseconds after which the client gives a request up, so that it arrives by then or never; default 30,000. */
  requestTimeout?: number;
  /** Milliseconds without any answer after which the service counts as gone; default 30,000. */
  silenceLimit?: number;
  /** Check everything, send nothing. */
  dryRun?: boolean;
  /** Import one shard of the file only. */
  shard?: Shard;
  /** Archive the journal of an earlier run, and start over. */
  restart?: boolean;
  /** Retry what failed before; the file may have been corrected since. */
  onlyFailed?: boolean;
  /** A rehearsal: the tenant is a temporary one. */
  rehearsal?: boolean;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
  /** What the run waits by; default the system's clock. */
  clock?: Clock | undefined;
  /** Called once, when it is known how the file is read. */
  onSource?: (source: PreparedSource, columns: Columns) => void;
  /**
   * Called before the first row is sent, when all that can be checked has been; may wait for a person. What it throws ends
   * the run. Not called by a dry run. `isConsented`: an earlier run of the job was allowed as many users; all without this.
   * `done`: users that earlier runs have imported already.
   */
  onPreview?: (
    preview: Preview,
    canaries: readonly AlgorithmVerification[],
    earlier: { isConsented: boolean; done: number },
  ) => void | Promise<void>;
  /** Called once, when from now on rows may be sent. */
  onSending?: () => void;
  /** The command line, for the commands in the report. */
  command?: CommandLine;
  /** Called when outcomes have come. */
  onProgress?: (progress: Progress, limits: () => Limits) => void;
}

/** What an import came to. */
export interface ImportResult {
  summary: Summary;
  /** Why rows were left pending: the failure, or the reason of the signal. */
  stoppedBy?: Error;
  /** The history of the run, in 300 samples at most. */
  history: readonly RateSample[];
}

/**
 * Imports a file of users with hashed passwords: source → rows → checked users → journalled intent → outcomes → journal
 * → job records, each step an async iterable of the one before. The same call again resumes where the last one ended. A
 * refused row does not end the run. Rejects with a `SourceError` or a `JobDirectoryError`, or with the signal's reason,
 * as long as nothing was sent; later only with a `JobDirectoryError`, when journal or records cannot be written. A dry
 * run needs no client.
 */
export async function importUsers(
  client: ImportClient | undefined,
  options: ImportOptions,
): Promise<ImportResult> {
  const { file, concurrency = 'auto', now = Date.now } = options;
  if (concurrency !== 'auto' && !(concurrency >= 1)) throw new RangeError('concurrency must be at least 1');
  const started = now();
  const { source, columns } = await openInput(file, options);
  try {
    const verified = await verifyFile(source, columns, options);
    options.onSource?.(source, columns);
    const job = jobOf(source, columns, options);
    const earlier = await readResumedRun(job, options);
    const canaries = mergeVerifications(earlier?.canaries ?? [], verified ?? []);
    const preview = await previewFile(source, columns, earlier, options);
    if (preview) {
      const isConsented = preview.ready <= (earlier?.consent ?? -1);
      await options.onPreview?.(preview, canaries, { isConsented, done: earlier?.done ?? 0 });
    }
    const count = countPreview(columns, options.shard);
    const validated = await validateRows(source, columns);
    const rows = preview ? validated : countedRows(validated, count);
    const journal = await openJournal(options.jobDirectory, job, { ...options, now });
    // A clock may be set back.
    const seconds = () => Math.max(now() - started, 0) / 1000;
    try {
      if (canaries.length > 0) journal.set('canaries', canaries);
      // Stored only when the run goes on.
      journal.set('consent', preview?.ready ?? rowsOfShard(source.rows, options.shard));
      if (preview) journal.set('preview', preview);
      const { done, history, reason } = await importAll(client, rows, journal, source.rows, options);
      if (!preview) journal.set('preview', count.preview);
      const summary = summarize(journal, job, {
        job: options.jobDirectory,
        seconds: seconds(),
        done,
      });
      await writeResults(options.jobDirectory, journal, job, summary, {
        version: options.version,
        ...(options.command ? { command: options.command } : {}),
        startedAt: started,
        endedAt: now(),
        isStopped: reason !== undefined,
        samples: history,
      });
      return { summary, history, ...(reason ? { stoppedBy: reason } : {}) };
    } finally {
      journal.close(seconds());
    }
  } finally {
    await source.close();
  }
}

/** Verifies the hashes of the file by its canaries, in a reading of its own; `undefined` where there are none. */
async function verifyFile(source: PreparedSource, columns: Columns, { canaries, signal }: ImportOptions) {
  if (!canaries) return undefined;
  return verifyCanaries(await validateRows(source, columns), canaries.list, canaries.name, signal);
}

/** What the file would do: as an earlier run counted it, or in a reading of its own; `undefined` where nobody waits for it. */
async function previewFile(
  source: PreparedSource,
  columns: Columns,
  earlier: EarlierRun | undefined,
  { dryRun, onlyFailed, onPreview, shard, signal }: ImportOptions,
): Promise<Preview | undefined> {
  if (dryRun) return undefined;
  if (earlier?.preview && !onlyFailed) return earlier.preview;
  if (!onPreview) return undefined;
  const count = countPreview(columns, shard);
  for await (const _ of countedRows(await validateRows(source, columns), count)) signal?.throwIfAborted();
  return count.preview;
}

async function importAll(
  client: ImportClient | undefined,
  rows: AsyncGenerator<readonly ValidatedRow[], void>,
  journal: Journal,
  total: number,
  options: ImportOptions,
) {
  const { shard, dryRun, onProgress, clock = systemClock } = options;
  const tally = createTally(rowsOfShard(total, shard), journal.counts(), dryRun === true);
  const control = createRunControl({ ...options, clock });
  const isSending = client !== undefined && !dryRun;
  if (isSending) options.onSending?.();
  const { now = Date.now, requestTimeout = 30_000 } = options;
  const memory = createJobMemory(journal, client, control, { now, longest: requestTimeout });
  const importOne = isSending ? (row: ValidRow) => importAndDisable(client, row, control, memory) : holdBack;
  const held = (row: ValidRow) =>
    holdRow(row, { clock, now, longest: requestTimeout, signal: control.breaker.signal });
  const selection = createSelection(journal, shard, tally.takeOver);
  const issues = createIssueCounter();
  const select = (row: ValidatedRow) => {
    if (!row.user && isOfShard(row.row, shard)) issues.add(row);
    return selection(row);
  };
  const ended = await runRows(journal, control, tally, {
    rows,
    select,
    importOne,
    held,
    isSending,
    isWatched: (outcome) => !('isFromEarlierRun' in outcome),
    onProgress: () => onProgress?.(tally.progress(), control.limiter.limits),
  });
  journal.set('issues', issues.counts());
  return ended;
}

function jobOf(source: PreparedSource, { optionsDigest }: Columns, options: ImportOptions): Job {
  const { file, target, shard, dryRun, rehearsal } = options;
  return {
    kind: dryRun ? 'dry-run' : rehearsal ? 'rehearsal' : 'import',
    source: source.digest,
    file,
    rows: source.rows,
    optionsDigest,
    target,
    shard,
  };
}
