import { isMissingFile, shownDatabase } from '../../../text/database-location.ts';
import { onLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { say, showDocument } from '../../output/show.ts';

const help = `
The output is a tenant definition file: edit it, then apply it. For a database without tenants it is
the built-in definition.

Examples:
  $ tenant-users tenant show > acme.json
  $ tenant-users tenant show acme --local tenant.db`;

export const addTenantShow: AddCommand = (parent, context) => {
  parent
    .command('show')
    .description('Print the tenant definition in use, including defaults')
    .argument('[tenant-id]', 'tenant id, required if the database has several tenants')
    .addHelpText('after', help)
    .action(async (tenantId) => {
      const { definitions, shown, isMissing } = await onLocalDatabase(context, async (location) => {
        const { effectiveDefinitions } = await import('../../../service/admin/definitions.ts');
        const definitions = await effectiveDefinitions(location);
        return {
          definitions,
          shown: shownDatabase(location, context.env),
          isMissing: isMissingFile(location),
        };
      });
      const found = definitions.filter(({ tenant_id }) => tenant_id === (tenantId ?? tenant_id));
      const [definition] = found;
      if (!definition || found.length > 1) {
        const fault = definition
          ? `${shown} has several tenants`
          : `${shown} has no tenant ${JSON.stringify(tenantId)}`;
        throw new UsageError(
          fault,
          `Name one of: ${definitions.map(({ tenant_id }) => tenant_id).join(', ')}`,
        );
      }
      await showDocument(context, definition);
      if (isMissing) say(context, `There is no database ${shown} yet: this is the built-in definition`);
    });
};
