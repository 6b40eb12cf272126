import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathIn } from '../../../migration/directory/job-files.ts';
import type { UndoOptions } from '../../../migration/make-undo.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import { rememberedPace } from '../../config/pace-file.ts';
import { connect, runFacts, sayTarget } from '../../connection/connect.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { runOptions } from '../../input/run-options.ts';
import { recordRun } from '../../log/write-log.ts';
import { say } from '../../output/show.ts';
import { whileWriting } from '../../output/spinner.ts';
import { applyDirectory } from './apply.ts';
import { atMostOption } from './plan-options.ts';
import { nextOfPlan, requireDecided, sayPlan, sayReplaced, showPlan } from './show.ts';

const help = `
The API cannot delete users and cannot enable them again: an undo disables, there is no way back, and
user names, e-mail addresses and mobile numbers stay taken. Users who were there before the job are
never touched. Users who have logged in (usr_auth_times, usr_last_login) or were changed since are
left out, unless --with-active. An undo is a plan: it is made and shown, asks (--yes in a script), and
is applied; rerun the same command to resume. Exit codes: 0 all are disabled; 7 some were left out;
8 somebody logged in or was changed after the plan was made, or a limit was reached.

Examples:
  $ tenant-users undo legacy.csv.import --dry-run
  $ tenant-users undo legacy.csv.import`;

export const addUndo: AddCommand = (parent, context) => {
  parent
    .command('undo')
    .description('Disable exactly the users that a job created')
    .argument('<job>', 'job directory of an import, or plan directory that was applied')
    .optionsGroup('Undo:')
    .option('--with-active', 'also users who have logged in, or were changed, since')
    .option('--dry-run', 'make the plan and stop; apply carries it out')
    .addOption(atMostOption('no limit'))
    .addOption(runOptions.acceptDrift())
    .addOption(runOptions.maxFailures())
    .optionsGroup('Output:')
    .option('--to <directory>', 'for the plan (default: <job name>.undo)')
    .option('--with-values', 'put user names and external IDs into the plan')
    .optionsGroup('Speed:')
    .addOption(runOptions.concurrency())
    .addOption(runOptions.rate())
    .addOption(runOptions.window(context))
    .addHelpText('after', help)
    .action(async (job, { to = `${basename(resolve(job))}.undo`, dryRun, ...options }) => {
      const {
        withActive = false,
        withValues = false,
        atMost,
        acceptDrift,
        maxFailures,
        window,
        ...speed
      } = options;
      const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
      sayTarget(context);
      const isBegun = !dryRun && existsSync(pathIn(to, 'journal.db'));
      const what = { job, directory: to, withActive, withValues, limits: atMost, ...speed };
      const plan = await (isBegun ? requireSameUndo(readPlan(to), what) : planUndo(context, what));
      if (isBegun || (!dryRun && plan.totals.disable > 0)) {
        const apply = { jobDirectory: to, acceptDrift, maxFailures, window, ...speed };
        await applyDirectory(context, apply, 'undo');
      } else {
        await showPlan(context, plan);
        await sayPlan(context, plan);
        const next = `Nobody was disabled yet. ${nextOfPlan(to)}`;
        say(context, plan.totals.disable > 0 ? next : 'There are no users to disable.');
        await requireDecided(plan);
      }
    });
};

type UndoChoices = Omit<UndoOptions, keyof ReturnType<typeof runFacts> | 'pace'>;

async function planUndo(context: CommandContext, options: UndoChoices): Promise<Plan> {
  const { makeUndo } = await import('../../../migration/make-undo.ts');
  const { countActions, pendingPlan } = await import('../../../migration/plan/document/plan-document.ts');
  const held = pendingPlan(options.directory);
  const client = await connect(context, { connections: 64, isKnown: true });
  const facts = runFacts(context);
  const interrupted = `Interrupted: no plan was made in ${options.directory}; nobody was disabled`;
  const plan = await whileWriting(context, 'Reading the journal', interrupted, (report) =>
    makeUndo(client.withoutRetries(), {
      ...options,
      ...facts,
      pace: rememberedPace(context, facts.target)?.pace.likely,
      onStep: report,
    }),
  );
  sayReplaced(context, held);
  const run = { command: 'undo', directory: options.directory };
  const begun = { kind: 'plan', target: plan.target, rows: countActions(plan) } as const;
  const record = recordRun(context, run);
  record.begun(begun);
  if (plan.totals.disable === 0) record.ended({});
  return plan;
}

/**
 * Returns the plan of an undo that was begun, so that it is resumed. Throws a `UsageError` if the plan is of another undo, and a
 * `StoppedError` if it does more than the limits allow now.
 */
async function requireSameUndo(plan: Plan, { job, directory, withActive, withValues, limits }: UndoChoices) {
  const { requireWithinLimits } = await import('../../../migration/plan/action-limits.ts');
  const { isOtherJob } = await import('../../../migration/plan/undone-job.ts');
  const { undoes, with_values: hasValues } = plan;
  const isOther = undoes !== undefined && (await isOtherJob(undoes));
  const isSame = undoes?.job === resolve(job) && undoes.with_active === withActive && !isOther;
  // More values than are asked for now are no reason to refuse.
  if (isSame && (hasValues || !withValues)) {
    requireWithinLimits(plan.totals, limits, { users: plan.users, rows: plan.file.rows });
    return plan;
  }
  const active = `${undoes?.with_active ? 'with' : 'without'} --with-active`;
  const how = isSame ? 'without --with-values' : isOther ? 'as it was before it was started over' : active;
  throw new UsageError(
    `${directory}: it holds ${undoes ? `the undo of ${undoes.job}, ${how}` : 'another plan'}, which was begun`,
    isOther
      ? `Go on with that one (tenant-users apply ${quotePath(directory)}), or name another directory with --to.`
      : 'Go on with that one by its own command, or name another directory with --to.',
  );
}
