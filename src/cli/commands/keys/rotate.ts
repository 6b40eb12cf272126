import { Option } from '@commander-js/extra-typings';
import type { ShownKey } from '../../../contract/administration.ts';
import { changeLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { parseNumberBetween } from '../../input/option-parsers.ts';
import { readKeyFile } from '../../input/read-key-file.ts';
import { say, show } from '../../output/show.ts';
import { keyColumns } from './list.ts';

const help = `
The new signing key is published now and signs after --lead, so that applications that keep the keys
for a while know it in time. The old one stays published until the last token that it signed has
ended. --lead 0 asks first (--yes in a script): an application that keeps the keys rejects new
tokens until it reads them again.

With --compromised, every id token that was signed so far is rejected by applications as soon as they
read the keys again.

Examples:
  $ tenant-users keys rotate
  $ tenant-users keys rotate --tenant acme --local tenant.db
  $ tenant-users keys rotate --compromised`;

export const addKeysRotate: AddCommand = (parent, context) => {
  parent
    .command('rotate')
    .description('Replace the signing key of id tokens, also while serve is running')
    .option('--tenant <id>', 'id of the tenant (not a file), required if the database has several tenants')
    .option(
      '--lead <seconds>',
      'publish the new signing key this long before it signs',
      parseNumberBetween(0, 86_400),
      600,
    )
    .addOption(
      new Option('--compromised', 'use the new signing key at once, and withdraw the old ones').conflicts(
        'lead',
      ),
    )
    .option('--key-file <file>', 'the key file of serve (default: TENANT_USERS_KEY_FILE)')
    .addHelpText('after', help)
    .action(async ({ tenant, lead, compromised, keyFile }) => {
      const keySecret = readKeyFile(context, keyFile);
      const change = {
        event: 'rotateKey' as const,
        question: questionOf(compromised, lead),
        factsOf: ([key]: readonly ShownKey[]) => (key ? { tenant: key.tenant_id } : {}),
      };
      const result = await changeLocalDatabase(context, change, async (location) => {
        const { rotateSigningKey } = await import('../../../service/admin/signing-keys.ts');
        const rotation = {
          now: context.now(),
          lead: compromised ? ('compromised' as const) : lead,
          keySecret,
          makeKeyPair: context.makeKeyPair,
        };
        return rotateSigningKey(location, tenant, rotation);
      });
      await show(context, { rows: result, list: { name: 'keys' }, ...keyColumns });
      const made = result.at(-1);
      say(
        context,
        `Key ${made?.kid} ${made?.state === 'next' ? `signs from ${made.signs_from}` : 'signs now'}`,
      );
    });
};

/** What to ask before a rotation after which logins may fail at once. */
function questionOf(compromised: true | undefined, lead: number): string | undefined {
  if (compromised) return 'Withdraw every id token that was signed so far?';
  if (lead > 0) return undefined;
  return 'Sign with the new key now? Applications that keep the keys reject new tokens until they read them again.';
}
