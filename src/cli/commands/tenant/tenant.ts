import { ListingError } from '../../../migration/model/errors.ts';
import { formatCount } from '../../../text/format-count.ts';
import { isMissingFile, isUnnamed, shownDatabase } from '../../../text/locations/database-location.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { readSettings } from '../../config/settings.ts';
import { audited } from '../../connection/audit.ts';
import { connect } from '../../connection/connect.ts';
import { makeDirectoryOf, requireDirectory, sayWhenNew } from '../../connection/embedded-service.ts';
import { askBeforeSecondTenant, onLocalDatabase, usingDatabase } from '../../connection/local-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { parseDatabase } from '../../input/option-parsers.ts';
import { nameOf } from '../../input/read-input.ts';
import { readDefinitionFile } from '../../input/tenant-definition.ts';
import { toJson } from '../../output/formats/json.ts';
import { say, showDocument, showUnlessTable } from '../../output/show.ts';
import { whileWorking } from '../../output/spinner.ts';

const showHelp = `
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
    .addHelpText('after', showHelp)
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
        const [first = '', ...others] = definitions.map(({ tenant_id }) => quoteWord(tenant_id));
        const rest = others.length > 0 ? ` (or ${others.join(', ')})` : '';
        throw new UsageError(fault, `Run: tenant-users tenant show ${first}${rest}`);
      }
      await showDocument(context, definition);
      if (isMissing) say(context, `There is no database ${shown} yet: this is the built-in definition`);
    });
};

const checkHelp = `
Reports every error with its path. Exit code 0: valid; 2: invalid.

Examples:
  $ tenant-users tenant check acme.json
  $ tenant-users tenant show | tenant-users tenant check -`;

export const addTenantCheck: AddCommand = (parent, context) => {
  parent
    .command('check')
    .description('Validate a tenant definition file without applying it')
    .argument('<file>', 'JSON file, or - for standard input')
    .addHelpText('after', checkHelp)
    .action(async (file) => {
      const { tenant_id } = await readDefinitionFile(context, file);
      await showUnlessTable(context, { tenant_id, valid: true });
      say(context, `${nameOf(file)} is valid (tenant ${tenant_id})`);
    });
};

const applyHelp = `
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
    .addHelpText('after', applyHelp)
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

const copyHelp = `
Copies all tenants of the database of --local, of a local profile, or the default one: users with
their password hashes, applications, tokens, sessions and signing keys. So a service that began with a
file goes on with PostgreSQL. Stop serve first. At the end both databases are read and compared; if
they differ, the exit code is 3. The first database stays as it is. The key file stays the same, and
the audit log is not copied.

Examples:
  $ tenant-users tenant copy postgres://tenants@db.example.com/tenants --local tenant.db
  $ tenant-users serve --database postgres://tenants@db.example.com/tenants`;

export const addTenantCopy: AddCommand = (parent, context) => {
  parent
    .command('copy')
    .description('Copy all that a local service stores into another, empty database')
    .argument('<database>', 'SQLite file or postgres://… without any users', parseDatabase)
    .addHelpText('after', copyHelp)
    .action(async (database) => {
      if (isUnnamed(database))
        throw new UsageError('a database in memory ends with the command', 'Name a file or postgres://…');
      requireDirectory(context, database, 'its name');
      const [shown, event] = [shownDatabase(database, context.env), { event: 'copyTenants' } as const];
      const { copyTenants, requireEmptyDatabase, requireTenant } = await import(
        '../../../service/admin/copy-tenants.ts'
      );
      const { source, copied } = await onLocalDatabase(context, async (from) => {
        const source = shownDatabase(from, context.env);
        say(context, `Target: database ${shown}, from ${source}`);
        await requireTenant(from);
        makeDirectoryOf(database);
        await usingDatabase(database, requireEmptyDatabase, 'Copy into another database.');
        context.unanswered = notFinished;
        const copied = await audited(context, database, event, () =>
          whileWorking(context, 'copying', (report) =>
            copyTenants(from, database, (done, total) => report({ what: 'rows copied', done, total })),
          ),
        );
        return { source, copied };
      });
      context.unanswered = undefined;
      await showUnlessTable(context, { ...copied, database: shown });
      const tenants = copied.tenants.join(', ');
      say(context, `Copied ${formatCount(copied.rows, 'row')} of ${tenants} to ${shown}, and compared them`);
      say(context, `What is written to ${source} from now on is not in the copy`);
    });
};

const notFinished =
  'No service starts on a copy that was not finished: drop the new database, and copy again.';

const learnHelp = `
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
    .addHelpText('after', learnHelp)
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
