import { formatCount } from '../../../text/format-count.ts';
import { changeLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, showUnlessTable } from '../../output/show.ts';

const help = `
Stop every serve on the database first. New keys are made when they are needed; the next serve with
--key-file encrypts them with that file. Id tokens that were signed so far are rejected.

Example:
  $ tenant-users keys reset --local tenant.db`;

export const addKeysReset: AddCommand = (parent, context) => {
  parent
    .command('reset')
    .description('Delete all signing keys of all tenants, to change or drop the key file')
    .addHelpText('after', help)
    .action(async () => {
      const change = {
        event: 'resetKeys' as const,
        question: 'Delete all signing keys? Is every serve on the database stopped?',
      };
      const deleted = await changeLocalDatabase(context, change, async (location) => {
        const { resetSigningKeys } = await import('../../../service/admin/signing-keys.ts');
        return resetSigningKeys(location);
      });
      await showUnlessTable(context, { deleted });
      say(context, `Deleted ${formatCount(deleted, 'signing key')}`);
    });
};
