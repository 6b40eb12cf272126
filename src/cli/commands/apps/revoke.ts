import { changeLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, showUnlessTable } from '../../output/show.ts';
import { appColumns, recordedApplication } from './describe-application.ts';

const help = `
A serve that is running gives it no more tokens at once, and rejects those it has within ten seconds.
The sessions of users who logged in with it end, too. If serve is started with its id in
TENANT_USERS_CLIENT_ID, remove the variable: otherwise the next start takes the id again. If the tenant
has no other application, run apps create first: otherwise the next start makes one.

Example:
  $ tenant-users apps revoke 5f2c1d0e9a8b7c6d5e4f3a2b`;

export const addAppsRevoke: AddCommand = (parent, context) => {
  parent
    .command('revoke')
    .description('Delete an application, and end its access tokens')
    .argument('<client-id>', 'id of the application')
    .addHelpText('after', help)
    .action(async (clientId) => {
      const change = {
        event: 'revokeApplication' as const,
        question: 'Delete this application? It cannot be undone.',
        factsOf: recordedApplication,
      };
      const gone = await changeLocalDatabase(context, change, async (location) => {
        const { revokeApplication } = await import('../../../service/admin/applications.ts');
        return revokeApplication(location, clientId, context.now());
      });
      await showUnlessTable(context, gone, appColumns.columns);
      say(context, `Revoked ${gone.client_id}${gone.name === null ? '' : ` (${gone.name})`}`);
    });
};
