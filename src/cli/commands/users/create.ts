import type { Command } from '@commander-js/extra-typings';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { say, show } from '../../output/show.ts';
import { addBulkOptions, runBulk } from './bulk.ts';
import { addNewUserOptions, givenForOne, loginOf, valuesOf } from './new-user-options.ts';
import { userReference } from './show-user.ts';

/** tenant-users users create */
export function addUsersCreate(parent: Command, context: CommandContext): void {
  const command = parent
    .command('create')
    .description('Create a user')
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users create --user-name ann --email ann@example.com --password-prompt
  $ tenant-users create --data ann.json --extension age=42 --no-must-modify
  $ tenant-users create --csv newcomers.csv`,
    );
  addNewUserOptions(command);
  addBulkOptions(command);
  command.action(async () => {
    if (await runBulk(context, 'create', command, givenForOne(command))) return;
    const values = await valuesOf(context, command);
    const login = await loginOf(context, command);
    sayTarget(context);
    const client = await connect(context);
    const created = await client.createUser({ ...values, ...login });
    await show(context, userReference(created));
    say(context, login.pwd === undefined ? 'Created without a password' : 'Created');
  });
}
