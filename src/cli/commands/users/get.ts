import { connect } from '../../connection/connect.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, showRecord } from '../../output/show.ts';
import { addFinders, finderOf, findGiven, listByExternalId } from './selection/finders.ts';
import { allColumns, extensionKeys, shownUser } from './show-user.ts';

const help = `
Without a user it asks for one, on a terminal only. Several users can have the same external ID:
--by-external-id shows one of them, and list --where external_id=ID all.

Examples:
  $ tenant-users get 20201028102749564-9082-DC8CD2722
  $ tenant-users get --by-email ann@example.com --json | jq -r .user_id`;

export const addUsersGet: AddCommand = (parent, context) => {
  const command = parent
    .command('get')
    .description('Show one user')
    .argument('[user_id]', 'id of the user')
    .addHelpText('after', help)
    .action(async (userId) => {
      const finder = finderOf(context, command, userId);
      const client = await connect(context);
      const given = await finder();
      const user = await findGiven(client, given);
      await showRecord(context, shownUser(user), allColumns(extensionKeys([user])), 'user_id');
      // A look-up answers with one user, and does not say whether there are others.
      if (given.field === 'external_id')
        say(context, `Other users can have this external ID as well. All: ${listByExternalId(given.given)}`);
    });
  addFinders(command);
};
