import { formatCount } from '../../text/format-count.ts';
import { fromHere } from '../../text/locations/from-here.ts';
import type { AddCommand } from '../context/context.ts';
import { parseWholeNumber } from '../input/option-parsers.ts';
import { asTexts, sayLogState } from '../log/log-files.ts';
import { ofSelectedTenant } from '../log/of-selected-tenant.ts';
import { formatOf, isFlat, say, show } from '../output/show.ts';

const columns = ['time', 'kind', 'state', 'rows', 'in_no_row', 'done', 'target', 'directory'];

const help = `
Each job is listed once, with its state now: running, finished, stopped, crashed, purged; planned (a
plan that was not applied); unreadable (its records are missing or damaged); gone (its directory is
missing). In a table, directories below the current one are relative to it. Times are in UTC.
--profile, --base-url or --local lists only the jobs of that tenant. The list comes from the log
(tenant-users log --help).

Examples:
  $ tenant-users runs
  $ tenant-users runs -o csv --limit 1000 > jobs.csv`;

export const addRuns: AddCommand = (parent, context) => {
  parent
    .command('runs')
    .description('List the imports, plans and comparisons of this account on this machine, the latest first')
    .option('--limit <number>', 'show at most this many', parseWholeNumber, 20)
    .addHelpText('after', help)
    .action(async ({ limit }) => {
      const { listRuns } = await import('../log/list-runs.ts');
      const { listed, total, broken } = await listRuns(context, limit, ofSelectedTenant(context));
      const shown = formatOf(context) === 'table' ? fromHere : (directory: string) => directory;
      await show(context, {
        rows: isFlat(context)
          ? asTexts(listed.map((job) => ({ ...job, directory: shown(job.directory) })))
          : listed,
        list: { name: 'jobs', rest: () => ({ total }) },
        columns: columns.filter(
          (name) => name !== 'in_no_row' || listed.some((job) => job.in_no_row !== undefined),
        ),
        csvColumns: ['time', 'command', ...columns.slice(1), 'runs'],
        needed: ['time', 'state', 'directory'],
        whole: ['time', 'state', 'directory'],
      });
      if (listed.length < total)
        say(context, `The latest ${listed.length} of ${formatCount(total, 'job')}: see --limit`);
      if (total === 0) say(context, 'There are no imports, plans or comparisons yet');
      sayLogState(context, broken);
    });
};
