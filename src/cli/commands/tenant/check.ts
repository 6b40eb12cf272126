import type { AddCommand } from '../../context/context.ts';
import { nameOf } from '../../input/read-input.ts';
import { readDefinitionFile } from '../../input/tenant-definition.ts';
import { say, showUnlessTable } from '../../output/show.ts';

const help = `
Reports every error with its path. Exit code 0: valid; 2: invalid.

Examples:
  $ tenant-users tenant check acme.json
  $ tenant-users tenant show | tenant-users tenant check -`;

export const addTenantCheck: AddCommand = (parent, context) => {
  parent
    .command('check')
    .description('Validate a tenant definition file without applying it')
    .argument('<file>', 'JSON file, or - for standard input')
    .addHelpText('after', help)
    .action(async (file) => {
      const { tenant_id } = await readDefinitionFile(context, file);
      await showUnlessTable(context, { tenant_id, valid: true });
      say(context, `${nameOf(file)} is valid (tenant ${tenant_id})`);
    });
};
