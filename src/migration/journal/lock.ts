import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { JobDirectoryError } from '../model/errors.ts';
import type { JournalDatabase } from './database.ts';

/**
 * Locks every other process out of the journal until this one ends, however it ends: the lock is the operating
 * system's. Throws a `JobDirectoryError` that names the run which has it. Returns what unlocks it.
 */
export function lockJournal(directory: string, connection: JournalDatabase, now: number): () => void {
  const owner = join(directory, 'running.json');
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    connection.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (failure) {
    if (!(failure instanceof Error && /locked|busy/.test(failure.message))) throw failure;
    throw new JobDirectoryError(
      directory,
      `in use by another import${runningThere(owner)}`,
      'Wait until it ends, or name another directory with --job.',
    );
  }
  const run = { pid: process.pid, host: hostname(), started_at: new Date(now).toISOString() };
  writeFileSync(owner, `${JSON.stringify(run)}\n`, { mode: 0o600 });
  return () => rmSync(owner, { force: true });
}

/** The first run writes this after it has the lock, so for a moment nothing is known of it. */
function runningThere(owner: string): string {
  try {
    const run: { pid?: number; host?: string; started_at?: string } = JSON.parse(readFileSync(owner, 'utf8'));
    return `: process ${Number(run.pid)} on ${String(run.host)}, since ${String(run.started_at)}`;
  } catch {
    return '';
  }
}
