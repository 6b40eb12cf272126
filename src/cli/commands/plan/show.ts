import { Option } from '@commander-js/extra-typings';
import {
  changingKinds,
  type KeptField,
  keptReasons,
  type PlannedKind,
  plannedKinds,
  type ReasonCode,
} from '../../../migration/actions/reasons.ts';
import { mostFrequent } from '../../../migration/model/most-frequent.ts';
import type { ActionLine, Plan } from '../../../migration/plan/document/plan-schemas.ts';
import { formatCount } from '../../../text/format-count.ts';
import { fromHere } from '../../../text/locations/from-here.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { ReportedError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { countColumns, formatOf, isFlat, say, show, warn } from '../../output/show.ts';

const help = `
The totals come with the first actions of each kind, by row, user id and field. --action lists all;
values are there only where the plan was made --with-values.

Examples:
  $ tenant-users plan show legacy.csv.plan
  $ tenant-users plan show legacy.csv.plan --action update
  $ tenant-users plan show legacy.csv.plan --action cannot -o csv > reset-these.csv`;

export const addPlanShow: AddCommand = (parent, context) => {
  parent
    .command('show')
    .description('Show the totals of a plan, or its actions')
    .argument('<directory>', 'plan directory')
    .addOption(new Option('--action <kind>', 'list the actions of this kind').choices(plannedKinds))
    .addHelpText('after', help)
    .action(async (directory: string, { action }: { action?: PlannedKind }) => {
      const { countActions, readPlan } = await import('../../../migration/plan/document/plan-document.ts');
      const { checkActions, inPages, readActions } = await import(
        '../../../migration/plan/document/action-lines.ts'
      );
      const plan = readPlan(directory);
      await checkActions(directory, plan.actions);
      if (action === undefined) {
        await showPlan(context, plan);
        await sayPlan(context, plan);
        await saySamples(context, plan, readActions(directory, plan.actions));
        return;
      }
      const isConflict = action === 'conflict' && !plan.undoes;
      const who = isConflict ? 'owners' : 'user_id';
      const names = plan.with_values ? ['user_name'] : [];
      const isText = !['json', 'jsonl'].includes(formatOf(context));
      await show(context, {
        rows: inPages(linesOfKind(readActions(directory, plan.actions), action, isText)),
        list: { name: 'actions' },
        columns: ['row', 'reason', who, 'fields', ...names, ...(isConflict ? ['earlier_user_id'] : [])],
      });
      const all = formatCount(countActions(plan), plan.undoes ? 'user' : 'action');
      const { updates_in_part: inPart = 0 } = plan;
      const more = action === 'cannot' && inPart > 0 ? `, and ${formatCount(inPart)} in part` : '';
      say(context, `${formatCount(plan.totals[action])} of ${all}: ${action}${more}`);
      if (action === 'disable' && plan.options.update !== null)
        say(
          context,
          'A user who is disabled is not updated by the same plan: fields names what differs. A further plan with --update changes it.',
        );
    });
};

/**
 * Yields the actions of one kind; as `cannot` also the updates that leave a field as it is, with these fields. `isText`: joins the
 * user ids of a row's owners to one text.
 */
async function* linesOfKind(lines: AsyncGenerator<ActionLine, void>, kind: string, isText: boolean) {
  for await (const line of lines) {
    const { action, unchangeable: left = [] } = line;
    const isPart = kind === 'cannot' && action === 'update' && left.length > 0;
    if (action !== kind && !isPart) continue;
    const owners = isText ? line.owners?.map(({ userId }) => userId).join(' ') : line.owners;
    const kept = left.find((field) => Object.hasOwn(keptReasons, field)) as KeptField | undefined;
    const reason: ReasonCode = kept ? keptReasons[kept] : 'EXTERNAL_ID';
    const fields = isPart ? left : line.fields;
    yield {
      ...line,
      ...(isPart ? { reason } : {}),
      fields: fields?.join(' ') ?? '',
      ...(owners === undefined ? {} : { owners }),
    };
  }
}

/** Number of actions of each kind that are shown beside the totals. */
const mostSamples = 3;

/** Says of the first actions of each kind whom and which fields they change, but no values. */
async function saySamples(
  context: CommandContext,
  { totals }: Plan,
  lines: AsyncGenerator<ActionLine, void>,
): Promise<void> {
  if (context.options.quiet || context.options.json) return;
  const left = new Map<PlannedKind, number>(
    changingKinds.map((kind) => [kind, Math.min(totals[kind], mostSamples)]),
  );
  for await (const { action, row, user_id: id, ...line } of lines) {
    if ([...left.values()].every((count) => count === 0)) return;
    const count = left.get(action) ?? 0;
    if (count === 0) continue;
    left.set(action, count - 1);
    const user = id === undefined ? '' : `user ${id}`;
    // The fields of another action are those that differ, and nothing writes them.
    const fields = action === 'update' ? (line.fields ?? []) : [];
    const who = row === null ? user : [`row ${row}`, user && ` (${user})`].join('');
    say(context, `For example: ${action} ${who}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`);
  }
}

/** Prints the totals of a plan; as JSON the whole document. */
export async function showPlan(context: CommandContext, plan: Plan): Promise<void> {
  await show(context, {
    rows: [isFlat(context) && !context.options.columns ? plan.totals : plan],
    columns: countColumns(context, [plan.totals], plannedKinds, ['skipped']),
  });
}

export async function sayPlan(context: CommandContext, plan: Plan): Promise<void> {
  const { reasons, asked, forecast, since } = plan;
  const why = Object.entries(reasons).map(([reason, rows]) => `${reason} (${formatCount(rows)})`);
  say(context, `Tenant asked by ${asked}`);
  if (why.length > 0) say(context, `Reasons: ${why.join(', ')}`);
  const changed = mostFrequent(plan.fields ?? {}).map(([field, rows]) => `${field} (${formatCount(rows)})`);
  if (changed.length > 0) say(context, `Fields that change: ${changed.join(', ')}`);
  if (since) {
    const gone = `${since.nameless === undefined ? '' : 'at most '}${formatCount(since.vanished, 'user')}`;
    say(
      context,
      `Since ${fromHere(since.job)}: ${formatCount(since.unchanged, 'row')} unchanged, ${gone} no longer in the file`,
    );
  }
  if (forecast.requests > 0) {
    const { seconds } = forecast;
    const time =
      seconds >= 10 ? `, about ${formatCount(seconds)} s at the pace of the last run into the tenant` : '';
    say(context, `To apply: ${formatCount(forecast.requests, 'request')} or more${time}`);
  }
  const { noticesOfPlan } = await import('../../../migration/plan/document/notices.ts');
  for (const { text, isWarning } of noticesOfPlan(plan)) (isWarning ? warn : say)(context, text);
}

/** Says that a plan replaces the one that its directory held before. */
export function sayReplaced(context: CommandContext, held: Plan | undefined): void {
  if (held) say(context, `It replaces the plan of ${held.made_at}, which was not applied.`);
}

/** The commands to run after a plan was made. */
export function nextOfPlan(directory: string): string {
  const plan = quotePath(directory);
  return `Next:\n  tenant-users plan show ${plan}\n  tenant-users apply ${plan}`;
}

/** Throws a `ReportedError` (exit code 7) if a row or a user has no action, or only a part of it, or may be missing. */
export async function requireDecided(plan: Plan): Promise<void> {
  const { isDecided } = await import('../../../migration/plan/document/notices.ts');
  if (!isDecided(plan)) throw new ReportedError(exitCodes.partlyDone);
}
