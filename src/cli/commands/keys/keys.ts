import { Option } from '@commander-js/extra-typings';
import type { ShownKey } from '../../../contract/administration.ts';
import { formatCount } from '../../../text/format-count.ts';
import { changeLocalDatabase, onLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { parseNumberBetween } from '../../input/option-parsers.ts';
import { readKeyFile } from '../../input/read-input.ts';
import { say, show, showUnlessTable } from '../../output/show.ts';

const administration = () => import('../../../service/admin/signing-keys.ts');

const keyColumns = {
  columns: ['tenant_id', 'kid', 'state', 'created_at', 'signs_from', 'published_until'],
  needed: ['kid', 'state', 'signs_from', 'published_until', 'tenant_id', 'created_at'],
  whole: ['kid'],
} as const;

const listHelp = `
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
    .addHelpText('after', listHelp)
    .action(async ({ tenant }) => {
      const keys = await onLocalDatabase(context, async (location) =>
        (await administration()).listSigningKeys(location, tenant, context.now()),
      );
      await show(context, { rows: keys, list: { name: 'keys' }, ...keyColumns });
      if (keys.length === 0) say(context, 'There is no signing key yet: the first token makes it');
    });
};

const rotateHelp = `
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
    .addHelpText('after', rotateHelp)
    .action(async ({ tenant, lead, compromised, keyFile }) => {
      const keySecret = readKeyFile(context, keyFile);
      const change = {
        event: 'rotateKey' as const,
        question: questionOf(compromised, lead),
        factsOf: ([key]: readonly ShownKey[]) => (key ? { tenant: key.tenant_id } : {}),
      };
      const { makeKeyPair } = context;
      const result = await changeLocalDatabase(context, change, async (location) => {
        const how = compromised ? ('compromised' as const) : lead;
        const rotation = { now: context.now(), lead: how, keySecret, makeKeyPair };
        return (await administration()).rotateSigningKey(location, tenant, rotation);
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

const resetHelp = `
Stop every serve on the database first. New keys are made when they are needed; the next serve with
--key-file encrypts them with that file. Id tokens that were signed so far are rejected.

Example:
  $ tenant-users keys reset --local tenant.db`;

export const addKeysReset: AddCommand = (parent, context) => {
  parent
    .command('reset')
    .description('Delete all signing keys of all tenants, to change or drop the key file')
    .addHelpText('after', resetHelp)
    .action(async () => {
      const change = {
        event: 'resetKeys' as const,
        question: 'Delete all signing keys? Is every serve on the database stopped?',
      };
      const deleted = await changeLocalDatabase(context, change, async (location) =>
        (await administration()).resetSigningKeys(location),
      );
      await showUnlessTable(context, { deleted });
      say(context, `Deleted ${formatCount(deleted, 'signing key')}`);
    });
};
