import { Option } from '@commander-js/extra-typings';
import type { IssuedApplication } from '../../../contract/administration.ts';
import { applicationScopes } from '../../../contract/operations.ts';
import { changeLocalDatabase, onLocalDatabase } from '../../connection/local-database.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { parseLabel, parseNumberBetween } from '../../input/option-parsers.ts';
import { say, show, showRecord, showUnlessTable } from '../../output/show.ts';

const administration = () => import('../../../service/admin/applications.ts');

const appColumns = {
  columns: ['tenant_id', 'client_id', 'name', 'scope', 'created_at', 'former_secret_until'],
  needed: ['client_id', 'name', 'scope', 'former_secret_until', 'tenant_id', 'created_at'],
  whole: ['client_id'],
} as const;

function showIssued(context: CommandContext, issued: IssuedApplication): Promise<void> {
  const { client_id, former_secret_until: until } = issued;
  const lost =
    until === null ? 'The secret is lost.' : `The secret is lost; the old one is valid until ${until}.`;
  const next = `${lost} To replace it: tenant-users apps rotate-secret ${client_id} --lost`;
  context.noteChange({ done: `given application ${client_id} a new secret`, next });
  const columns = ['tenant_id', 'client_id', 'client_secret', 'name', 'scope', 'former_secret_until'];
  return showRecord(context, issued, columns);
}

const saveSecret = 'Save the secret: it is not shown again';

function recordedApplication({ tenant_id, client_id }: { tenant_id: string; client_id: string }) {
  return { tenant: tenant_id, application: client_id };
}

const noneStored =
  'No application is stored: serve takes that of TENANT_USERS_CLIENT_ID, or makes one when it starts';

const listHelp = `
The one of TENANT_USERS_CLIENT_ID, with which serve was started, is not stored and not listed.

Examples:
  $ tenant-users apps list
  $ tenant-users apps list --local tenant.db --json`;

export const addAppsList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the applications of the local service, without their secrets')
    .option('--tenant <id>', 'only those of the tenant with this id (not a file)')
    .addHelpText('after', listHelp)
    .action(async ({ tenant }) => {
      const applications = await onLocalDatabase(context, async (location) =>
        (await administration()).listApplications(location, tenant, context.now()),
      );
      await show(context, { rows: applications, list: { name: 'applications' }, ...appColumns });
      if (applications.length === 0) say(context, noneStored);
    });
};

const createHelp = `
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
    .addHelpText('after', createHelp)
    .action(async ({ tenant, name = null, scope }) => {
      const change = { event: 'createApplication', factsOf: recordedApplication } as const;
      const made = await changeLocalDatabase(context, change, async (location) =>
        (await administration()).createApplication(location, tenant, { name, scope, now: context.now() }),
      );
      await showIssued(context, made);
      say(context, saveSecret);
    });
};

const rotateSecretHelp = `
Configure the new secret in the application within --overlap. If the old one has become known, use
--overlap 0, which asks first (--yes in a script), then end what was obtained with it:
sessions end --app CLIENT_ID. If a new secret got lost before anybody used it, --lost replaces
only that one (it asks first, too): the old one stays valid as long as it was.

Examples:
  $ tenant-users apps rotate-secret 5f2c1d0e9a8b7c6d5e4f3a2b
  $ tenant-users apps rotate-secret 5f2c1d0e9a8b7c6d5e4f3a2b --overlap 0 --yes --json`;

export const addAppsRotateSecret: AddCommand = (parent, context) => {
  parent
    .command('rotate-secret')
    .description('Give an application a new secret; the old one stays valid for a while')
    .argument('<client-id>', 'id of the application')
    .option('--overlap <hours>', 'how long both secrets are valid', parseNumberBetween(0, 720), 24)
    .addOption(
      new Option('--lost', 'nobody has the newest secret: of two, replace only that').conflicts('overlap'),
    )
    .addHelpText('after', rotateSecretHelp)
    .action(async (clientId, { overlap, lost: isLost = false }) => {
      const change = {
        event: 'rotateSecret' as const,
        question: async (location: string) => {
          if (overlap === 0) return 'End the old secret now? A program that still uses it is locked out.';
          if (!isLost) return undefined;
          const { hasTwoSecrets } = await administration();
          const withdraws = await hasTwoSecrets(location, clientId, context.now());
          return withdraws ? 'End the newest secret now? A program that uses it is locked out.' : undefined;
        },
        factsOf: recordedApplication,
      };
      const made = await changeLocalDatabase(context, change, async (location) => {
        const { rotateSecret } = await administration();
        return rotateSecret(location, clientId, { overlap: overlap * 3600, isLost, now: context.now() });
      });
      await showIssued(context, made);
      const until = made.former_secret_until;
      say(context, `${saveSecret}. The old one ${until === null ? 'has ended' : `is valid until ${until}`}`);
    });
};

const revokeHelp = `
A serve that is running gives it no more tokens at once, and rejects those it has within ten seconds.
The sessions of users who logged in with it end, too. If serve is started with its id in
TENANT_USERS_CLIENT_ID, remove the variable: otherwise the next start takes the id again. If the tenant
has no other application, run apps create first: otherwise the next start makes one.

Example:
  $ tenant-users apps revoke 5f2c1d0e9a8b7c6d5e4f3a2b`;

export const addAppsRevoke: AddCommand = (parent, context) => {
  parent
    .command('revoke')
    .description('Delete an application, and end its access tokens')
    .argument('<client-id>', 'id of the application')
    .addHelpText('after', revokeHelp)
    .action(async (clientId) => {
      const change = {
        event: 'revokeApplication' as const,
        question: 'Delete this application? It cannot be undone.',
        factsOf: recordedApplication,
      };
      const gone = await changeLocalDatabase(context, change, async (location) =>
        (await administration()).revokeApplication(location, clientId, context.now()),
      );
      await showUnlessTable(context, gone, appColumns.columns);
      say(context, `Revoked ${gone.client_id}${gone.name === null ? '' : ` (${gone.name})`}`);
    });
};
