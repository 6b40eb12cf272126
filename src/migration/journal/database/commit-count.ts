import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { pathIn } from '../../directory/job-files.ts';
import { syncDirectory } from '../../directory/replace-file.ts';
import { userResults } from '../../model/outcome.ts';
import type { Summary } from '../../model/summary.ts';
import { damagedJournal, type JournalDatabase, resultsOfUsers } from './database.ts';
import { readFacts, storeFact } from './job-facts.ts';

/** The name of the file starts with that of the journal, so that copying `journal.db*` copies everything. */
const countFile = (directory: string) => pathIn(directory, 'journal.db-count');

/** The width never changes, so that writing needs no space on a full disk. */
const shown = (commits: number) => `${String(commits).padStart(15, '0')}\n`;

/** Returns the count in the file beside the journal; `undefined` if there is none. */
function besideJournal(directory: string): number | undefined {
  const path = countFile(directory);
  const commits = existsSync(path) ? Number(readFileSync(path, 'latin1')) : undefined;
  return Number.isNaN(commits) ? undefined : commits;
}

/** Throws a `JobDirectoryError` if a run made commits, but the journal is missing or empty. */
export function refuseLost(directory: string, fault: string): void {
  if (besideJournal(directory)) throw damagedJournal(directory, fault);
}

/**
 * Throws a `JobDirectoryError` if the journal has fewer commits than were made, if the file that counts them is missing after a run
 * that was cut off, or if the journal is older than the summary, as one from a backup is.
 */
export function requireWhole(directory: string, connection: JournalDatabase): void {
  const commits = readFacts(connection).commits;
  const made = besideJournal(directory);
  const lost =
    'its last run was cut off, and what it wrote last is lost: journal.db-wal is missing or too short';
  if ((made ?? 0) > (commits ?? 0)) throw damagedJournal(directory, lost);
  if (commits !== undefined && made === undefined)
    throw damagedJournal(directory, 'its last run was cut off, and journal.db-count is missing beside it');
  const users = ['outcomes', 'earlier']
    .map((table) => connection.count(`SELECT count(*) FROM ${table} WHERE result IN ${resultsOfUsers}`))
    .reduce((sum, found) => sum + found);
  const summarized = summarizedUsers(directory);
  if (users >= summarized || readFacts(connection).purged !== undefined) return;
  throw damagedJournal(
    directory,
    `it is older than summary.json: it has ${users} users, and that has ${summarized}`,
  );
}

/** Returns the number of users in summary.json; 0 if it is missing or not readable, because others may change that file. */
function summarizedUsers(directory: string): number {
  try {
    const summary: Partial<Summary> = JSON.parse(readFileSync(pathIn(directory, 'summary.json'), 'utf8'));
    return userResults.reduce((sum, result) => sum + (Number(summary[result]) || 0), 0);
  } catch {
    return 0;
  }
}

/** Resets the counts before the journal is archived or started over: they say nothing about what it will contain. */
export function forgetCommits(directory: string, connection?: JournalDatabase): void {
  if (besideJournal(directory) !== undefined) closeSync(openCount(directory, 0));
  connection?.exec(noCommits);
}

export function removeCommitCount(directory: string): void {
  rmSync(countFile(directory), { force: true });
}

export type CommitCount = ReturnType<typeof countCommits>;

/**
 * Counts the commits of the journal while a run uses it: in the journal, and after each commit in a file beside it. SQLite takes a
 * write-ahead log that was lost or cut off for one that had no more entries; the file then counts more than the journal.
 */
export function countCommits(directory: string, connection: JournalDatabase) {
  let commits = readFacts(connection).commits ?? 0;
  const file = openCount(directory, commits);
  let isOpen = true;
  /** Closes the file, but does not remove it. */
  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }
  return {
    /** Commits the open transaction, and counts it. */
    commit(): void {
      storeFact(connection, 'commits', commits + 1);
      connection.exec('COMMIT');
      commits += 1;
      writeSync(file, shown(commits), 0);
    },
    /** Removes both counts after a run that ended in good order: the journal is complete without them. */
    end(): void {
      writeSync(file, shown(0), 0);
      connection.exec(noCommits);
      close();
      removeCommitCount(directory);
    },
    close,
  };
}

const noCommits = "DELETE FROM job WHERE name = 'commits'";

/** Opens the file and writes this count; like the journal, it must still be there after a power failure. */
function openCount(directory: string, commits: number): number {
  const file = openSync(countFile(directory), constants.O_RDWR | constants.O_CREAT, 0o600);
  writeSync(file, shown(commits), 0);
  fsyncSync(file);
  syncDirectory(directory);
  return file;
}
