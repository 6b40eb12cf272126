import type { Assessment } from '../../../migration/assess/assessment.ts';
import { replaceNamedFile } from '../../../migration/directory/replace-file.ts';
import type { ColumnOptions } from '../../../migration/rows/fields/column-options.ts';
import { formatCount } from '../../../text/format-count.ts';
import { withOptions } from '../../../text/shell-quote.ts';
import { commandLineOf } from '../../context/command-line.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { version } from '../../context/version.ts';
import { reasonOf, systemFaultOf, UsageError } from '../../errors/errors.ts';
import { addFileOptions, describeMissing, readFileOptions, recipeWords } from '../../input/file-options.ts';
import { runOptions } from '../../input/run-options.ts';
import { sayNext } from '../../output/import-summary.ts';
import { targetOf } from '../../output/result-file.ts';
import { say, sayFile, show, showRecord, wantsFields, warn } from '../../output/show.ts';
import { whileWaiting } from '../../output/spinner.ts';

const help = `
Columns that are not mapped are read as what their names and values most likely mean; the result says
which. It shows no values of rows, except words that the recipe or the API does not know.

Examples:
  $ tenant-users assess legacy.csv
  $ tenant-users assess auth_user.csv --report assessment.html
  $ tenant-users assess users.ndjson.gz --json | jq .passwords`;

export const addAssess: AddCommand = (parent, context) => {
  addFileOptions(
    parent
      .command('assess')
      .description(
        'Show which users of a file can keep their password, and which rows have issues; nothing is sent',
      )
      .argument('<file>', 'CSV, JSON or LDIF file, also .gz'),
  )
    .optionsGroup('Checks:')
    .addOption(runOptions.accept('take rows with this warning as good'))
    .optionsGroup('Output:')
    .option('--report <file>', 'write the assessment as an HTML page')
    .addHelpText('after', help)
    .action(async (file, { report, ...given }) => {
      if (report !== undefined) await pageTarget(context, report);
      const { map, ...options } = await readFileOptions(context, given);
      const { assessFile } = await import('../../../migration/assess/assess-file.ts');
      const { now, signal } = context;
      const found = await whileWaiting(
        context,
        'Reading the file',
        assessFile({ file, map, ...options, signal }),
      );
      if (report !== undefined) await writePage(context, report, found, now());
      if (report !== undefined) sayFile(context, 'Page:', report);
      await printAssessment(context, found, map);
    });
};

/** Resolves the file of `--report`. Throws a `UsageError` if it is there and no page of this program. */
async function pageTarget(context: CommandContext, path: string) {
  const { pageBegin } = await import('../../../migration/report/render-page.ts');
  return targetOf(context, '--report', path, { own: { begin: pageBegin, what: 'page' } });
}

/** Writes the page as a whole, for its owner only. Throws a `UsageError` if that is impossible, or if the path is no file. */
async function writePage(context: CommandContext, path: string, found: Assessment, now: number) {
  const { renderAssessment } = await import('../../../migration/assess/render-assessment.ts');
  context.signal.throwIfAborted();
  try {
    await replaceNamedFile(await pageTarget(context, path), renderAssessment(found, { version, now }));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const hint = systemFaultOf(cause)?.remedy ?? 'Name another file with --report.';
    throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}`, hint);
  }
}

async function printAssessment(context: CommandContext, found: Assessment, map: ColumnOptions['map']) {
  if (wantsFields(context)) {
    return showRecord(context, found, ['rows', 'ready', 'rejected', 'skipped']);
  }
  const { nextOfAssessment, useLabels, verdictOfAssessment } = await import(
    '../../../migration/assess/render-assessment.ts'
  );
  const people = found.passwords.map(({ use, ...kind }) => ({
    people: kind.users,
    they: useLabels[use],
    ...kind,
  }));
  await show(context, { rows: people, columns: ['people', 'they', 'format'], whole: ['people', 'they'] });
  const issues = Object.entries(found.issues).map(([issue, rows]) => ({ issue, rows }));
  if (issues.length > 0) await show(context, { rows: issues, columns: ['issue', 'rows'] });
  if (found.unknown_values.length > 0) {
    await show(context, { rows: found.unknown_values, columns: ['column', 'value', 'rows'] });
  }
  const read = found.columns.flatMap(({ name, field }) =>
    field === null ? [] : [name === field ? name : `${name} (as ${field})`],
  );
  const unread = found.columns.flatMap(({ name, field }) => (field === null ? [name] : []));
  const by = found.recipe === null ? '' : `, recipe ${found.recipe}`;
  const facts = `${found.file}: ${found.reading.join(', ')}, ${formatCount(found.rows, 'row')}${by}; columns read: ${read.join(', ')}`;
  say(context, [facts, ...describeMissing(found.missing_columns)].join('; '));
  if (unread.length > 0) say(context, `Columns not read: ${unread.join(', ')}`);
  const { headline, meaning, caveats } = verdictOfAssessment(found);
  for (const caveat of caveats) warn(context, caveat);
  say(context, `${headline} ${meaning}`);
  const { text, needsRecipe } = nextOfAssessment(found);
  const command = needsRecipe
    ? ['tenant-users', ...recipeWords(context, found.file, map)].join(' ')
    : importCommand(context, found);
  sayNext(context, [{ text, commands: [command] }]);
}

/** The command for a dry run that reads the file as it was read here. An import infers algorithms only with an option. */
function importCommand(context: CommandContext, { recipe, columns }: Assessment): string {
  const { words } = commandLineOf(context);
  const isInferred =
    recipe === null &&
    columns.every(({ field }) => field !== 'algorithm') &&
    !words.some((word) => word.startsWith('--algorithm'));
  const all = withOptions(words, [...(isInferred ? ['--algorithm infer'] : []), '--dry-run']);
  all[all.indexOf('assess')] = 'import-hashes';
  return ['tenant-users', ...all].join(' ');
}
