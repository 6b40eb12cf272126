import { Option } from '@commander-js/extra-typings';
import { applicationScopes } from '../../../contract/operations.ts';
import { changeLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { parseLabel } from '../../input/option-parsers.ts';
import { say } from '../../output/show.ts';
import { recordedApplication, saveSecret, showIssued } from './describe-application.ts';

const help = `
With the scope read, an application may list users, look them up and exchange tickets; anything else
is rejected with insufficient_scope (403). A serve that is running knows the application at once.

Examples:
  $ tenant-users apps create --name "HR import"
  $ tenant-users apps create --name portal --scope read --tenant acme --local tenant.db --json`;

export const addAppsCreate: AddCommand = (parent, context) => {
  parent
    .command('create')
    .description('Register an application, and print its secret once')
    .option('--tenant <id>', 'id of the tenant (not a file), required if the database has several tenants')
    .option('--name <text>', 'what the application is, for the list', parseLabel)
    .addOption(
      new Option('--scope <scope>', 'what it may do').choices(applicationScopes).default('all' as const),
    )
    .addHelpText('after', help)
    .action(async ({ tenant, name = null, scope }) => {
      const change = { event: 'createApplication', factsOf: recordedApplication } as const;
      const made = await changeLocalDatabase(context, change, async (location) => {
        const { createApplication } = await import('../../../service/admin/applications.ts');
        return createApplication(location, tenant, { name, scope, now: context.now() });
      });
      await showIssued(context, made);
      say(context, saveSecret);
    });
};
