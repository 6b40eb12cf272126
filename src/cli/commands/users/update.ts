import type { Client } from '../../../client/client.ts';
import { connect, sayTarget } from '../../connection/connect.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { refusedOption } from '../../input/secret-options.ts';
import { recordChange } from '../../log/write-log.ts';
import { say } from '../../output/show.ts';
import { whileWorking } from '../../output/spinner.ts';
import { addBulkOptions, runBulk } from './bulk.ts';
import {
  addAttributeOptions,
  attributesOf,
  clearedBy,
  mergeValues,
  readData,
  unsetOption,
  updatable,
} from './input/attribute-input.ts';
import { findTargets } from './selection/find-targets.ts';
import { addFinders, adviseOnId, finderOf, type GivenFinder } from './selection/finders.ts';
import { showReference } from './show-user.ts';

const help = `
Several users can have the same external ID: --by-external-id reads every user, and refuses an ID
that does not name one person.

Examples:
  $ tenant-users update --by-user-name ann --email ann@example.org --extension age=43
  $ tenant-users update 20201028102749564-9082-DC8CD2722 --unset mobile,extension.age
  $ tenant-users update --csv departments.csv --key email`;

export const addUsersUpdate: AddCommand = (parent, context) => {
  const command = parent
    .command('update')
    .description('Update a user: only the attributes that you specify change')
    .argument('[user_id]', 'id of the user')
    .optionsGroup('Attributes:')
    .option('--data <file>', 'read attributes from a JSON file (- for standard input); flags take precedence')
    .addOption(unsetOption())
    .addHelpText('after', help);
  command.optionsGroup('Which user:');
  addFinders(command);
  for (const [flag, [fault, hint]] of Object.entries(refused))
    command.addOption(refusedOption(flag, fault, hint));
  command.optionsGroup('Attributes:');
  addAttributeOptions(command, updatable);
  addBulkOptions(context, command);
  command.action(async (userId, options) => {
    if (await runBulk(context, 'update', command)) return;
    const finder = finderOf(context, command, userId);
    const data = await readData(context, options.data, [...updatable, 'extension']);
    const changes = mergeValues(data, attributesOf(command), clearedBy(command));
    if (Object.keys(changes).length === 0) {
      throw new UsageError('no changes given', 'Specify an attribute, such as --email, or use --unset.');
    }
    sayTarget(context);
    const client = await connect(context);
    const user_id = userId ?? (await findId(context, client, await finder()));
    const change = { command: 'update', userId: user_id, outcome: 'updated' } as const;
    const updated = recordChange(context, change, () => client.updateUser(user_id, changes));
    await showReference(context, await (userId === undefined ? updated : adviseOnId(userId, updated)));
    say(context, 'Updated');
  });
};

async function findId(context: CommandContext, client: Client, finder: GivenFinder): Promise<string> {
  const [target] = await whileWorking(context, 'Looking up the user', (report) =>
    findTargets(client, [finder], report),
  );
  if (target?.user_id === undefined) throw target?.failure;
  return target.user_id;
}

const noState = [
  'an update can neither enable nor disable a user',
  'To disable one, see: tenant-users disable --help. The API has no way to enable a user again.',
] as const;

/** Options for values that the API cannot update, each with the error and the hint that it causes. */
const refused = {
  '--external-id': [
    'the API cannot change the external ID of a user',
    'It is set when the user is created. To find a user by it, use --by-external-id.',
  ],
  '--password': [
    'an update cannot change a password',
    'Users change it when they log in. To set one, where the tenant can do it: tenant-users api PUT users/USER_ID/change-password --data FILE',
  ],
  '--enable': noState,
  '--disabled': noState,
} as const;
