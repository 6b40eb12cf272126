import type { Command } from '@commander-js/extra-typings';
import { formatCount } from '../../../text/format-count.ts';
import { connect } from '../../connection/connect.ts';
import type { CommandContext } from '../../context/context.ts';
import { IncompleteError } from '../../errors/errors.ts';
import { toJson } from '../../output/formats/json.ts';
import { say, write } from '../../output/show.ts';
import { whileWorking } from '../../output/spinner.ts';

/** tenant-users tenant learn */
export function addTenantLearn(parent: Command, context: CommandContext): void {
  parent
    .command('learn')
    .description('Draft a tenant definition from the users of a tenant, to rehearse with')
    .option('--with-values', 'list the values of extension attributes that have few, each of many users')
    .addHelpText(
      'after',
      `
Reads every user, and changes nothing. The draft accepts all of them. It is strict about what users show
well: a value that all have is required, codes have the form that all have, area codes that nobody has
are not permitted, a value that no two users share is unique; each from 30 users on. It is loose about
lengths: they keep their defaults unless a value is longer. Passwords, the time zone and attributes that
nobody has are not seen. Every rule has a "$comment": of how many users it comes, and "Check:" before
what a person has to confirm. It holds no value of a person; --with-values writes texts that at least
10 users share, such as departments.

Examples:
  $ tenant-users tenant learn > acme.json
  $ tenant-users import-hashes legacy.csv --rehearse --tenant acme.json`,
    )
    .action(async ({ withValues = false }) => {
      const client = await connect(context);
      const [{ learnDefinition }, { describeListingFaults }] = await Promise.all([
        import('../../../migration/learn/learn-definition.ts'),
        import('../../../client/list-all-users.ts'),
      ]);
      const { definition, listing } = await whileWorking(context, 'Listing users', (tell) =>
        learnDefinition(client, {
          withValues,
          onProgress: ({ users: done, total }) => tell({ what: 'users', done, total }),
        }),
      );
      const text = toJson(definition, 2);
      await write(context.stdout, `${text}\n`);
      const checks = text.split('Check: ').length - 1;
      say(
        context,
        `Learned from ${formatCount(listing.users, 'user')}; confirm what stands behind "Check:", ${formatCount(checks, 'place')}`,
      );
      if (listing.complete) return;
      throw new IncompleteError(
        `the listing is incomplete: ${describeListingFaults(listing.faults).join('; ')}`,
        'Learn again when fewer changes are made: users who are missing may break the rules.',
        true,
      );
    });
}
