import { basename } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { changingKinds } from '../../../migration/actions/reasons.ts';
import { pathIn } from '../../../migration/directory/job-files.ts';
import { undoneUsers } from '../../../migration/model/shard.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import { formatCount } from '../../../text/format-count.ts';
import { fromHere } from '../../../text/locations/from-here.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { addFileOptions, readFileOptions } from '../../input/file-options.ts';
import { runOptions } from '../../input/run-options.ts';
import { say, sayFile, warn } from '../../output/show.ts';
import { decideFile } from './decide-file.ts';
import { addPlanDiff } from './diff.ts';
import { atMostOption, parseUpdate, readUpdate, sameOptionsAs } from './plan-options.ts';
import { addPlanShow, nextOfPlan, requireDecided, sayPlan, showPlan } from './show.ts';
import { addPlanSign, addPlanVerify } from './signature.ts';

const help = `
Asks the tenant about every row, by a complete listing or by look-ups, and says which and why. The
plan is a directory: plan.json, actions.jsonl and plan.html hold no personal data unless
--with-values; plan.key, which tells values apart, stays with you. Look at it (plan show), have it
approved (plan sign), and apply it exactly as it is (apply). Exit codes: 0 every row has an action;
7 some are in conflict, impossible, only in part possible or invalid; 8 more actions of a kind than allowed; 10 the tenant
could not be listed completely.

Examples:
  $ tenant-users plan legacy.csv
  $ tenant-users plan delta.csv --key external_id --update email,mobile
  $ tenant-users plan staff.csv --disable-missing --at-most disable=25 --to friday`;

export const addPlan: AddCommand = (parent, context) => {
  const command = addFileOptions(
    parent
      .command('plan')
      .description('Decide an action for each row against the live tenant; nothing is written')
      .argument('<file>', 'file, as import-hashes reads it'),
  )
    .optionsGroup('Actions:')
    .option(
      '--update [fields]',
      'update fields of existing users: these, such as name,email, or all',
      parseUpdate,
    )
    .option('--disable-missing', 'disable users who are not in the file')
    .addOption(
      new Option('--disable-all', 'disable the users of all rows: the file lists who leaves').conflicts([
        'disableMissing',
        'update',
        'only',
        'since',
      ]),
    )
    .addOption(
      new Option('--only <action>', 'make no other changes')
        .choices(changingKinds)
        .conflicts('disableMissing'),
    )
    .option('--since <directory>', 'only what changed since the file of this job')
    .addOption(runOptions.key('all identifiers and the name'))
    .addOption(atMostOption('disable=10%'))
    .addOption(runOptions.allowPasswordless())
    .addOption(runOptions.foreignHashes())
    .addOption(runOptions.accept())
    .optionsGroup('Output:')
    .option('--to <directory>', 'for the plan (default: <file name>.plan)')
    .option('--with-values', 'put user names, external IDs and changed values into the plan')
    .optionsGroup('Speed:')
    .addOption(runOptions.concurrency())
    .addOption(runOptions.rate())
    .addHelpText('after', help)
    .action(async (file, { to = `${basename(file)}.plan`, key, update, atMost = [], ...given }) => {
      const fields = readUpdate(update);
      const { disableMissing, disableAll, withValues, concurrency, rate, since, ...others } = given;
      const { only = disableAll ? 'disable' : undefined, ...reads } = others;
      const { key: hmacKey, ...reading } = await readFileOptions(context, reads);
      const plan = await decideFile(context, 'plan', {
        file,
        directory: to,
        reading,
        key: hmacKey,
        concurrency,
        rate,
        disableMissing,
        since,
        only,
        disableAll,
        withValues,
        limits: atMost,
        by: key,
        update: fields,
      });
      await showPlan(context, plan);
      await sayPlan(context, plan);
      if (plan.since) await warnOfUndo(context, fromHere(plan.since.job));
      if (plan.since && plan.since.unchanged === 0) await warnOfOtherFile(context, plan, plan.since);
      if (plan.since?.nameless !== undefined) {
        const rows = formatCount(plan.since.nameless, 'row');
        warn(
          context,
          `users no longer in the file are not listed: ${rows}, invalid or KEY_CHANGED, may be about some of them. Correct the file, and make the plan again`,
        );
      } else if (plan.since && plan.since.vanished > 0) {
        const left = disableMissing ? '' : ', whom the plan leaves alone';
        sayFile(context, `Users no longer in the file${left}:`, pathIn(to, 'vanished.csv'));
      }
      sayFile(context, 'Plan:', pathIn(to, 'plan.html'));
      const isChanging = changingKinds.some((kind) => plan.totals[kind] > 0);
      if (!isChanging && plan.since)
        say(
          context,
          'It changes nobody. Apply it all the same: the next --since can name only an applied plan.',
        );
      if (isChanging || plan.since) say(context, nextOfPlan(to));
      await requireDecided(plan);
    });
  addPlanShow(command, context);
  addPlanDiff(command, context);
  addPlanSign(command, context);
  addPlanVerify(command, context);
};

/** Warns if the users of the earlier job were disabled since: rows that count as unchanged are these users. */
async function warnOfUndo(context: CommandContext, directory: string): Promise<void> {
  const { readJobStatus } = await import('../../../migration/records/job-status.ts');
  const { undone_at: undone, undone_shards: shards } = (await readJobStatus(directory, context.now)).status;
  if (undone) warn(context, `${directory}: ${undoneUsers(shards)} were disabled by an undo at ${undone}`);
}

/**
 * Warns that no row is unchanged: most likely, options for reading the file were forgotten, or it is another file. If it was read as
 * that of the earlier job and has its users, rows differ because what was sent for them did, such as before a correction.
 */
async function warnOfOtherFile(
  context: CommandContext,
  { mapping }: Pick<Plan, 'mapping'>,
  { job: directory, vanished }: NonNullable<Plan['since']>,
): Promise<void> {
  const { readJobStatus } = await import('../../../migration/records/job-status.ts');
  const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
  const known = await readJobStatus(directory, context.now);
  const { kind, optionsDigest } = known.job;
  const isSame = mapping === (kind === 'plan' ? readPlan(directory).mapping : optionsDigest);
  if (isSame && vanished === 0) return;
  const [more, advice] = isSame
    ? [', and users of it are not in this one', 'check that this is the right file']
    : ['', await sameOptionsAs(known)];
  warn(
    context,
    `every row differs from the file of ${fromHere(directory)}${more}. If that is not expected, ${advice}`,
  );
}
