import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { JobDirectoryError } from '../../migration/model/errors.ts';
import { userResults } from '../../migration/model/outcome.ts';
import type { JobStatus } from '../../migration/records/job-status.ts';
import { formatCount } from '../../text/format-count.ts';
import { type ListedJob, type RecordedRun, readRuns } from '../config/runs-file.ts';
import type { CommandContext } from '../context/context.ts';
import { parseWholeNumber } from '../input/option-parsers.ts';
import { formatOf, say, show, warn } from '../output/show.ts';

const columns = ['time', 'kind', 'state', 'rows', 'done', 'target', 'directory'];

/** tenant-users runs */
export function addRuns(parent: Command, context: CommandContext): void {
  parent
    .command('runs')
    .description('List the imports and plans of this account on this machine, the latest first')
    .option('--limit <number>', 'show at most so many', parseWholeNumber, 20)
    .addHelpText(
      'after',
      `
Each job stands once, with how it stands now: running, finished, stopped, crashed, purged; planned, a
plan that was not applied; gone, its directory is not there. Times are in UTC. The list is a private
file of this account and names no user.

Examples:
  $ tenant-users runs
  $ tenant-users runs -o csv --limit 1000 > jobs.csv`,
    )
    .action(async ({ limit }) => {
      const { runs, broken } = readRuns(context);
      const jobs = new Map<string, { run: RecordedRun; runs: number }>();
      for (const run of runs) {
        const before = jobs.get(run.directory)?.runs ?? 0;
        // Behind those that were begun before.
        jobs.delete(run.directory);
        jobs.set(run.directory, { run, runs: before + 1 });
      }
      const latest = [...jobs.values()].reverse().slice(0, limit);
      const [{ readJobStatus }, { planFiles }] = await Promise.all([
        import('../../migration/records/job-status.ts'),
        import('../../migration/plan/plan-document.ts'),
      ]);
      const read = async (directory: string) => (await readJobStatus(directory, context.now)).status;
      const isPlan = (directory: string) => existsSync(join(directory, planFiles.plan));
      const listed: ListedJob[] = [];
      for (const job of latest) listed.push(await describe(job, read, isPlan));
      const isText = formatOf(context) === 'table' || formatOf(context) === 'csv';
      await show(context, {
        rows: isText ? listed.map(textOf) : listed,
        list: { name: 'jobs', rest: () => ({ total: jobs.size }) },
        columns,
        csvColumns: ['time', 'command', ...columns.slice(1), 'runs'],
        needed: ['time', 'state', 'directory'],
        whole: ['time', 'state'],
      });
      if (listed.length < jobs.size)
        say(context, `The latest ${listed.length} of ${formatCount(jobs.size, 'job')}: see --limit`);
      if (jobs.size === 0) say(context, 'There is no import and no plan yet');
      if (broken > 0) warn(context, `${formatCount(broken, 'line')} skipped: not of a list of runs`);
    });
}

/** As it stands in a table. */
function textOf({ time, target, ...job }: ListedJob) {
  return {
    ...job,
    time: time.slice(0, 19).replace('T', ' '),
    target: Object.values(target).join(' '),
  };
}

async function describe(
  { run, runs }: { run: RecordedRun; runs: number },
  read: (directory: string) => Promise<JobStatus>,
  isPlan: (directory: string) => boolean,
): Promise<ListedJob> {
  const { time, command, kind, rows, target, directory } = run;
  const recorded = { time, command, kind, runs, rows, target, directory, done: null };
  if (!existsSync(directory)) return { ...recorded, state: 'gone' };
  try {
    const status = await read(directory);
    const done = userResults.reduce((sum, result) => sum + (status[result] ?? 0), status.skipped);
    return { ...recorded, state: status.state, rows: status.rows, done };
  } catch (failure) {
    if (!(failure instanceof JobDirectoryError)) throw failure;
    return { ...recorded, state: command === 'plan' && isPlan(directory) ? 'planned' : 'unreadable' };
  }
}
