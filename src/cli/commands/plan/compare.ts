import { basename } from 'node:path';
import {
  type ComparisonSummary,
  differencesIn,
  isExtraUnsure,
  verdictNames,
} from '../../../migration/compare/comparison.ts';
import { disabledColumn } from '../../../migration/compare/read-disabled.ts';
import { pathIn } from '../../../migration/directory/job-files.ts';
import { ListingError } from '../../../migration/model/errors.ts';
import { mostFrequent } from '../../../migration/model/most-frequent.ts';
import type { PreparedSource } from '../../../migration/rows/prepared-source.ts';
import { formatCount } from '../../../text/format-count.ts';
import { connect, runFacts } from '../../connection/connect.ts';
import { openBeforeDatabase } from '../../connection/embedded-service.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { ReportedError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { addFileOptions, describeSource, readFileOptions } from '../../input/file-options.ts';
import { runOptions } from '../../input/run-options.ts';
import { recordRun } from '../../log/write-log.ts';
import { say, sayFile, show, warn } from '../../output/show.ts';
import { whileWriting } from '../../output/spinner.ts';
import { sameOptionsAs } from './plan-options.ts';

const counts = ['rows', 'users', ...verdictNames] as const;

const help = `
Reads the whole tenant. An empty cell is not compared. Without a recipe, but with --ignore-unknown, a
column disabled (true or false as in an export of the tenant; empty is false) is compared, too; other
commands ignore it. The lists are same.csv, differs.csv (which
fields), missing.csv, extra.csv (users whom no row finds), ambiguous.csv and invalid.csv; summary.json
and report.html are beside them. A row finds users by external ID only if it has no other identifier,
or with --key external_id. With --job, the user whom the job knows for a row that finds nobody
differs: they have other identifiers now. Exit codes: 0 file and tenant are equal; 7 they differ;
10 the tenant was changed while it was read, so that a list may be wrong.

Examples:
  $ tenant-users compare legacy.csv
  $ tenant-users compare legacy.csv --job legacy.csv.import --to morning-after
  $ tenant-users compare legacy.csv --key external_id --json | jq .fields`;

export const addCompare: AddCommand = (parent, context) => {
  addFileOptions(
    parent
      .command('compare')
      .description('Compare a file with the tenant, field by field; nothing is written to the tenant')
      .argument('<file>', 'file, as import-hashes reads it; hashes are not compared'),
  )
    .optionsGroup('Comparison:')
    .addOption(runOptions.key('any identifier'))
    .option('--job <directory>', 'show what became of each row in the import with this job directory')
    .addOption(runOptions.accept('compare rows with this warning'))
    .optionsGroup('Output:')
    .option('--to <directory>', 'for the lists and the report (default: <file name>.compare)')
    .optionsGroup('Speed:')
    .addOption(runOptions.concurrency())
    .addOption(runOptions.rate())
    .addHelpText('after', help)
    .action(async (file, { to = `${basename(file)}.compare`, key, job, ...given }) => {
      // A comparison is about users, not about hashes.
      const noHashes = { allowPasswordless: true, foreignHashes: 'passwordless' } as const;
      const options = { ...(await readFileOptions(context, given)), ...noHashes };
      const { compareUsers } = await import('../../../migration/compare-users.ts');
      const { looksLikeStatus } = await import('../../../migration/rows/fields/looks-like-status.ts');
      await openBeforeDatabase(context, file, { ...options, onOpen() {} });
      const client = await connect(context, { connections: 16, isKnown: job !== undefined });
      const interrupted = `Interrupted: nothing was written to ${to}`;
      const summary = await whileWriting(context, 'Checking the file', interrupted, (report) =>
        compareUsers(client.withoutRetries(), {
          file,
          directory: to,
          ...options,
          by: key,
          jobDirectory: job,
          ...runFacts(context),
          onOpen: (text) => warn(context, text),
          onSource: (source, found) => {
            say(context, describeSource(source, found));
            sayIgnored(context, source, found.ignored, looksLikeStatus);
          },
          onStep: report,
        }),
      );
      const run = { command: 'compare', directory: to };
      const { target, rows } = summary;
      recordRun(context, run).begun({ kind: 'comparison', target, rows });
      await show(context, { rows: [summary], columns: counts });
      sayComparison(context, summary);
      await adviseOnReading(context, summary);
      requireEqual(summary);
    });
};

