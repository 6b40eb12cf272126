import { Option } from '@commander-js/extra-typings';
import { formatCount } from '../../text/format-count.ts';
import type { AddCommand } from '../context/context.ts';
import { parseUtcTime, parseWholeNumber } from '../input/option-parsers.ts';
import { asTexts, sayLogState } from '../log/log-files.ts';
import { isBrief, isFlat, say, show, warn } from '../output/show.ts';

/** Commands that change users. With --csv, they are logged as runs under their name. */
const changing = ['create', 'update', 'ensure', 'disable', 'import-hashes', 'apply', 'undo', 'api'] as const;

const columns = ['time', 'command', 'outcome', 'user_id', 'changed', 'directory', 'profile', 'target'];

const help = `
Each change of a user is listed once, with its outcome: created, updated or disabled; sent (another
endpoint, by api); failed (the service refused it); unknown (no answer came); begun (it still runs, or
was cut off). A run of an import or a plan is finished or stopped; users.csv in its directory has the
users, and --user looks there and in users-1.csv and so on, too: it lists the runs that may have
changed the user, since the runs of a job share a list. The log holds no names, addresses or values. It is private to this
account, and the latest 40 MB are kept; TENANT_USERS_NO_LOG=1 turns it off. --profile, --base-url or
--local lists only what was changed in that tenant. Times are in UTC.

Examples:
  $ tenant-users log
  $ tenant-users log --since 2026-11-01 --command disable
  $ tenant-users --profile acme log --all
  $ tenant-users log --user 20220126153857263-A04D-60E0D446C --json
  $ tenant-users log --all -o csv > changes.csv`;

export const addLog: AddCommand = (parent, context) => {
  parent
    .command('log')
    .description('List what this account changed in tenants from this machine, the latest first')
    .option('--since <time>', 'from this time in UTC, yyyy-MM-dd [HH:mm:ss]', parseUtcTime)
    .option('--user <user-id>', 'only changes of this user, also by runs')
    .addOption(new Option('--command <name>', 'only changes by this command').choices(changing))
    .option('--limit <number>', 'show at most this many (default: 20)', parseWholeNumber)
    .addOption(new Option('--all', 'show all').conflicts('limit'))
    .addHelpText('after', help)
    .action(async ({ limit, all, ...filter }) => {
      const { listChanges } = await import('../log/list-changes.ts');
      const most = all ? Number.POSITIVE_INFINITY : (limit ?? 20);
      const unread = { lines: 0, runs: 0 };
      let [total, shown] = [0, 0];

      async function* pages(): AsyncGenerator<object[]> {
        for await (const changes of listChanges(context, filter, unread)) {
          const page = changes.slice(0, Math.max(most - shown, 0));
          total += changes.length;
          shown += page.length;
          const listed = isBrief(context) ? page.filter(({ user_id }) => user_id !== null) : page;
          yield isFlat(context) ? asTexts(listed) : listed;
        }
      }

      await show(context, {
        rows: pages(),
        list: { name: 'changes', rest: () => ({ total, unsearched_runs: unread.runs }) },
        columns,
        csvColumns: ['time', 'command', 'outcome', 'user_id', 'code', ...columns.slice(4), 'rows'],
        needed: ['time', 'outcome', 'user_id', 'command', 'directory', 'changed'],
        whole: ['time', 'outcome'],
        id: 'user_id',
      });
      if (shown < total)
        say(context, `The latest ${shown} of ${formatCount(total, 'change')}: see --limit and --all`);
      if (total === 0) {
        say(context, 'No changes match');
        const { otherKeyOf } = await import('./users/selection/finders.ts');
        const other = filter.user === undefined ? undefined : otherKeyOf(filter.user);
        if (other)
          say(
            context,
            `--user has not the form of a user id. If it is ${other.what}, tenant-users get ${other.finder} shows the id`,
          );
      }
      if (unread.runs > 0) {
        const runs = formatCount(unread.runs, 'run');
        const why = 'there is no users.csv of it, because it was removed, or the run did not end';
        warn(context, `${runs} not searched for the user: ${why}`);
      }
      sayLogState(context, unread.lines);
    });
};
