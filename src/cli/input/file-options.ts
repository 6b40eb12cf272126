import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import type { InputOptions } from '../../migration/input/open-input.ts';
import type { BuiltInRecipe } from '../../migration/recipes/built-in.ts';
import type { NamedRecipe } from '../../migration/recipes/recipe.ts';
import { listed } from '../../migration/report/texts/format.ts';
import type { Columns } from '../../migration/rows/columns.ts';
import type { ColumnOptions } from '../../migration/rows/fields/column-options.ts';
import type { PreparedSource } from '../../migration/rows/prepared-source.ts';
import { otherEncoding } from '../../migration/source/encodings.ts';
import { guess } from '../../text/edit-distance.ts';
import { formatCount } from '../../text/format-count.ts';
import { quotePath, quoteWord } from '../../text/shell-quote.ts';
import { wordsOf } from '../context/command-line.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import {
  parseAlgorithm,
  parseConstant,
  parseDelimiter,
  parseEncoding,
  parseHeader,
  parseMapping,
} from './option-parsers.ts';
import { invalidFile, nameOf, readSecretOption, readText } from './read-input.ts';
import { runOptions } from './run-options.ts';

/** Adds the options that say how the bytes of a file become records. */
export function addReadingOptions<Words extends unknown[], Options extends OptionValues>(
  command: Command<Words, Options>,
) {
  return command
    .option('--encoding <name>', 'file encoding (default: detected)', parseEncoding)
    .option('--delimiter <character>', 'comma, semicolon, tab or | (default: detected)', parseDelimiter)
    .option('--header <names>', 'columns of a CSV file without a header', parseHeader);
}

/** Adds the options that say how a file becomes rows. */
export function addMappingOptions<Words extends unknown[], Options extends OptionValues>(
  command: Command<Words, Options>,
) {
  return addReadingOptions(command.optionsGroup('File:'))
    .addOption(
      new Option('--from <system>', 'export of this system: tenant-users recipe list').conflicts('recipe'),
    )
    .option('--recipe <file>', 'how a record becomes a user, in YAML or JSON')
    .optionsGroup('Columns:')
    .option('--map <field=column>', 'read a field from this column (repeatable)', parseMapping)
    .option('--map-file <file>', 'JSON object, or lines of FIELD=COLUMN');
}

/** Adds the options that say how a file is read. */
export function addFileOptions(command: Command<[string]>) {
  return addMappingOptions(command)
    .option('--set <field=value>', 'default value for empty cells (repeatable)', parseConstant)
    .option('--ignore-unknown', 'ignore unknown columns')
    .option('--algorithm <name>', 'default algorithm, or infer: by the form of each hash', parseAlgorithm)
    .addOption(runOptions.keyFile())
    .addOption(runOptions.keyStdin());
}

interface FileOptions extends RecipeOptions {
  map?: ColumnOptions['map'];
  mapFile?: string | undefined;
  keyFile?: string;
  keyStdin?: true;
}

/**
 * Replaces the options for mapping, recipe and key by their values, which may be in files or on standard input. Other
 * options stay as they are. Throws a `UsageError` if one is invalid.
 */
export async function readFileOptions<Options extends FileOptions>(
  context: CommandContext,
  options: Options,
) {
  const { from, recipe: named, map: typed, mapFile, keyFile: file, keyStdin: stdin, ...others } = options;
  const key = await readSecretOption(context, 'HMAC key', { stdin, file });
  const recipe = await readRecipeOption(context, { from, recipe: named });
  const map: NonNullable<FileOptions['map']> = typed ?? [];
  const fromFile = mapFile === undefined ? [] : await readMap(mapFile, await readText(context, mapFile));
  // The command line takes precedence over the file.
  const given = new Set(map.map(({ field }) => field));
  const read: Pick<InputOptions, 'map' | 'key' | 'recipe'> = {
    map: [...fromFile.filter(({ field }) => !given.has(field)), ...map],
    key,
    ...(recipe ? { recipe } : {}),
  };
  return { ...others, ...read };
}

/** Describes in a line how the file is read; a second one warns if another encoding is more likely than the one that was named. */
export function describeSource(
  {
    file,
    reading,
    rows,
    recipe,
    mayBeEastern,
  }: Pick<PreparedSource, 'file' | 'reading' | 'rows' | 'recipe' | 'mayBeEastern'>,
  { known }: Pick<Columns, 'known'>,
): string {
  const names = known.map(({ name, target }) => (name === target ? name : `${name} (as ${target})`));
  const by = recipe ? `, recipe ${recipe.name}` : '';
  const used = `${file}: ${reading.join(', ')}, ${formatCount(rows, 'row')}${by}; columns used: ${names.join(', ')}`;
  const line = [used, ...describeMissing(recipe?.missing)].join('; ');
  return mayBeEastern ? `${line}\nWarning: ${otherEncoding}.` : line;
}

