import { basename } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import { quoteWord } from '../../../text/shell-quote.ts';
import { readSettings } from '../../config/settings.ts';
import { connect, tenantOf } from '../../connection/connect.ts';
import { logInCanaries, openRehearsal } from '../../connection/rehearsal.ts';
import type { CommandContext } from '../../context/context.ts';
import { version } from '../../context/version.ts';
import { UsageError } from '../../errors/errors.ts';
import {
  concurrency,
  failureLimit,
  mostConcurrent,
  parseShard,
  ratePerSecond,
} from '../../input/option-parsers.ts';
import { readText } from '../../input/read-input.ts';
import { printImportSummary, requireDone } from '../../output/import-summary.ts';
import { showProgress } from '../../output/progress.ts';
import { say } from '../../output/show.ts';
import {
  acceptOption,
  algorithmOption,
  delimiterOption,
  describeSource,
  encodingOption,
  mapOption,
  readChoices,
  setOption,
} from './import-options.ts';
import { addImportHashesMerge } from './merge.ts';

/** tenant-users import-hashes */
export function addImportHashes(parent: Command, session: CommandContext): void {
  const command = parent
    .command('import-hashes')
    .description('Import users with their legacy password hashes from a CSV file')
    .argument('<file>', 'CSV file; its header has API field names, algorithm, hash and key')
    .option('--dry-run', 'read and check the whole file, send nothing')
    .option('--rehearse', 'import into a tenant of its own, made for it, and log the canaries in')
    .option('--tenant <file>', 'definition of the tenant of a rehearsal')
    .option(
      '--canary <file>',
      'lines of user_name,password that must match their hashes first; - for standard input',
    )
    .option('--job <directory>', 'where the books go (default: <file name>.import)')
    .addOption(
      new Option('--only <what>', 'take up again what failed; the file may have been mended').choices([
        'failed',
      ]),
    )
    .option('--restart', 'put the books of an earlier import aside and begin anew')
    .option('--algorithm <name>', 'algorithm of rows that name none', algorithmOption)
    .option('--map <field=column>', 'a column with a name of its own (repeatable)', mapOption)
    .option('--map-file <file>', 'the same from a file: a JSON object, or a FIELD=COLUMN a line')
    .option('--set <field=value>', 'a constant for rows that have none (repeatable)', setOption)
    .option('--key-file <file>', 'HMAC key of rows that have none, from a file')
    .option('--key-stdin', 'HMAC key of rows that have none, from standard input')
    .option('--ignore-unknown', 'let columns pass that the API does not know')
    .option('--allow-passwordless', 'let rows pass that have neither algorithm nor hash')
    .option('--accept <code>', 'a doubt that is known and no fault (repeatable)', acceptOption)
    .option('--max-failures <number>', 'stop when more rows fail, such as 20 or 5%', failureLimit)
    .option('--concurrency <number>', 'rows on the wire at the same time, or auto', concurrency, 'auto')
    .option('--rate <number>', 'most calls a second, such as 100/s (default: find out)', ratePerSecond)
    .option('--shard <I/N>', 'do the I-th of N equal shares, for several machines', parseShard)
    .option('--encoding <name>', 'encoding of the file (default: found)', encodingOption)
    .option('--delimiter <character>', 'comma, semicolon, tab or | (default: found)', delimiterOption)
    .addHelpText(
      'after',
      `
Read the file first, rehearse second, import third. The same command again goes on where the last one
ended, however that was: the journal in the job directory knows what was sent. Rows that fail do not
end the run: failures.csv in the job directory lists them, users.csv the others with their new ids,
report.html tells it all. The exit code is 0 only when every row is a user.

The pace is found: as many rows at the same time as serve best, just under a rate limit where there
is one, with the waits that the service asks for. The run stops (8) when more rows fail than
--max-failures allows (a share is judged from 100 rows on), and when all rows fail in the same way,
which only 100% lets pass; it stops (9) when no answer has come for 30 seconds. Rows that were not
sent are pending then.

Examples:
  $ tenant-users import-hashes legacy.csv --dry-run
  $ tenant-users import-hashes legacy.csv --rehearse --tenant acme.json --canary known.csv
  $ tenant-users import-hashes legacy.csv --canary - < known.csv
  $ tenant-users import-hashes legacy.csv --map user_name=Login --map hash=pwd_md5 --algorithm md5
  $ tenant-users import-hashes old.csv --encoding gb18030 --delimiter ';' --set pwd_must_modify=false
  $ tenant-users import-hashes legacy.csv --job cutover --json | jq .codes
  $ tenant-users import-hashes legacy.csv --rate 100/s --max-failures 1%
  $ tenant-users import-hashes legacy.csv --only failed        what failed, after it was mended
  $ tenant-users import-hashes legacy.csv --shard 1/3          on the first of three machines`,
    )
    .action(async (file, { job = `${basename(file)}.import`, only, ...options }) => {
      requireOneInput(file, options);
      if (only && options.restart)
        throw new UsageError('--only failed and --restart cannot be used together');
      const { importUsers } = await import('../../../migration/import-users.ts');
      const concurrency = concurrencyFor(session, options);
      const connections = concurrency === 'auto' ? mostConcurrent : concurrency;
      const canaries = await canariesOf(session, options.canary);
      requireRehearsal(options);
      const client = await clientFor(session, options, connections);
      const progress = await showProgress(session);
      const { now, clock, signal } = session;
      const choices = await readChoices(session, options);
      session.endsItself = true;
      const { summary, stoppedBy } = await importUsers(client?.withoutRetries(), {
        file,
        jobDirectory: job,
        target: options.rehearse || options.dryRun ? {} : tenantOf(readSettings(session)),
        version,
        ...options,
        concurrency,
        ...(canaries ? { canaries } : {}),
        rehearsal: options.rehearse ?? false,
        onlyFailed: only === 'failed',
        ...choices,
        onSource: (source, columns) => progress.say(describeSource(source, columns)),
        now,
        clock,
        signal,
        onProgress: progress.update,
      }).finally(progress.end);
      await printImportSummary(session, summary);
      if (summary.pending > 0 && !summary.dry_run) {
        say(session, `Resume with: ${['tenant-users', ...session.words.map(quoteWord)].join(' ')}`);
      }
      signal.throwIfAborted();
      if (stoppedBy) throw stoppedBy;
      if (options.rehearse && client && canaries)
        await logInCanaries(session, client, canaries.name, canaries.list);
      requireDone(summary);
    });
  addImportHashesMerge(command, session);
}

