import type { InputOptions } from '../../../migration/input/open-input.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { addReadingOptions, describeMissing, readRecipeFile } from '../../input/file-options.ts';
import { say, showUnlessTable, warn } from '../../output/show.ts';

const help = `
Reports every error with its line. Exit code 0: valid; 2: invalid, or an example does not come out
as it says. Nothing is sent. What an import would make of each row: import-hashes --dry-run.

Examples:
  $ tenant-users recipe check mine.yaml
  $ tenant-users recipe check mine.yaml legacy.csv`;

export const addRecipeCheck: AddCommand = (parent, context) => {
  addReadingOptions(
    parent
      .command('check')
      .description('Check a recipe, its examples, and whether a file has its columns')
      .argument('<recipe>', 'YAML or JSON file, or - for standard input')
      .argument('[file]', 'file of users to read with it'),
  )
    .addHelpText('after', help)
    .action(async (file, data, reading) => {
      const [unused] = Object.keys(reading);
      if (data === undefined && unused !== undefined)
        throw new UsageError(`--${unused} is for a file of users`, 'Name that file behind the recipe.');
      if (data !== undefined && /\.ya?ml$/i.test(data) && !/\.(?:ya?ml|json)$/i.test(file))
        throw new UsageError(
          'the recipe comes before the file of users',
          `Run: tenant-users recipe check ${quotePath(data)} ${quotePath(file)}`,
        );
      const named = await readRecipeFile(context, file);
      const { checkExamples } = await import('../../../migration/recipes/check-examples.ts');
      const failed = await checkExamples(named);
      if (failed.length > 0) {
        const lines = failed.map(({ example, faults }) => `\n  example ${example}: ${faults.join('; ')}`);
        throw new UsageError(
          `${named.name}: ${formatCount(failed.length, 'example')} did not come out as written:${lines.join('')}`,
          'Correct the recipe or the examples; until then no import runs with it.',
        );
      }
      const { warnOfOpen } = await import('../../../migration/recipes/open-questions.ts');
      const open = named.recipe.open ?? [];
      if (open.length > 0) warn(context, `${named.name}: ${warnOfOpen(open.length)}`);
      const examples = named.recipe.examples?.length ?? 0;
      const unknown = new Set<string>();
      const onUnknownValue = (column: string) => void unknown.add(column);
      const read =
        data === undefined ? undefined : await readWith(context, data, named, { ...reading, onUnknownValue });
      await showUnlessTable(context, {
        recipe: named.name,
        valid: true,
        examples,
        open,
        ...read,
      });
      const tried =
        examples === 0 ? 'it has no examples' : `${formatCount(examples, 'example')} came out as written`;
      say(context, `${named.name} is valid; ${tried}`);
      if (read) {
        const { columns, ignored_columns: ignored, missing_columns: missing } = read;
        say(context, `${data}: ${formatCount(read.rows, 'row')}; fields: ${columns.join(', ')}`);
        for (const text of describeMissing(missing)) say(context, `${data}: ${text}`);
        if (ignored.length > 0) say(context, `Columns that the recipe does not use: ${ignored.join(', ')}`);
        await warnOfStatuses(context, ignored);
        if (unknown.size > 0)
          warn(
            context,
            `${[...unknown].join(' and ')} ${unknown.size === 1 ? 'has' : 'have'} words that the recipe does not know, and their rows are rejected: tenant-users assess shows them.`,
          );
      }
    });
};

/** An import warns of them too, but here somebody still writes the conditions. */
async function warnOfStatuses(context: CommandContext, ignored: readonly string[]): Promise<void> {
  const { looksLikeStatus } = await import('../../../migration/rows/fields/looks-like-status.ts');
  const { describeUnread } = await import('../../../migration/assess/render-assessment.ts');
  const statuses = ignored.filter(looksLikeStatus);
  if (statuses.length > 0) warn(context, describeUnread(statuses));
}

/** Rows whose words are checked, at least. */
const mostChecked = 10_000;

async function readWith(
  context: CommandContext,
  file: string,
  recipe: Awaited<ReturnType<typeof readRecipeFile>>,
  reading: Pick<InputOptions, 'encoding' | 'delimiter' | 'header' | 'onUnknownValue'>,
) {
  const { openInput } = await import('../../../migration/input/open-input.ts');
  const { beginningOf } = await import('../../../migration/rows/prepared-source.ts');
  const { source, columns } = await openInput(file, {
    ...reading,
    recipe,
    allowPasswordless: true,
    signal: context.signal,
    // They are warned of whether there is a file or not.
    onOpen: () => {},
  });
  try {
    // Reading them calls `onUnknownValue`.
    for await (const records of beginningOf(source, mostChecked)) void records;
  } finally {
    await source.close();
  }
  const names = columns.known.map(({ target, name }) => `${target} (from ${name})`);
  return {
    rows: source.rows,
    columns: names,
    ignored_columns: [...columns.ignored],
    missing_columns: [...(source.recipe?.missing ?? [])],
  };
}
