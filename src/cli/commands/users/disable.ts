import type { Command } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import { connect } from '../../connection/connect.ts';
import { sayTarget, targetTenant } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Description } from '../../errors/describe-error.ts';
import { ReportedError, UsageError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { canAsk, confirm } from '../../input/prompts.ts';
import { say, show } from '../../output/show.ts';
import { findTargets, readUserIds, type Target } from './disable-targets.ts';
import { addFinders, adviceOnId, adviseOnId, finderFlags, givenFinders } from './finders.ts';

/** tenant-users users disable */
export function addUsersDisable(parent: Command, context: CommandContext): void {
  const command = parent
    .command('disable')
    .description('Disable users; the API cannot enable them again')
    .argument('[user_ids...]', 'user ids')
    .option('--from <file>', 'read user ids from a file, one per line (- for standard input)')
    .addHelpText(
      'after',
      `
Takes any number of ids and finders. On a terminal it lists the users that were found and asks once;
who is not found is reported, exit code 7.

Examples:
  $ tenant-users disable 20201028102749564-9082-DC8CD2722
  $ tenant-users disable --by-email ann@example.com --by-email bob@example.com
  $ tenant-users disable --from leavers.txt --yes --json`,
    )
    .action(async (userIds, { from }) => {
      const finders = givenFinders(command);
      if (userIds.length === 0 && from === undefined && finders.length === 0) {
        throw new UsageError('no user is given', `Give a USER_ID or one of ${finderFlags}, --from.`);
      }
      const ids = await readUserIds(context, userIds, from);
      sayTarget(context);
      const client = await connect(context);
      const isAsked = canAsk(context) && !context.options.yes;
      const targets = await findTargets(client, ids, finders, isAsked);
      const found = targets.filter(({ failure }) => failure === undefined);
      const whom = found.length === 1 ? 'this user' : `these ${found.length} users`;
      const question = `Disable ${whom}? The API cannot enable a user again.`;
      if (
        found.length > 0 &&
        !(await confirm(context, question, async () => describeTargets(context, found)))
      ) {
        throw new UsageError('nothing was disabled', 'Answer y to continue, or use --yes.');
      }
      // From here on an interrupt comes between two users, so that what was done is reported.
      context.handlesSignals = true;
      const results: Outcome[] = [];
      for (const target of targets) {
        if (context.signal.aborted) break;
        results.push(await disableOne(client, target));
      }
      await show(context, {
        rows: results.map(({ exitCode: _, ...result }) => result),
        list: { name: 'results' },
        columns: [...(finders.length > 0 ? ['given'] : []), 'user_id', 'ok', 'error.message'],
      });
      const failed = results.filter(({ ok }) => !ok);
      say(context, `${results.length - failed.length} of ${targets.length} disabled`);
      for (const advice of new Set(failed.flatMap(adviceOn))) say(context, advice);
      context.signal.throwIfAborted();
      if (failed.length > 0) {
        const only = results.length === 1 ? failed[0]?.exitCode : undefined;
        throw new ReportedError(only ?? exitCodes.partlyDone);
      }
    });
  addFinders(command, { repeatable: true });
}

interface Outcome {
  user_id: string | null;
  given?: string;
  ok: boolean;
  error?: Omit<Description, 'exitCode'>;
  exitCode?: number;
}

/** Which finder was probably meant, where an id that nobody has does not look like one. */
function adviceOn({ user_id, error }: Outcome): string[] {
  const isUnknown = user_id !== null && error?.code === errorCatalogue.userNotFound.code;
  return isUnknown ? [adviceOnId(user_id) ?? []].flat() : [];
}

async function disableOne(client: Client, { user_id, given, failure }: Target): Promise<Outcome> {
  const named = { user_id: user_id ?? null, ...(given === undefined ? {} : { given }) };
  try {
    if (failure !== undefined) throw failure;
    if (user_id !== undefined) await adviseOnId(user_id, client.disableUser(user_id));
    return { ...named, ok: true };
  } catch (cause) {
    const { describeError } = await import('../../errors/describe-error.ts');
    const { exitCode, ...error } = describeError(cause);
    return { ...named, ok: false, error, exitCode };
  }
}

/** Lines that say of whom something is about to be done; and where, if the line about the target was silent. */
function describeTargets(context: CommandContext, targets: readonly Target[]): string {
  const { json, quiet } = context.options;
  const where = json || quiet ? `Target: ${targetTenant(context).description}\n` : '';
  const lines = targets.map(({ user_id, user }) => [user_id, user?.user_name, user?.name]);
  return `${where}${lines.map((line) => `  ${line.filter(Boolean).join('  ')}\n`).join('')}`;
}
