import type { Canary } from './canaries/read-canaries.ts';
import {
  type AlgorithmVerification,
  countCanaries,
  mergeVerifications,
  requireFirst,
  verifyCanaries,
} from './canaries/verify-canaries.ts';
import { carryOver } from './carry-over/carry-over.ts';
import { openTrial, previewRun, type RunPreview, type Trial } from './carry-over/trial.ts';
import { orStop, refuseRunning } from './directory/lock-directory.ts';
import { type ImportedRunOptions, importRows } from './import-rows.ts';
import { type InputOptions, type OpenInput, openInput } from './input/open-input.ts';
import { nextArchive } from './journal/archive.ts';
import { otherJob } from './journal/database/lock.ts';
import { refuseUndone } from './journal/reading/open-job.ts';
import { refuseOtherImport } from './journal/refuse-other-job.ts';
import { driftOf, isRealJob, type Job } from './model/job.ts';
import { isOfShard, rowsOfShard, type Shard } from './model/shard.ts';
import { type JobOptions, type JobResult, type JobRun, openRun, timeToAsk } from './open-run.ts';
import type { TenantReader } from './owners/list-owners.ts';
import { type LiveCheck, openLiveCheck } from './owners/live-check.ts';
import { type EarlierRun, readEarlierRun, resumedRun } from './records/read-earlier-run.ts';
import type { Columns } from './rows/columns.ts';
import { createIssueCounter } from './rows/issues/count-issues.ts';
import { refuseOwnList } from './rows/own-lists.ts';
import type { PreparedSource } from './rows/prepared-source.ts';
import { countedRows, countPreview, withIgnored } from './rows/preview-rows.ts';
import { type ValidRow, validateRows } from './rows/validate-rows.ts';
import { createRunControl } from './send/call-api.ts';
import type { ImportClient } from './send/import-row.ts';

export interface ImportOptions
  extends Omit<InputOptions, 'signal'>,
    JobOptions,
    Omit<ImportedRunOptions, 'mode' | 'liveCheck'> {
  /** Path of the file of users. */
  file: string;
  /** The file as `openInput` has opened it with these options; closed by the import. */
  opened?: OpenInput | undefined;
  /** For a dry run: the tenant in which users are looked up; nothing is written to it. */
  reader?: TenantReader | undefined;
  /** A rehearsal: the tenant is a temporary one. */
  rehearsal?: boolean;
  /** Called once, when it is known how the file is read. */
  onSource?: (source: PreparedSource, columns: Columns) => void;
  /**
   * Called before the first row is sent, after all checks; may wait for a person. What it throws ends the run. Not called in a dry
   * run. A run without this callback is allowed all rows.
   */
  onPreview?:
    | ((
        preview: RunPreview,
        canaries: readonly AlgorithmVerification[],
        earlier: EarlierConsent,
      ) => void | Promise<void>)
    | undefined;
}

/** What the earlier runs of a job mean for the consent to this one. */
export interface EarlierConsent {
  /** An earlier run was allowed as many users; but not if there is a `drift`. */
  isConsented: boolean;
  /** What differs from the last run, in words; empty unless rows that no run has sent follow, or more users than agreed to. */
  drift: readonly string[];
  /** Number of rows that have no outcome yet. */
  unsent: number;
  /** At most so many of them may have been sent. */
  unanswered: number;
  /** Users that earlier runs have already imported. */
  done: number;
  /** The earlier run of a job whose journal is archived, and the name of that then; `undefined` if none is. */
  archived: (EarlierRun & { journal: string }) | undefined;
}

/**
 * Imports a file of users with hashed passwords: source → rows → checked users → journalled intent → outcomes → journal → job
 * records, each step an async iterable over the one before. The same call again resumes where the last one ended. A rejected row
 * does not end the run. While nothing has been sent, rejects with a `SourceError`, a `JobDirectoryError` or the signal's reason;
 * later only with a `JobDirectoryError`, if the journal or the records cannot be written. A dry run needs no client.
 */
