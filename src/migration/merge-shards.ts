import { resolve } from 'node:path';
import { quotePath, takeOptions, withOptions } from '../text/shell-quote.ts';
import { type AlgorithmVerification, mergeVerifications } from './canaries/verify-canaries.ts';
import { pathIn } from './directory/job-files.ts';
import { readFacts } from './journal/database/job-facts.ts';
import type { Journal } from './journal/journal.ts';
import { openJournal } from './journal/open-journal.ts';
import { openJob, unreadable } from './journal/reading/open-job.ts';
import { marksOf } from './journal/resume.ts';
import { JobDirectoryError } from './model/errors.ts';
import { type CommandLine, driftOf, isFromElsewhere, type Job } from './model/job.ts';
import { mergePreviews } from './model/preview.ts';
import { nameOfShard } from './model/shard.ts';
import type { CanaryLogins, Summary } from './model/summary.ts';
import { writeResults } from './report/write-results.ts';
import { sumIssues } from './rows/issues/count-issues.ts';

/** The job of a shard, and the directory that its journal is in. */
type ShardJob = Awaited<ReturnType<typeof readShardJob>>;

/**
 * Merges the job records of all shards of a file into those of the whole file, in a new directory; those of the shards are not changed.
 * Rejects with a `JobDirectoryError`, also if they are not the shards of one job, or if one is missing or still running. `version`: of
 * the program. `now`: epoch milliseconds. `onJob`: called when the merged journal is open. The command goes on with the merged job;
 * `undefined` if that of the first shard is not known.
 */
export async function mergeShards(
  shards: readonly string[],
  directory: string,
  version: string,
  now: () => number = Date.now,
  onJob?: (job: Job) => void,
): Promise<{ summary: Summary; command: CommandLine | undefined }> {
  const startedAt = now();
  const found: ShardJob[] = [];
  for (const shard of shards) found.push(await readShardJob(shard, now));
  const [first] = found;
  if (!first) throw new JobDirectoryError(directory, 'no shard was named');
  const whole: Job = { ...first.job, shard: undefined };
  for (const { directory: other, job } of found) {
    const drift = driftOf(whole, { ...job, shard: undefined });
    if (drift.length > 0)
      throw refuse(other, `it does not belong to the same job as ${first.directory}: ${drift.join('; ')}`);
  }
  requireAll(found);
  // The kind keeps an interrupted merge from being resumed as an import; the job is stored once its records are written.
  const journal = await openJournal(directory, { ...whole, kind: 'merge' }, { now, onJob });
  try {
    for (const shard of found) attach(journal, shard);
    const preview = mergePreviews(found.flatMap(({ facts }) => facts.preview ?? []));
    journal.set('preview', preview);
    journal.set('consent', preview.ready);
    journal.set('request_timeout', Math.max(...found.map(({ facts }) => facts.request_timeout ?? 0)));
    const firstCreated = found.flatMap(({ facts }) => facts.first_created ?? []);
    if (firstCreated.length > 0) journal.set('first_created', firstCreated);
    const verified = found.reduce<AlgorithmVerification[]>(
      (all, { facts }) => mergeVerifications(facts.canaries ?? [], all),
      [],
    );
    if (verified.length > 0) journal.set('canaries', verified);
    const ramp = sumRamps(found.flatMap(({ facts }) => facts.ramp ?? []));
    if (ramp) journal.set('ramp', ramp);
    // A job of which a part was undone must not be resumed.
    const undone = found.filter(({ facts }) => facts.undone !== undefined);
    for (const name of ['undone', 'undone_by'] as const) {
      const fact = undone[0]?.facts[name];
      if (fact !== undefined) journal.set(name, fact);
    }
    if (undone.length > 0 && undone.length < found.length)
      journal.set(
        'undone_shards',
        undone.map(({ job }) => nameOfShard(job.shard)),
      );
    journal.set('issues', sumIssues(found.flatMap(({ facts }) => facts.issues ?? [])));
    const isProved = ramp?.logins === 'accepted' && !found.some(hasUntriedCanaries);
    if (first.facts.command) journal.set('command', commandOfWhole(first.facts.command, directory, isProved));
    const { command } = journal.facts();
    const facts = { version, startedAt, endedAt: now(), shards: shards.length, command };
    const summary = await writeResults(directory, journal, whole, facts);
    journal.set('job', whole);
    return { summary, command };
  } finally {
    journal.close(0);
  }
}

