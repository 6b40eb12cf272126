import { existsSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { auditEvents } from '../../contract/audit-event.ts';
import type { AuditLine } from '../../contract/audit-line.ts';
import { formatCount } from '../../text/format-count.ts';
import { isPostgres } from '../../text/locations/database-location.ts';
import { readSettings } from '../config/settings.ts';
import { auditFile } from '../connection/audit.ts';
import { requireDatabasePlace } from '../connection/embedded-service.ts';
import { selectedDatabase } from '../connection/local-database.ts';
import type { AddCommand, CommandContext } from '../context/context.ts';
import { ConfigurationError, systemFaultOf, UsageError } from '../errors/errors.ts';
import { parseFiles, parseUtcTime } from '../input/option-parsers.ts';
import { say, show, warn } from '../output/show.ts';

/** Columns of a table; CSV and JSON have all. */
const shown = ['time', 'event', 'outcome', 'code', 'user_id', 'application', 'address'];

const help = `
Without --file it reads the log beside the SQLite database of --local, of a local profile, or the
default one; for PostgreSQL, audit.jsonl beside the configuration, with what commands of this machine
did. To follow a log as it grows: tail -f FILE. Outcomes: done, refused, locked (too many
wrong passwords), failed (the service could not do it).

Examples:
  $ tenant-users audit --since 2026-11-01
  $ tenant-users audit --user 20220126153857263-A04D-60E0D446C --json
  $ tenant-users audit --local tenant.db --event logIn
  $ tenant-users audit --file audit.jsonl.1 --file audit.jsonl -o csv`;

export const addAudit: AddCommand = (parent, context) => {
  parent
    .command('audit')
    .description('Read the audit log of the local service: who did what to whom')
    .option('--file <file>', 'an audit log, such as a rotated one (repeatable)', parseFiles)
    .option('--user <user-id>', 'only what was done to this user, or by them')
    .addOption(new Option('--event <name>', 'only this event').choices(auditEvents))
    .option('--since <time>', 'from this time in UTC, yyyy-MM-dd [HH:mm:ss]', parseUtcTime)
    .option('--until <time>', 'before this time in UTC', parseUtcTime)
    .addHelpText('after', help)
    .action(async ({ file, user, event, since, until }) => {
      const files = file ?? [fileOfDatabase(context)];
      const filter = { user, event, since, until };
      const { readAudit } = await import('../../service/audit/read-audit.ts');
      const found = { events: 0, broken: 0 };

      async function* pages(): AsyncGenerator<AuditLine[]> {
        for (const one of files) {
          try {
            for await (const page of readAudit(one, filter, () => (found.broken += 1))) {
              found.events += page.length;
              yield page;
            }
          } catch (cause) {
            throw unreadable(one, cause);
          }
        }
      }

      await show(context, {
        rows: pages(),
        columns: shown,
        csvColumns: [...shown, 'tenant', 'attributes', 'account', 'request_id'],
        needed: ['time', 'event', 'outcome', 'user_id'],
        whole: ['time', 'event'],
        list: { name: 'events', rest: () => ({ unreadable_lines: found.broken }) },
      });
      say(context, `${formatCount(found.events, 'event')} in ${files.join(', ')}`);
      if (!file && isPostgres(selectedDatabase(context).location ?? ''))
        say(
          context,
          'It has what commands of this account did to any PostgreSQL database. serve has a log of its own: stderr, or --audit FILE.',
        );
      if (found.broken > 0)
        warn(context, `${formatCount(found.broken, 'line')} skipped: not of an audit log`);
    });
};

function fileOfDatabase(context: CommandContext): string {
  const { location } = selectedDatabase(context);
  const file = location === undefined ? undefined : auditFile(context, location);
  if (file !== undefined) {
    const { local, profileName } = readSettings(context);
    // The log may be all that is left.
    if (local && !existsSync(file)) requireDatabasePlace(context, local, profileName.value);
    return file;
  }
  throw new UsageError(
    'a database in memory and a service elsewhere have no audit log on this machine',
    'Name the log with --file FILE: the file of serve --audit, or what was kept of its stderr.',
  );
}

function unreadable(file: string, cause: unknown): unknown {
  const fault = systemFaultOf(cause);
  if (!fault) return cause;
  return new ConfigurationError(
    `the audit log ${file} cannot be read: ${fault.reason}`,
    'It is written from the first request on. Name another one with --file FILE.',
  );
}