export async function importUsers(
  client: ImportClient | undefined,
  options: ImportOptions,
): Promise<JobResult> {
  const { file, concurrency = 'auto', now = Date.now } = options;
  if (concurrency !== 'auto' && !(concurrency >= 1)) throw new RangeError('concurrency must be at least 1');
  let started = now();
  await refuseRunning(options.jobDirectory, `${orStop}${otherJob}`);
  const { source, columns } = options.opened ?? (await openInput(file, options));
  let liveCheck: LiveCheck | undefined;
  let trial: Trial | undefined;
  let run: JobRun | undefined;
  try {
    const job = jobOf(source, columns, options);
    const stored = await readEarlierRun(options.jobDirectory);
    const earlier = options.mode === 'restart' ? undefined : resumedRun(stored, job, options.mode);
    const { canaries: list, mode, jobDirectory: directory, signal } = options;
    const known = list && (await verifyCanaries({ source, columns }, list, signal));
    const canaryRows = known && ofShard(known, options.shard);
    if (options.shard) requireFirst(canaryRows, options, canaryOfShard(options.shard));
    refuseOwnList(source, true);
    options.onSource?.(source, columns);
    refuseOtherImport(stored, job, options);
    if (mode !== 'only unanswered') refuseUndone(directory, job.kind, earlier);
    const corrected = () => ({
      ...{ job, directory, signal, now, rows: validateRows(source, columns) },
      acceptsChangedKeys: columns.accepted.has('KEY_CHANGED'),
    });
    const isTried = known !== undefined || (mode === 'only failed' && options.onPreview !== undefined);
    if (earlier && isTried && isRealJob(job.kind)) trial = await openTrial(corrected());
    const counted = await previewFile(source, columns, job, earlier, { ...options, trial });
    const proven = [...(known?.values() ?? [])].filter((row) => trial?.canLogIn(row) ?? true);
    const verified = await countCanaries({ source, columns }, proven, signal);
    trial?.close();
    const canaries = mergeVerifications(earlier?.canaries ?? [], verified);
    const preview = counted?.whole;
    if (counted && preview) {
      const { unsent = 0, unanswered = 0, done = 0, created = 0, consent = -1 } = earlier ?? {};
      // Other users than those who were agreed to.
      const { ready: sent = 0 } = counted.sent ?? {};
      const isMore = sent > 0 && created + sent > consent;
      const drift = earlier && (unsent > 0 || isMore) ? driftOf(earlier.job, job) : [];
      const isConsented = drift.length === 0 && preview.ready <= consent;
      const isArchived = options.mode === 'restart' && isRealJob(stored?.job.kind);
      const archived =
        isArchived && stored ? { ...stored, journal: nextArchive(options.jobDirectory) } : undefined;
      const before = { isConsented, drift, unsent, unanswered, done, archived };
      started += await timeToAsk(now, () => options.onPreview?.(counted, canaries, before));
    }
    if (options.reader) {
      const file = { rows: source.rows, columns, shard: options.shard };
      liveCheck = await openLiveCheck(options.reader, createRunControl(options), file);
    }
    const validated = validateRows(source, columns);
    const decided = liveCheck?.decide(validated) ?? validated;
    const count = countPreview(columns, options.shard, liveCheck?.isNew);
    const rows = preview ? decided : countedRows(decided, count);
    run = await openRun(client, job, started, {
      ...{ ...options, runsSeen: mode === 'restart' ? undefined : (stored?.runs ?? 0) },
      carryOver: (connection, before) => carryOver(connection, before, corrected()),
    });
    const { journal } = run;
    if (canaries.length > 0) journal.set('canaries', canaries);
    // Stored only now, when the run goes on.
    journal.set('consent', preview?.ready ?? rowsOfShard(source.rows, options.shard));
    if (preview) journal.set('preview', preview);
    if (liveCheck) journal.set('asked', liveCheck.asked);
    const issues = createIssueCounter();
    const sent = await run.send({
      ...importRows(client, run, issues, { ...options, liveCheck }),
      ...{ rows, canaries: canaryRows, toSend: preview?.ready },
    });
    if (!preview) journal.set('preview', count.preview);
    if (liveCheck?.copies()) journal.set('copies', liveCheck.copies());
    if (liveCheck?.sharedIds()) journal.set('shared_external_ids', liveCheck.sharedIds());
    journal.set('issues', issues.counts());
    const ended = await run.complete(sent);
    const stoppedBy = ended.stoppedBy ?? liveCheck?.failure();
    return stoppedBy ? { ...ended, stoppedBy } : ended;
  } finally {
    trial?.close();
    run?.close();
    liveCheck?.close();
    await source.close();
  }
}

function ofShard(known: ReadonlyMap<Canary, ValidRow>, shard: Shard | undefined) {
  return new Map([...known].filter(([, { row }]) => isOfShard(row, shard)));
}

function canaryOfShard({ index, of }: Shard) {
  const rows = [0, 1, 2].map((at) => index + at * of).join(', ');
  const which = `Name one whose row is in this shard (row ${rows} and so on)`;
  return { where: `in a row of the shard ${index}/${of}`, which };
}

/** Returns the preview of the run, from an earlier run or a separate pass; `undefined` if nothing needs it. */
async function previewFile(
  source: PreparedSource,
  columns: Columns,
  job: Job,
  earlier: EarlierRun | undefined,
  { dryRun, mode, onPreview, signal, trial }: ImportOptions & { trial: Trial | undefined },
): Promise<RunPreview | undefined> {
  if (dryRun) return undefined;
  signal?.throwIfAborted();
  if (earlier?.preview && mode !== 'only failed') return { whole: withIgnored(earlier.preview, columns) };
  if (!onPreview && !trial?.isCorrected) return undefined;
  const how = { columns, shard: job.shard, signal };
  return previewRun(validateRows(source, columns), how, mode === 'only failed' ? trial : undefined);
}

function jobOf(source: PreparedSource, { optionsDigest }: Columns, options: ImportOptions): Job {
  const { file, target, shard, dryRun, rehearsal } = options;
  return {
    kind: dryRun ? 'dry-run' : rehearsal ? 'rehearsal' : 'import',
    source: source.digest,
    file,
    rows: source.rows,
    optionsDigest,
    ...(source.recipe ? { recipe: { name: source.recipe.name, digest: source.recipe.digest } } : {}),
    ...(source.recipe?.open ? { open: source.recipe.open } : {}),
    target,
    shard,
  };
}
