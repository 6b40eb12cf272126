import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JobDirectoryError } from '../model/errors.ts';
import { driftOf, type Job } from '../model/job.ts';
import type { Shard } from '../model/shard.ts';
import { journalName } from './archive.ts';
import { openJournalDatabase, unwritable } from './database.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './open-journal.ts';

/** A share of a file, with the directory that its journal is in. */
interface Share {
  directory: string;
  job: Job & { shard: Shard };
}

/**
 * Joins the journals of all shares of one file into a new one. Throws a `JobDirectoryError` when they are not the
 * shares of one job, one is missing, or one is still at work. The shares' own books stay as they are.
 */
export async function mergeJournals(
  directory: string,
  shares: readonly string[],
  now: () => number,
): Promise<{ journal: Journal; job: Job }> {
  const found: Share[] = [];
  for (const share of shares) found.push(await readShare(share));
  const [first] = found;
  if (!first) throw new JobDirectoryError(directory, 'no share was named');
  const whole: Job = { ...first.job, shard: undefined };
  for (const { directory: other, job } of found) {
    const drift = driftOf(whole, { ...job, shard: undefined });
    if (drift.length > 0) {
      throw new JobDirectoryError(
        other,
        `it is not of one job with ${first.directory}: ${drift.join('; ')}`,
        sharesOfOne,
      );
    }
  }
  requireAll(found);
  // Whole only when the last share is in: what is cut off before is no job to go on with.
  const journal = await openJournal(directory, { ...whole, kind: 'merge' }, { now });
  try {
    for (const share of found) takeIn(journal, share.directory);
    journal.setJob(whole);
  } catch (failure) {
    journal.close(0);
    throw failure;
  }
  return { journal, job: whole };
}

const sharesOfOne = 'Name the job directories of all shares of one import, each once.';

function takeIn(journal: Journal, directory: string): void {
  try {
    journal.attach(join(directory, journalName));
  } catch (failure) {
    throw unreadable(directory, failure);
  }
}

function unreadable(directory: string, failure: unknown): unknown {
  if (!(failure instanceof Error && 'sqliteCodeName' in failure)) return failure;
  if (!/locked|busy/.test(failure.message)) return unwritable(directory, failure);
  return new JobDirectoryError(directory, 'an import is still at work on it', 'Let it end first.');
}

async function readShare(directory: string): Promise<Share> {
  const path = join(directory, journalName);
  if (!existsSync(path))
    throw new JobDirectoryError(directory, 'there is no journal of an import in it', sharesOfOne);
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const connection = openJournalDatabase(DatabaseSync, path);
  try {
    const row = connection.prepare("SELECT value FROM job WHERE name = 'job'").get() as
      | { value: string }
      | undefined;
    if (!row) throw new JobDirectoryError(directory, 'its import was never begun', 'Run it first.');
    const job = JSON.parse(row.value) as Job;
    const { shard } = job;
    if (shard === undefined)
      throw new JobDirectoryError(directory, 'its job is a whole file, not a share of one', sharesOfOne);
    return { directory, job: { ...job, shard } };
  } catch (failure) {
    throw unreadable(directory, failure);
  } finally {
    connection.close();
  }
}

function requireAll(shares: readonly Share[]): void {
  const by = new Map<number, string>();
  for (const { directory, job } of shares) {
    const { index, of } = job.shard;
    const twin = by.get(index);
    if (twin !== undefined)
      throw new JobDirectoryError(directory, `it is the same share ${index}/${of} as ${twin}`, sharesOfOne);
    if (of !== shares[0]?.job.shard.of) {
      throw new JobDirectoryError(
        directory,
        `it is a share of ${of}, others are of ${shares[0]?.job.shard.of}`,
        sharesOfOne,
      );
    }
    by.set(index, directory);
  }
  const of = shares[0]?.job.shard.of ?? 0;
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !by.has(index));
  if (missing.length > 0) {
    const names = missing.map((index) => `${index}/${of}`).join(', ');
    throw new JobDirectoryError(
      shares[0]?.directory ?? '',
      `shares are missing: ${names}`,
      'Name all of them.',
    );
  }
}
