import type { Command } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import { readSettings } from '../../config/settings.ts';
import { connect } from '../../connection/connect.ts';
import { embeddedService } from '../../connection/embedded-service.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Description } from '../../errors/describe-error.ts';
import { ReportedError, UsageError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../input/prompts.ts';
import { nameOf, readText } from '../../input/read-input.ts';
import { say, show } from '../../output/show.ts';
import { addFinders, finderOf, hasFinder } from './finders.ts';

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
Examples:
  $ tenant-users disable 20201028102749564-9082-DC8CD2722
  $ tenant-users disable --from leavers.txt --yes --json`,
    )
    .action(async (userIds, { from }) => {
      const client = await connect(context);
      const ids = await idsOf(context, userIds, from);
      const targets =
        ids.length > 0 && !hasFinder(command)
          ? ids
          : [(await finderOf(command, ids[0], ['--from'])(client)).user_id];
      const whom = targets.length === 1 ? 'this user' : `these ${targets.length} users`;
      const question = `Disable ${whom}? The API cannot enable a user again.`;
      if (!(await confirm(context, question, () => describeTargets(context, client, targets)))) {
        throw new UsageError('nothing was disabled', 'Answer y to continue, or use --yes.');
      }
      // From here on an interrupt comes between two users, so that what was done is reported.
      context.handlesSignals = true;
      const results: Outcome[] = [];
      for (const user_id of targets) {
        if (context.signal.aborted) break;
        results.push(await disableOne(client, user_id));
      }
      await show(context, {
        rows: results.map(({ exitCode: _, ...result }) => result),
        list: { name: 'results' },
        columns: ['user_id', 'ok', 'error.message'],
      });
      const failed = results.filter(({ ok }) => !ok);
      say(context, `${results.length - failed.length} of ${targets.length} disabled`);
      context.signal.throwIfAborted();
      if (failed.length > 0) {
        const only = results.length === 1 ? failed[0]?.exitCode : undefined;
        throw new ReportedError(only ?? exitCodes.partlyDone);
      }
    });
  addFinders(command);
}

interface Outcome {
  user_id: string;
  ok: boolean;
  error?: Omit<Description, 'exitCode'>;
  exitCode?: number;
}

async function disableOne(client: Client, user_id: string): Promise<Outcome> {
  try {
    await client.disableUser(user_id);
    return { user_id, ok: true };
  } catch (failure) {
    const { describeError } = await import('../../errors/describe-error.ts');
    const { exitCode, ...error } = describeError(failure);
    return { user_id, ok: false, error, exitCode };
  }
}

/** The user ids of the command line and of the file. */
async function idsOf(
  context: CommandContext,
  userIds: readonly string[],
  from: string | undefined,
): Promise<string[]> {
  const listed =
    from === undefined ? [] : (await readText(context, from)).split(/\r?\n/).map((line) => line.trim());
  const ids = [...userIds, ...listed.filter((line) => line !== '')];
  if (ids.includes('')) throw new UsageError('a user id is empty', 'Is a shell variable unset?');
  if (from !== undefined && ids.length === 0) {
    throw new UsageError(`${nameOf(from)} has no user ids`, 'Write one id per line.');
  }
  return ids;
}

/** More than these are counted only. */
const mostNamed = 5;

/** Lines that say where, and of whom, something is about to be done: the first few users by id and name. */
async function describeTargets(
  context: CommandContext,
  client: Client,
  targets: readonly string[],
): Promise<string> {
  const named = await Promise.all(targets.slice(0, mostNamed).map((id) => describe(client, id)));
  const rest = targets.length - named.length;
  const lines = [...named, ...(rest > 0 ? [`… and ${rest} more`] : [])];
  return `${tenantOf(context)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function tenantOf(context: CommandContext): string {
  const { local, baseUrl, profileName, profile } = readSettings(context);
  const where = local ? embeddedService(local.value) : (baseUrl?.value ?? '');
  const isProfiles = profile && (local ?? baseUrl)?.origin === 'profile';
  return `On ${where}${isProfiles ? `, profile ${JSON.stringify(profileName.value)}` : ''}:`;
}

/** A user who cannot be found is listed with the error that disabling will report. */
async function describe(client: Client, id: string): Promise<string> {
  try {
    const { user_name, name } = await client.getUser(id);
    return [id, user_name, name].filter(Boolean).join('  ');
  } catch (failure) {
    const { describeError } = await import('../../errors/describe-error.ts');
    return `${id}  (${describeError(failure).message})`;
  }
}