/** Names the columns that are not compared, and warns if one of them may say who is disabled. */
function sayIgnored(
  context: CommandContext,
  { recipe }: PreparedSource,
  columns: readonly string[],
  looksLikeStatus: (name: string) => boolean,
): void {
  const ignored = columns.filter((name) => recipe || name !== disabledColumn);
  if (ignored.length > 0) say(context, `Columns not compared: ${ignored.join(', ')}`);
  const isStatusKnown = recipe?.disables || ignored.length < columns.length;
  const status = isStatusKnown ? undefined : ignored.find(looksLikeStatus);
  if (status === undefined) return;
  warn(
    context,
    `${status} looks like a status, and nothing says what it means: every user who is disabled in the tenant differs (disabled). Say in a recipe who is disabled (disable:), and compare with --recipe`,
  );
}

function sayComparison(context: CommandContext, summary: ComparisonSummary): void {
  const fields = mostFrequent(summary.fields);
  if (fields.length > 0) {
    const each = fields.map(([field, rows]) => `${field} (${formatCount(rows)})`);
    say(context, `Fields that differ: ${each.join(', ')}`);
  }
  if (summary.changed_since > 0) {
    const who = formatCount(summary.changed_since, 'user');
    say(context, `Of those that differ, ${who} created by the job changed in the tenant since`);
  }
  if (summary.invalid > 0) {
    warn(context, `${formatCount(summary.invalid, 'row')} failed the checks, and could not be compared`);
  }
  if (summary.disabled_unknown > 0) {
    warn(
      context,
      `In ${formatCount(summary.disabled_unknown)} of these rows only the column ${disabledColumn} is the fault: it says neither true nor false. Write one of these, or say in a recipe who is disabled (disable:), and compare with --recipe`,
    );
  }
  if (isExtraUnsure(summary)) {
    const rows = formatCount(summary.unrecognised, 'row');
    warn(
      context,
      `no user was found by ${rows} of these: extra.csv may have their users. Correct the file, and compare again before you disable anybody`,
    );
  }
  const { directory } = summary;
  const found = differencesIn(summary).map((name) => pathIn(directory, `${name}.csv`));
  if (found.length > 0) say(context, `Lists: ${found.join(', ')}`);
  sayFile(context, 'Report:', pathIn(directory, 'report.html'));
}

/**
 * Warns if more rows fail the checks than in the job: most likely, options for reading the file were forgotten. An import does not
 * read the column disabled.
 */
async function adviseOnReading(context: CommandContext, summary: ComparisonSummary): Promise<void> {
  const { job } = summary;
  const invalid = summary.invalid - summary.disabled_unknown;
  if (job === undefined || invalid === 0) return;
  const { readJobStatus } = await import('../../../migration/records/job-status.ts');
  const known = await readJobStatus(job, context.now);
  // Other runs may not have reached all rows.
  if (known.status.state !== 'finished' || known.status.invalid >= invalid) return;
  const fewer = `${formatCount(known.status.invalid, 'row')} failed them in ${job}`;
  warn(context, `${fewer}. To compare what it imported, ${await sameOptionsAs(known)}`);
}

function requireEqual(summary: ComparisonSummary): void {
  if (!summary.complete) {
    throw new ListingError(
      `the tenant was not read completely: ${summary.faults.join('; ')}`,
      'The lists were written, and may be wrong about users who were changed: compare again at a quieter time.',
    );
  }
  if (differencesIn(summary).length > 0) throw new ReportedError(exitCodes.partlyDone);
}