/**
 * The command line that goes on with the merged job: that of a shard, without its part and its directory. `isProved`: the canaries
 * of all shards logged in to the tenant. Then it has no ramp, which would try them again, as the fingerprints by which a job knows
 * them are under the key of each shard: people who have changed their passwords since could not log in.
 */
function commandOfWhole(command: CommandLine, directory: string, isProved: boolean): CommandLine {
  const ofShard = { '--shard': true, '--job': true, ...(isProved ? ramping : {}) };
  const { kept } = takeOptions(command.words, ofShard);
  const whole = isFromElsewhere(command) ? resolve(directory) : directory;
  return { ...command, words: withOptions(kept, ['--job', quotePath(whole)]) };
}

const ramping = { '--ramp': true };

/** True for a shard that was to try canaries on the tenant, and has not. */
function hasUntriedCanaries({ facts: { ramp, command } }: ShardJob): boolean {
  const { taken } = takeOptions(command?.words ?? [], ramping);
  return ramp === undefined && taken.flat().join().includes('canaries');
}

/** The canaries of all shards; their logins are accepted only if those of every shard that tried some were. */
function sumRamps(ramps: readonly CanaryLogins[]): CanaryLogins | undefined {
  const tried = ramps.filter(({ canaries }) => canaries > 0);
  const shown = tried.find(({ logins }) => logins !== 'accepted') ?? tried[0] ?? ramps[0];
  if (!shown) return undefined;
  const notTried = ramps.flatMap(({ not_tried: lines = [] }) => lines);
  return {
    canaries: tried.reduce((sum, { canaries }) => sum + canaries, 0),
    logins: shown.logins,
    ...(notTried.length > 0 ? { not_tried: notTried } : {}),
  };
}

const allShards = 'Name the job directories of all shards of one import, each once.';

const refuse = (directory: string, fault: string) => new JobDirectoryError(directory, fault, allShards);

function attach(journal: Journal, { directory, marks }: ShardJob): void {
  try {
    journal.attach(pathIn(directory, 'journal.db'), marks);
  } catch (failure) {
    throw unreadable(directory, failure);
  }
}

async function readShardJob(directory: string, now: () => number) {
  const { job, connection } = await openJob(directory, { hint: allShards });
  try {
    const { shard } = job;
    if (shard === undefined) throw refuse(directory, 'its job is a whole file, not a shard');
    return {
      directory,
      job: { ...job, shard },
      facts: readFacts(connection),
      marks: marksOf(connection, job, now),
    };
  } catch (failure) {
    throw unreadable(directory, failure);
  } finally {
    connection.close();
  }
}

function requireAll(shards: readonly ShardJob[]): void {
  const by = new Map<number, string>();
  for (const { directory, job } of shards) {
    const { index, of } = job.shard;
    const twin = by.get(index);
    if (twin !== undefined) throw refuse(directory, `it is the same shard ${index}/${of} as ${twin}`);
    const others = shards[0]?.job.shard.of;
    if (of !== others) throw refuse(directory, `it is one of ${of} shards, others are one of ${others}`);
    by.set(index, directory);
  }
  const of = shards[0]?.job.shard.of ?? 0;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !by.has(index));
  if (missing.length > 0) {
    const names = missing.map((index) => `${index}/${of}`).join(', ');
    throw refuse(shards[0]?.directory ?? '', `shards are missing: ${names}`);
  }
}