/** The embedded service bears whatever it is given: what serves best is known. */
const embeddedConcurrency = 256;

function concurrencyFor(
  session: CommandContext,
  { concurrency, rehearse, dryRun }: { concurrency: number | 'auto'; rehearse?: true; dryRun?: true },
): number | 'auto' {
  if (concurrency !== 'auto' || dryRun) return concurrency;
  return rehearse || readSettings(session).local ? embeddedConcurrency : concurrency;
}

/** A rehearsal has a tenant of its own; a dry run asks nobody, and needs no credentials. */
async function clientFor(
  session: CommandContext,
  { rehearse, dryRun, tenant }: { rehearse?: true; dryRun?: true; tenant?: string },
  connections: number,
) {
  if (dryRun) return undefined;
  return rehearse ? openRehearsal(session, tenant, connections) : connect(session, { connections });
}

async function canariesOf(session: CommandContext, file: string | undefined) {
  if (file === undefined) return undefined;
  const { readCanaries } = await import('../../../migration/canaries/read-canaries.ts');
  const name = file === '-' ? 'standard input' : file;
  return { name, list: readCanaries(name, await readText(session, file)) };
}

/** What is read to the end for one would be missing for the other. */
function requireOneInput(
  file: string,
  {
    canary,
    keyFile,
    keyStdin,
    mapFile,
  }: { canary?: string; keyFile?: string; keyStdin?: true; mapFile?: string },
) {
  const named = [
    file === '-' && 'the file',
    canary === '-' && '--canary -',
    keyStdin && '--key-stdin',
    keyFile === '-' && '--key-file -',
    mapFile === '-' && '--map-file -',
  ].filter((name) => typeof name === 'string');
  if (named.length < 2) return;
  throw new UsageError(
    `standard input can be read only once, but was given for ${named.join(' and ')}`,
    'Put one of them into a file.',
  );
}

function requireRehearsal({ rehearse, tenant, dryRun }: { rehearse?: true; tenant?: string; dryRun?: true }) {
  if (tenant !== undefined && !rehearse) {
    throw new UsageError('--tenant requires --rehearse', 'Add --rehearse, or remove --tenant.');
  }
  if (rehearse && dryRun) throw new UsageError('--rehearse and --dry-run cannot be used together');
}
