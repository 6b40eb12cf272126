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
import { type LookupOptions, lookupOf } from './find.ts';

interface DisableOptions extends LookupOptions {
  from?: string;
}

/** tenant-users users disable */
export function addUsersDisable(parent: Command, session: CommandContext): void {
  parent
    .command('disable')
    .description('Disable users; the API has no way back')
    .argument('[user_ids...]', 'ids of users')
    .option('--username <name>', 'find by user name')
    .option('--email <address>', 'find by e-mail address')
    .option('--mobile <number>', 'find by mobile number')
    .option('--external-id <id>', 'find by ID in a third-party system')
    .option('--from <file>', 'ids one a line, from a file or - for standard input')
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users disable 20201028102749564-9082-DC8CD2722
  $ tenant-users disable --from leavers.txt --yes --json`,
    )
    .action(async (userIds, options) => {
      const client = await connect(session);
      const targets = await targetsOf(session, client, userIds, options);
      const whom = targets.length === 1 ? 'this user' : `these ${targets.length} users`;
      const question = `Disable ${whom}? The API has no way to enable again.`;
      if (!(await confirm(session, question, () => describeTargets(session, client, targets)))) {
        throw new UsageError('nothing was disabled', 'Answer y to go on, or use --yes.');
      }
      // From here on an interrupt comes between two users, so that what was done is told.
      session.endsItself = true;
      const results: Outcome[] = [];
      for (const user_id of targets) {
        if (session.signal.aborted) break;
        results.push(await disableOne(client, user_id));
      }
      await show(session, {
        rows: results.map(({ exitCode: _, ...result }) => result),
        list: { name: 'results' },
        columns: ['user_id', 'ok', 'error.message'],
      });
      const failed = results.filter(({ ok }) => !ok);
      say(session, `${results.length - failed.length} of ${targets.length} disabled`);
      session.signal.throwIfAborted();
      if (failed.length > 0) {
        const only = results.length === 1 ? failed[0]?.exitCode : undefined;
        throw new ReportedError(only ?? exitCodes.partlyDone);
      }
    });
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

async function targetsOf(
  session: CommandContext,
  client: Client,
  userIds: string[],
  options: DisableOptions,
) {
  const { from, ...lookup } = options;
  const listed =
    from === undefined ? [] : (await readText(session, from)).split(/\r?\n/).map((line) => line.trim());
  const ids = [...userIds, ...listed.filter((line) => line !== '')];
  if (ids.includes('')) throw new UsageError('a user id is empty', 'Is a variable of the shell not set?');
  if (from !== undefined && ids.length === 0) {
    throw new UsageError(`there is no user id in ${nameOf(from)}`, 'Write one a line.');
  }
  if (ids.length > 0 && Object.keys(lookup).length === 0) return ids;
  const find = lookupOf(ids[0], lookup, '--username, --email, --mobile, --external-id, --from');
  return [(await find(client)).user_id];
}

/** More than these are counted only. */
const mostNamed = 5;

/** Lines that say where, and of whom, something is about to be done: the first few users by id and name. */
async function describeTargets(
  session: CommandContext,
  client: Client,
  targets: readonly string[],
): Promise<string> {
  const named = await Promise.all(targets.slice(0, mostNamed).map((id) => describe(client, id)));
  const rest = targets.length - named.length;
  const lines = [...named, ...(rest > 0 ? [`… and ${rest} more`] : [])];
  return `${tenantOf(session)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function tenantOf(session: CommandContext): string {
  const { local, baseUrl, profileName, profile } = readSettings(session);
  const where = local ? embeddedService(local.value) : (baseUrl?.value ?? '');
  const isProfiles = profile && (local ?? baseUrl)?.origin === 'profile';
  return `On ${where}${isProfiles ? `, profile ${JSON.stringify(profileName.value)}` : ''}:`;
}

/** A user who cannot be found is told as such: disabling will say so too. */
async function describe(client: Client, id: string): Promise<string> {
  try {
    const { user_name, name } = await client.getUser(id);
    return [id, user_name, name].filter(Boolean).join('  ');
  } catch (failure) {
    const { describeError } = await import('../../errors/describe-error.ts');
    return `${id}  (${describeError(failure).message})`;
  }
}
