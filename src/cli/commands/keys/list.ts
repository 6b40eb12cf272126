import { onLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, show } from '../../output/show.ts';

/** How signing keys are shown. */
export const keyColumns = {
  columns: ['tenant_id', 'kid', 'state', 'created_at', 'signs_from', 'published_until'],
  needed: ['kid', 'state', 'signs_from', 'published_until', 'tenant_id', 'created_at'],
  whole: ['kid'],
} as const;

const help = `
A signing key is next (published, signs later), signing, or retired (published until the last token
that it signed has ended). The database is the one of --local, of a local profile, or the default
one.

Examples:
  $ tenant-users keys list
  $ tenant-users keys list --local postgres://users@db/users --json`;

export const addKeysList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the signing keys of id tokens')
    .option('--tenant <id>', 'only those of the tenant with this id (not a file)')
    .addHelpText('after', help)
    .action(async ({ tenant }) => {
      const keys = await onLocalDatabase(context, async (location) => {
        const { listSigningKeys } = await import('../../../service/admin/signing-keys.ts');
        return listSigningKeys(location, tenant, context.now());
      });
      await show(context, { rows: keys, list: { name: 'keys' }, ...keyColumns });
      if (keys.length === 0) say(context, 'There is no signing key yet: the first token makes it');
    });
};
