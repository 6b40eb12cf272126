import { existsSync } from 'node:fs';
import { type JobFileName, pathIn } from '../../migration/directory/job-files.ts';
import { isRunning } from '../../migration/directory/lock-directory.ts';
import { JobDirectoryError } from '../../migration/model/errors.ts';
import { type RowResult, userResults } from '../../migration/model/outcome.ts';
import { readJobStatus } from '../../migration/records/job-status.ts';
import type { CommandContext } from '../context/context.ts';
import { type Ended, type ListedJob, type RunBegun, readLog } from './read-log.ts';

/**
 * Lists up to `most` jobs of the log with their current state, the job with the latest run first, if they are selected. `broken`:
 * invalid lines.
 */
export async function listRuns(
  context: CommandContext,
  most: number,
  isSelected: (run: RunBegun) => boolean = () => true,
) {
  let broken = 0;
  const jobs = new Map<string, { run: RunBegun; ended: Ended | undefined; runs: number }>();
  for (const entries of readLog(context, () => (broken += 1))) {
    for (const { begun, ended } of entries) {
      if (!('directory' in begun) || !isSelected(begun)) continue;
      const known = jobs.get(begun.directory) ?? { run: begun, ended, runs: 0 };
      jobs.set(begun.directory, { ...known, runs: known.runs + 1 });
    }
  }
  const listed: ListedJob[] = [];
  for (const { run, ended, runs } of [...jobs.values()].slice(0, most)) {
    const { time, command, kind, rows, target, directory } = run;
    const recorded = { time, command, kind, runs, rows, target, directory, done: null };
    listed.push({ ...recorded, ...(await standingOf(run, ended, context.now)) });
  }
  return { listed, total: jobs.size, broken };
}

async function standingOf(
  { kind, directory }: RunBegun,
  ended: Ended | undefined,
  now: CommandContext['now'],
): Promise<Pick<ListedJob, 'state' | 'in_no_row'> & { rows?: number; done?: number }> {
  const has = (name: JobFileName) => existsSync(pathIn(directory, name));
  if (!existsSync(directory)) return { state: 'gone' };
  try {
    if (!has('journal.db') && has('running.lock')) {
      const { DatabaseSync } = await import('@photostructure/sqlite');
      if (isRunning(DatabaseSync, directory)) return { state: 'running' };
    }
    if (kind === 'comparison') return { state: has('summary.json') ? 'finished' : 'unreadable' };
    // A plan that changes nobody is not applied, and its run ends at once.
    if (kind === 'plan' && !has('journal.db') && has('plan.json'))
      return ended ? { state: 'finished', done: doneOf(ended.rows) } : { state: 'planned' };
    const { status } = await readJobStatus(directory, now);
    const { state, rows, in_no_row } = status;
    return { state, rows, ...(in_no_row === undefined ? {} : { in_no_row }), done: doneOf(status) };
  } catch (failure) {
    // Also of SQLite, for a lock that this account may not read.
    if (failure instanceof JobDirectoryError || (failure instanceof Error && 'sqliteCodeName' in failure))
      return { state: 'unreadable' };
    throw failure;
  }
}

/** Returns how many rows are users as the job wants them, or were to be left out. */
function doneOf(counts: { [Result in RowResult]?: number } = {}): number {
  return userResults.reduce((sum, result) => sum + (counts[result] ?? 0), counts.skipped ?? 0);
}
