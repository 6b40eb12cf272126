import { ListingError } from '../../../migration/model/errors.ts';
import { formatCount } from '../../../text/format-count.ts';
import { connect } from '../../connection/connect.ts';
import type { AddCommand } from '../../context/context.ts';
import { toJson } from '../../output/formats/json.ts';
import { say, showDocument } from '../../output/show.ts';
import { whileWorking } from '../../output/spinner.ts';

const help = `
Reads every user, and changes nothing. The draft accepts all of them. From 30 users on it is strict
where the users agree: an attribute that all have is required, codes must have the form that all have,
area codes that nobody has are rejected, and a value that no two users share is unique. It is lenient
about lengths: they keep their defaults unless a value is longer. It cannot learn password rules, the
time zone, or attributes that nobody has. Every rule has a "$comment" with the number of users behind
it, and "Check:" before what you should confirm. It holds no personal values; --with-values writes texts
that at least 10 users share, such as departments.

Examples:
  $ tenant-users tenant learn > acme.json
  $ tenant-users import-hashes legacy.csv --rehearse --tenant acme.json`;

export const addTenantLearn: AddCommand = (parent, context) => {
  parent
    .command('learn')
    .description('Draft a tenant definition from the users of a tenant, to rehearse with')
    .option('--with-values', 'list the values of extension attributes that have few, each of many users')
    .addHelpText('after', help)
    .action(async ({ withValues = false }) => {
      const client = await connect(context);
      const { learnDefinition } = await import('../../../migration/learn/learn-definition.ts');
      const { definition, listing } = await whileWorking(context, 'Listing users', (report) =>
        learnDefinition(client, { withValues, onStep: report }),
      );
      await showDocument(context, definition);
      const checks = toJson(definition).split('Check: ').length - 1;
      say(
        context,
        `Learned from ${formatCount(listing.users, 'user')}; review ${formatCount(checks, 'comment')} marked "Check:"`,
      );
      if (listing.complete) return;
      throw new ListingError(
        `the listing is incomplete: ${listing.faults.join('; ')}`,
        'Learn again at a quieter time: users who are missing may break the rules.',
      );
    });
};
