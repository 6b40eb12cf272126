import type { Command } from '@commander-js/extra-typings';
import type { KeyField } from '../../../migration/actions/keys.ts';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { canAsk } from '../../context/context.ts';
import { keyFieldOption } from '../../input/run-options.ts';
import { recordChange } from '../../log/record-change.ts';
import { say, show } from '../../output/show.ts';
import { askKey } from './ask-user.ts';
import { addNewUserOptions, givenForOne, loginOf, valuesOf } from './new-user-options.ts';

/** tenant-users users ensure */
export function addUsersEnsure(parent: Command, context: CommandContext): void {
  const command = parent
    .command('ensure')
    .description('Create a user, or update what differs: running it twice changes nothing')
    .optionsGroup('Which user:')
    .addOption(keyFieldOption('any identifier'))
    .addHelpText(
      'after',
      `
Attributes that are not named stay as they are. Existing users are recognised as by plan; if the
identifiers belong to several users, nothing is changed. The password options are for a user who is
created: the API does not show passwords, and those of existing users stay. Without an identifier it
asks for one, on a terminal only.

Examples:
  $ tenant-users ensure --user-name ann --email ann@example.org --extension department=IT
  $ tenant-users ensure --data ann.json --key external_id --json | jq -r .action`,
    );
  addNewUserOptions(command);
  command.action(async () => {
    const isEmpty = !givenForOne(command).some(Boolean);
    const { key }: { key?: KeyField } = command.opts();
    const { ensureUser, hasKey, requireKey } = await import('./ensure-user.ts');
    const given = isEmpty && canAsk(context) ? {} : await valuesOf(context, command);
    const named = hasKey(given, key) || !canAsk(context) ? {} : await askKey(context, key);
    const { pwd_must_modify, ...row } = { ...given, ...named };
    requireKey(row, key);
    sayTarget(context);
    const client = await connect(context);
    const create = async () => {
      const login = await loginOf(context, command, row);
      const must = pwd_must_modify === undefined ? {} : { pwd_must_modify };
      const change = { command: 'ensure', outcome: 'created' } as const;
      return recordChange(context, change, () => client.createUser({ ...row, ...must, ...login }));
    };
    const ensured = await ensureUser(context, client, row, key, create);
    const { user_id, action, fields } = ensured;
    await show(context, {
      rows: [ensured],
      columns: ['user_id', 'action', ...(fields.length > 0 ? ['fields'] : [])],
      single: true,
      id: 'user_id',
    });
    say(context, `${user_id}: ${action}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`);
  });
}
