import { shownDatabase } from '../../../text/database-location.ts';
import { readSettings } from '../../config/settings.ts';
import { audited } from '../../connection/audit.ts';
import { makeDirectoryOf } from '../../connection/embedded-service.ts';
import { onLocalDatabase } from '../../connection/local-database.ts';
import { sayWhenNew } from '../../connection/new-database.ts';
import { askBeforeSecondTenant } from '../../connection/second-tenant.ts';
import type { AddCommand } from '../../context/context.ts';
import { readDefinitionFile } from '../../input/tenant-definition.ts';
import { say, showUnlessTable } from '../../output/show.ts';

const help = `
The database is the one of --local, of a local profile, or the default one. An invalid definition
is rejected as a whole (exit code 2). Stored users stay as they are; the new rules apply to later
changes. A serve that is running on the database keeps its old rules until it is restarted: stop it
first. The users of a database of several tenants are reached through serve only, not with --local, so
a second tenant is added only after a confirmation.

Examples:
  $ tenant-users tenant apply acme.json
  $ tenant-users tenant apply acme.json --local tenant.db
  $ tenant-users tenant apply - --json < acme.json`;

export const addTenantApply: AddCommand = (parent, context) => {
  parent
    .command('apply')
    .description('Store a tenant definition in the database of the local service')
    .argument('<file>', 'JSON file, or - for standard input')
    .addHelpText('after', help)
    .action(async (file) => {
      const definition = await readDefinitionFile(context, file);
      const { tenant_id } = definition;
      const { shown, tenants } = await onLocalDatabase(context, async (location) => {
        const shown = shownDatabase(location, context.env);
        say(context, `Target: database ${shown} (tenant ${tenant_id})`);
        const { local, profileName } = readSettings(context);
        if (local) sayWhenNew(context, local, profileName.value);
        makeDirectoryOf(location);
        const event = { event: 'applyTenant', tenant: tenant_id } as const;
        const { applyDefinition } = await import('../../../service/admin/definitions.ts');
        const tenants = await audited(context, location, event, async () => {
          await askBeforeSecondTenant(context, location, [tenant_id], 'the tenant definition was not stored');
          return applyDefinition(location, definition);
        });
        return { shown, tenants };
      });
      await showUnlessTable(context, { tenant_id, database: shown });
      say(context, `Applied to tenant ${tenant_id} in ${shown}; restart serve if it is running`);
      if (tenants.length > 1) {
        const names = tenants.join(', ');
        say(
          context,
          `The database has several tenants now, ${names}: only serve reaches their users, --local does not`,
        );
      }
    });
};
