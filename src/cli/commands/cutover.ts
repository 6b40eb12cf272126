import { systemClock, waitOrAbort } from '../../client/retry.ts';
import type { CutoverLook } from '../../migration/cohort/cutover-look.ts';
import { StoppedError } from '../../migration/model/errors.ts';
import type { ProgressStep } from '../../migration/model/progress-step.ts';
import { formatCount } from '../../text/format-count.ts';
import { connect, runFacts } from '../connection/connect.ts';
import type { AddCommand, CommandContext } from '../context/context.ts';
import { parseNumberBetween } from '../input/option-parsers.ts';
import { runOptions } from '../input/run-options.ts';
import { targetOf } from '../output/result-file.ts';
import { countColumns, formatOf, say, sayFile, show, warn } from '../output/show.ts';
import { whileWaiting } from '../output/spinner.ts';

const longestPause = 86_400;

const help = `
Counts the users that the job created: logged in at least once (usr_auth_times, usr_last_login), never,
or disabled. When the users with one algorithm log in far less than all others, their hashes may not
work: exit code 8. All looks at a job count as one watch, kept in cutover.json in the job directory,
which names nobody; at most one watch in a hundred raises a false alarm, however long it lasts. With
--watch it looks until the alarm or Ctrl-C (exit code 130, as for every command). The list of
--dormant has names and addresses; only its owner can read it. It replaces an earlier list only.

Examples:
  $ tenant-users cutover legacy.csv.import
  $ tenant-users cutover legacy.csv.import --watch 60
  $ tenant-users cutover legacy.csv.import --dormant write-to-these.csv`;

export const addCutover: AddCommand = (parent, context) => {
  parent
    .command('cutover')
    .description('Show who of the imported users has logged in, by hash algorithm')
    .argument('<job>', 'job directory of an import, or plan directory that was applied')
    .option('--watch <seconds>', 'look again after this many seconds', parseNumberBetween(1, longestPause))
    .option('--dormant <file>', 'write those who have never logged in to a CSV file')
    .optionsGroup('Speed:')
    .addOption(runOptions.concurrency())
    .addOption(runOptions.rate())
    .addHelpText('after', help)
    .action(async (job, { watch, dormant, ...speed }) => {
      const { dormantHeader, openCutover } = await import('../../migration/watch-cutover.ts');
      const own = { begin: `${dormantHeader.join(',')}\n`, what: 'list' } as const;
      const target = () =>
        dormant === undefined ? undefined : targetOf(context, '--dormant', dormant, { own });
      // Before the tenant is read; and again before each writing, since the file may have been replaced.
      target();
      const client = await connect(context, { connections: 64, isKnown: true });
      let step: ProgressStep = { what: 'Reading the journal' };
      const cutover = await openCutover(client.withoutRetries(), {
        job,
        ...speed,
        ...runFacts(context),
        onStep: (next) => {
          step = next;
        },
      });
      const lookOnce = async () => {
        const look = await whileWaiting(context, () => step, cutover.look());
        await showLook(context, job, look);
        const list = target();
        if (dormant !== undefined && list !== undefined) {
          const who = formatCount(await cutover.writeDormant(list), 'user');
          sayFile(context, `Never logged in: ${who}, in`, dormant);
        }
        requireInLine(look);
      };
      try {
        await lookOnce();
        if (watch !== undefined) await lookAgain(context, watch, lookOnce);
      } finally {
        cutover.close();
      }
    });
};

/** Looks again and again until a signal or a failure ends it. A look that fails, but can succeed later, does not end the watch. */
async function lookAgain(context: CommandContext, seconds: number, look: () => Promise<void>): Promise<void> {
  const { describeError } = await import('../errors/describe-error.ts');
  const { clock = systemClock, signal } = context;
  context.handlesSignals = true;
  while (!signal.aborted) {
    try {
      await waitOrAbort(seconds * 1000, clock, signal);
      await look();
    } catch (failure) {
      if (signal.aborted) break;
      const { retryable, message } = describeError(failure);
      if (!retryable) throw failure;
      warn(context, `This look failed: ${message}`);
    }
  }
  say(context, 'The watch ended.');
  signal.throwIfAborted();
}

const columns = ['algorithm', 'created', 'logged_in', 'never', 'disabled', 'gone', 'percent', 'out_of_line'];

async function showLook(context: CommandContext, job: string, look: CutoverLook): Promise<void> {
  const { algorithms, ...rest } = look;
  await show(context, {
    rows: algorithms.map((one) =>
      // Otherwise a table would have a line without a name.
      one.algorithm === null && formatOf(context) === 'table' ? { ...one, algorithm: 'no password' } : one,
    ),
    list: { name: 'algorithms', rest: () => ({ job, ...rest }) },
    columns: countColumns(context, algorithms, columns, ['gone']),
    needed: ['algorithm', 'logged_in', 'never', 'out_of_line'],
  });
  const sum = (name: 'created' | 'logged_in' | 'never') =>
    algorithms.reduce((all, counts) => all + counts[name], 0);
  say(
    context,
    `${look.at}${look.shard === undefined ? '' : `, only shard ${look.shard} of the file`}: ${formatCount(sum('logged_in'))} of ${formatCount(sum('created'), 'user')} logged in, ${formatCount(sum('never'))} never`,
  );
  if (sum('created') === 0) say(context, 'The job created nobody.');
  else if (sum('logged_in') === 0)
    say(context, 'No login is known yet: a tenant that does not count logins (usr_auth_times) shows none.');
  else if (algorithms.every(({ evidence }) => evidence === null))
    say(context, 'All passwords have one algorithm: there is nothing to compare it with.');
  if (look.unresolved > 0) {
    const rows = formatCount(look.unresolved, 'row');
    warn(
      context,
      `At most ${rows} of the job may have been sent and have no answer: run the import, or apply of the plan, again with --only unanswered, which sends nothing.`,
    );
  }
}

function requireInLine({ algorithms }: CutoverLook): void {
  const behind = algorithms.filter(({ out_of_line }) => out_of_line);
  if (behind.length === 0) return;
  const names = behind.map(
    ({ algorithm, logged_in: now, created }) =>
      `${algorithm ?? ''} (${formatCount(now)} of ${formatCount(created)} logged in)`,
  );
  throw new StoppedError(
    'OUT_OF_LINE',
    `the users with ${names.join(' and ')} log in far less than all others`,
    'Their hashes may not work, or these people are far less active. Try a password that you know of one of them:\n  tenant-users hash verify --csv FILE --by-user-name NAME',
  );
}
