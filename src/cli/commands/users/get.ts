import type { Command } from '@commander-js/extra-typings';
import { connect } from '../../connection/connect.ts';
import type { CommandContext } from '../../context/context.ts';
import { show } from '../../output/show.ts';
import { lookupOf } from './find.ts';
import { singleUser } from './show-user.ts';

/** tenant-users users get */
export function addUsersGet(parent: Command, session: CommandContext): void {
  parent
    .command('get')
    .description('Show one user')
    .argument('[user_id]', 'id of the user')
    .option('--username <name>', 'find by user name')
    .option('--email <address>', 'find by e-mail address')
    .option('--mobile <number>', 'find by mobile number, such as 86-15200000000')
    .option('--external-id <id>', 'find by ID in a third-party system')
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users get 20201028102749564-9082-DC8CD2722
  $ tenant-users get --email ann@example.com --json | jq -r .user_id`,
    )
    .action(async (userId, options) => {
      const find = lookupOf(userId, options, '--username, --email, --mobile, --external-id');
      await show(session, singleUser(await find(await connect(session))));
    });
}
