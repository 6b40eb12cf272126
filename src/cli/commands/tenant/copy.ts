import { isUnnamed, shownDatabase } from '../../../text/database-location.ts';
import { formatCount } from '../../../text/format-count.ts';
import { audited } from '../../connection/audit.ts';
import { makeDirectoryOf } from '../../connection/embedded-service.ts';
import { onLocalDatabase, usingDatabase } from '../../connection/local-database.ts';
import { requireDirectory } from '../../connection/new-database.ts';
import type { AddCommand } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { parseDatabase } from '../../input/option-parsers.ts';
import { say, showUnlessTable } from '../../output/show.ts';
import { whileWorking } from '../../output/spinner.ts';

const help = `
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
    .addHelpText('after', help)
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