/** Says which columns of conditions the file lacks; nothing if it has them all. */
export function describeMissing(missing: readonly string[] = []): string[] {
  if (missing.length === 0) return [];
  const them = missing.length === 1 ? 'it' : 'them';
  return [
    `the recipe also reads ${listed(missing)}, which the file lacks: nobody is skipped or disabled by ${them}`,
  ];
}

async function readMap(file: string, text: string): Promise<NonNullable<ColumnOptions['map']>> {
  if (!text.trimStart().startsWith('{')) {
    const lines = text.split(/\r\n|\n|\r/);
    return lines.flatMap((line, index) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const at = line.indexOf('=');
      if (at < 1) throw new UsageError(`${file}, line ${index + 1}: expected FIELD=COLUMN`);
      return [{ field: line.slice(0, at), column: line.slice(at + 1) }];
    });
  }
  const { readJson } = await import('../../service/json/read-json.ts');
  const { record, string } = await import('../../service/json/file-schemas.ts');
  const column = string(() => true, 'a column name in quotes');
  const reading = readJson(text, record(column, column));
  if ('value' in reading) return Object.entries(reading.value).map(([field, column]) => ({ field, column }));
  const hint = 'Write {"user_name": "Login"} or lines of FIELD=COLUMN.';
  throw await invalidFile(file, 'a valid mapping', reading.issues, hint);
}

export interface RecipeOptions {
  from?: string | undefined;
  recipe?: string | undefined;
}

/** The recipe that the options name; `undefined` if the file's content decides. Throws a `UsageError` if it does not exist. */
async function readRecipeOption(context: CommandContext, { from, recipe }: RecipeOptions) {
  if (recipe !== undefined) return readRecipeFile(context, recipe);
  if (from === undefined || from === 'none') return from;
  return namedBuiltIn(from);
}

/** Finds a built-in recipe by its name. Throws a `UsageError` that lists the names if there is none. */
export async function namedBuiltIn(name: string): Promise<BuiltInRecipe> {
  const { builtInNames, builtInRecipe, isBuiltIn } = await import('../../migration/recipes/built-in.ts');
  if (isBuiltIn(name)) return builtInRecipe(name);
  const names = builtInNames.join(', ');
  throw new UsageError(
    `there is no built-in recipe ${JSON.stringify(name)}`,
    `${guess(name, builtInNames)}Built-in recipes: ${names}. A file of your own is named with --recipe.`,
  );
}

/** Reads a recipe from a file, or from standard input for `-`. Throws a `UsageError` with every issue and its line. */
export async function readRecipeFile(context: CommandContext, file: string): Promise<NamedRecipe> {
  const { isBuiltIn } = await import('../../migration/recipes/built-in.ts');
  if (isBuiltIn(file) && !existsSync(file))
    throw new UsageError(
      `there is no file ${file}: that is a built-in recipe`,
      `An import takes it with --from ${file}. To change it, make a file: tenant-users recipe show ${file} > ${file}.yaml`,
    );
  const text = await readText(context, file);
  const { readRecipe } = await import('../../migration/recipes/read-recipe.ts');
  const reading = await readRecipe(text);
  const name = nameOf(file);
  if ('recipe' in reading) return { name, recipe: reading.recipe };
  const issues = reading.issues.map(({ line, path, message }) => ({
    path: [line === undefined ? '' : `line ${line}`, path].filter(Boolean).join(', '),
    message,
  }));
  const hint =
    'Nothing was sent. Its schema: tenant-users schema recipe. A complete one: tenant-users recipe show django';
  throw await invalidFile(name, 'a valid recipe', issues, hint);
}

/** Options for how a file is read that `recipe make` has as well; each has a value. */
const ofReading = ['--encoding', '--delimiter', '--header', '--from'];

/** The words of the command that makes a recipe of the file as it was read here. `map`: also what a file of `--map-file` says. */
export function recipeWords(context: CommandContext, file: string, map: ColumnOptions['map'] = []): string[] {
  const to = quotePath(`${basename(file)}.yaml`);
  const mapping = map.flatMap(({ field, column }) => ['--map', `${field}=${column}`]);
  const options = [...wordsOf(context, ofReading), ...mapping].map(quoteWord);
  return ['recipe', 'make', quotePath(file), '--to', to, ...options];
}
