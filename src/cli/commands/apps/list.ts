import { onLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, show } from '../../output/show.ts';
import { appColumns } from './describe-application.ts';

const noneStored =
  'No application is stored: serve takes that of TENANT_USERS_CLIENT_ID, or makes one when it starts';

const help = `
The one of TENANT_USERS_CLIENT_ID, with which serve was started, is not stored and not listed.

Examples:
  $ tenant-users apps list
  $ tenant-users apps list --local tenant.db --json`;

export const addAppsList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the applications of the local service, without their secrets')
    .option('--tenant <id>', 'only those of the tenant with this id (not a file)')
    .addHelpText('after', help)
    .action(async ({ tenant }) => {
      const applications = await onLocalDatabase(context, async (location) => {
        const { listApplications } = await import('../../../service/admin/applications.ts');
        return listApplications(location, tenant, context.now());
      });
      await show(context, { rows: applications, list: { name: 'applications' }, ...appColumns });
      if (applications.length === 0) say(context, noneStored);
    });
};
