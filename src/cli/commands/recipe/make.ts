import { rm, writeFile } from 'node:fs/promises';
import type { MadeRecipe } from '../../../migration/make-recipe.ts';
import type { RecipeQuestion } from '../../../migration/proposals/interview.ts';
import { errorCode } from '../../../text/error-code.ts';
import { formatCount } from '../../../text/format-count.ts';
import { printable } from '../../../text/printable.ts';
import { quotePath, quoteWord } from '../../../text/shell-quote.ts';
import { wordsOf } from '../../context/command-line.ts';
import { type AddCommand, type CommandContext, canAsk } from '../../context/context.ts';
import { reasonOf, UsageError } from '../../errors/errors.ts';
import { addReadingOptions, namedBuiltIn } from '../../input/file-options.ts';
import { parseMapping } from '../../input/option-parsers.ts';
import { askChoice, askText } from '../../input/prompts.ts';
import { say, show, showRecord, wantsFields, warn, write } from '../../output/show.ts';
import { whileWaiting } from '../../output/spinner.ts';

const help = `
Columns are recognised by their names and their values. On a terminal it asks about what is not
certain. What nobody answered is under open: in the recipe, and on stderr: decide it there, because
no import and no plan uses the recipe before. If a question names an option such as --map, make the
recipe again with it, because other questions may follow; --to never overwrites a file. Comments
show how full each column is, and masked values: a for a letter, 9 for a digit. No value of a person
is shown.

Examples:
  $ tenant-users recipe make legacy.csv --to mine.yaml
  $ tenant-users recipe make legacy.csv --map user_name=login --region CN > mine.yaml`;

export const addRecipeMake: AddCommand = (parent, context) => {
  addReadingOptions(
    parent
      .command('make')
      .description('Look at a file of users, and make a first recipe for it')
      .argument('<file>', 'CSV, JSON or LDIF file, also .gz'),
  )
    .option('--from <system>', 'copy the recipe of this system; none: of no system')
    .option('--map <field=column>', 'this column is the field (repeatable)', parseMapping)
    .option('--region <country>', 'country of telephone numbers without a country code: CN, DE …')
    .option('--to <recipe>', 'write the recipe to this file (default: standard output)')
    .addHelpText('after', help)
    .action(async (file, { to, from, map = [], region, ...options }) => {
      const builtIn = from === undefined || from === 'none' ? from : (await namedBuiltIn(from)).name;
      if (builtIn !== undefined && builtIn !== 'none' && (map.length > 0 || options.header))
        throw new UsageError(
          `--from ${builtIn} copies a recipe as it is`,
          'Leave out --map and --header, or change the columns in the copy.',
        );
      if (region !== undefined) await requireCountry(region);
      if (to !== undefined) {
        // Tried before anything is asked: otherwise the answers would be lost.
        await writeNew(to, '');
        await rm(to);
      }
      const { lookAtFile, makeRecipe } = await import('../../../migration/make-recipe.ts');
      const { signal } = context;
      const looking = lookAtFile(file, { map, builtIn, ...options, signal });
      const looked = await whileWaiting(context, 'Reading the file', looking);
      const ask = canAsk(context) ? asking(context) : undefined;
      const made = await makeRecipe(looked, { map, region, ask });
      if (to !== undefined) await writeNew(to, made.text);
      await print(context, made, to);
    });
};

async function requireCountry(region: string): Promise<void> {
  const { isCountry } = await import('../../../migration/recipes/phone.ts');
  if (!isCountry(region))
    throw new UsageError(
      `--region: there is no country ${JSON.stringify(region)}`,
      'Use two capital letters, such as CN.',
    );
}

function asking(context: CommandContext) {
  return async ({ choices, isMany, suggested, initial = suggested, check, ...asked }: RecipeQuestion) => {
    // Names of columns are those of the file.
    const message = printable(asked.message);
    if (choices) {
      const shown = choices.map(({ value, name }) => ({ value, name: printable(name) }));
      return askChoice(context, { message, instead: '--map', choices: shown, isMany, initial });
    }
    const instead = '--region';
    return [await askText(context, { message, instead, ...(check ? { check } : {}), initial: initial?.[0] })];
  };
}

/** Writes a new file. Never overwrites one, which may be a recipe that somebody has worked on. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    throw errorCode(cause) === 'EEXIST'
      ? new UsageError(
          `${path} exists already`,
          'It is not overwritten. Name another file with --to, and copy there what you have changed in this one.',
        )
      : new UsageError(`${path} cannot be written: ${reasonOf(cause)}`, 'Name another file with --to.');
  }
}

async function print(context: CommandContext, made: MadeRecipe, to: string | undefined): Promise<void> {
  const { file, reading, rows, columns, built_in: builtIn, open, notes } = made;
  if (wantsFields(context)) {
    await showRecord(context, { ...made, to: to ?? null }, ['file', 'rows', 'text']);
  } else if (to === undefined) {
    await write(context.stdout, made.text);
  } else if (columns.length > 0) {
    const shown = columns.map((column) => ({ ...column, samples: column.samples.join(', ') }));
    await show(context, {
      rows: shown,
      columns: ['name', 'field', 'filled', 'samples'],
      whole: ['name', 'field'],
    });
  }
  say(context, `${file}: ${reading.join(', ')}, ${formatCount(rows, 'row')}`);
  if (builtIn !== null)
    say(
      context,
      `This is a copy of the built-in recipe ${builtIn}, which is for such files; --from none makes one from the columns.`,
    );
  for (const text of [...open, ...notes]) warn(context, text);
  const { describeOpen } = await import('../../../migration/recipes/open-questions.ts');
  if (open.length > 0)
    say(
      context,
      `${describeOpen(open.length)}: decide each in the recipe, then delete it from open:. No import and no plan before.`,
    );
  if (to === undefined) return;
  // The recipe itself has the columns of --header.
  const options = wordsOf(context, ['--encoding', '--delimiter']).map(quoteWord);
  const words = ['tenant-users recipe check', ...options, quotePath(to), quotePath(file)];
  say(context, `Recipe: ${to}. Look through it, then:\n  ${words.join(' ')}`);
}
