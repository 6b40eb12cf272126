import { ApiError } from '../../../client/errors.ts';
import type { EndedSessions } from '../../../contract/administration.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import { changeLocalDatabase } from '../../connection/local-database.ts';
import { type AddCommand, canAsk } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { askText } from '../../input/prompts.ts';
import { say, showUnlessTable } from '../../output/show.ts';

const help = `
Sessions, tickets and the right to change a password end at once, access tokens within ten seconds. The
user can log in again, and the application can get a new token: see disable and apps revoke. A new
password and disabling a user end the sessions of the user without this command.

Examples:
  $ tenant-users sessions end ann
  $ tenant-users sessions end --app 5f2c1d0e9a8b7c6d5e4f3a2b --local tenant.db`;

export const addSessionsEnd: AddCommand = (parent, context) => {
  parent
    .command('end')
    .description('End the sessions of a user, or all that an application was given')
    .argument('[user]', 'user name, mobile number, e-mail address or user id')
    .option('--app <client-id>', 'end the access tokens of this application, and the sessions of its logins')
    .option('--tenant <id>', 'id of the tenant (not a file), required if the database has several tenants')
    .addHelpText('after', help)
    .action(async (given, { app, tenant }) => {
      const isAsked = given === undefined && app === undefined && canAsk(context);
      const user = isAsked ? await askText(context, { message: whose, instead: 'USER' }) : given;
      if ((user === undefined) === (app === undefined)) {
        const fault = user === undefined ? 'no user is given' : 'a user and --app cannot be used together';
        throw new UsageError(fault, 'Give a user, or --app CLIENT_ID.');
      }
      const ended = await changeLocalDatabase(
        context,
        { event: 'endSessions', factsOf },
        async (location) => {
          const { endSessionsOfApplication, endSessionsOfUser } = await import(
            '../../../service/admin/sessions.ts'
          );
          if (app !== undefined) return endSessionsOfApplication(location, tenant, app, context.now());
          const found = await endSessionsOfUser(location, tenant, user ?? '', context.now());
          if (found) return found;
          const { code, message } = errorCatalogue.userNotFound;
          throw new ApiError(code, message, 400);
        },
      );
      await showUnlessTable(context, ended, ['tenant_id', 'user_id', 'client_id', 'sessions', 'tokens']);
      const tokens = app === undefined ? '' : `, access tokens ended: ${ended.tokens}`;
      say(context, `Sessions ended: ${ended.sessions}${tokens}`);
    });
};

const whose = 'User name, mobile number, e-mail address or user id';

function factsOf({ tenant_id, user_id, client_id }: EndedSessions) {
  return {
    tenant: tenant_id,
    ...(user_id === null ? {} : { user_id }),
    ...(client_id === null ? {} : { application: client_id }),
  };
}
