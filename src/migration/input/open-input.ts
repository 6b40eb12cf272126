import { SourceError } from '../model/errors.ts';
import { applyRecipe, type OnUnknownValue } from '../recipes/apply-recipe.ts';
import { findColumn } from '../recipes/compile-rule.ts';
import type { NamedRecipe, Recipe } from '../recipes/recipe.ts';
import type { ColumnOptions } from '../rows/column-options.ts';
import { type Columns, compileColumns, namesOf } from '../rows/columns.ts';
import { fieldNamed } from '../rows/fields.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import { guessColumns } from '../rows/suggest-field.ts';
import { type SourceFormat, sourceFormats } from '../source/detect-format.ts';
import { openSource, type SourceOptions } from '../source/open-source.ts';

/** How a file of users is read, whatever is done with its users. */
export interface InputOptions extends SourceOptions, ColumnOptions {
  /** Turns the records; `none`: not even one that is built in. Without it one is found by the columns of the file. */
  recipe?: NamedRecipe | 'none';
  /** Columns that are not mapped are what their names most likely mean: for a look at a file, never for an import. */
  guessesColumns?: boolean;
  /** Called for each value that a table of the recipe does not know. */
  onUnknownValue?: OnUnknownValue;
}

/** A file of users, open, and what its columns mean. */
export interface OpenInput {
  source: PreparedSource;
  columns: Columns;
  recipe: NamedRecipe | undefined;
}

/**
 * The one door to a file of users: finds its format, its encoding and, where its columns are those of a known system, the
 * recipe. Rejects with a `SourceError`; the caller closes the source.
 */
export async function openInput(file: string, options: InputOptions): Promise<OpenInput> {
  const { source, recipe } = await openPrepared(file, options);
  try {
    const isGuessed = options.guessesColumns && !recipe && options.map === undefined;
    const guessed = isGuessed ? { map: guessColumns(source.header.cells) } : {};
    const columns = compileColumns(source, { ...options, ...(recipe ? { ignoreUnknown: true } : guessed) });
    return { source, columns, recipe };
  } catch (failure) {
    await source.close();
    throw failure;
  }
}

/** Opens a file of users whose columns the caller interprets. */
async function openPrepared(
  file: string,
  options: InputOptions,
): Promise<{ source: PreparedSource; recipe: NamedRecipe | undefined }> {
  const { recipe: given, map = [] } = options;
  if (given !== undefined && given !== 'none') {
    if (map.length > 0)
      throw new SourceError(
        file,
        '--map and --recipe cannot be used together: name the column in the recipe',
      );
    return prepare(file, given, options);
  }
  const source = await openSource(file, namesOf(options), options);
  try {
    const found =
      given === 'none' || map.length > 0 || options.header ? undefined : await recipeFor(source.header.cells);
    if (!found) return { source, recipe: undefined };
    if (typeof found.recipe.from === 'object') {
      await source.close();
      return await prepare(file, found, options);
    }
    await requireExamples(found);
    return { source: await applyRecipe(source, found, options.onUnknownValue), recipe: found };
  } catch (failure) {
    await source.close();
    throw failure;
  }
}

/** Hashes under the importer's own name are read as they are: a built-in recipe would look for them elsewhere. */
async function recipeFor(header: readonly string[]): Promise<NamedRecipe | undefined> {
  const fields = header.map((name) => fieldNamed(name));
  if (fields.some((field) => field?.role === 'hash') || fields.every(Boolean)) return undefined;
  const { findBuiltIn } = await import('../recipes/built-in.ts');
  return findBuiltIn(header);
}

/** The examples of a recipe come out as they say, or nothing is done with it. */
async function requireExamples(named: NamedRecipe): Promise<void> {
  const { checkExamples } = await import('../recipes/check-examples.ts');
  const [failed] = await checkExamples(named);
  if (!failed) return;
  const fault = `example ${failed.example} of the recipe does not come out as written: ${failed.faults.join('; ')}`;
  throw new SourceError(
    named.name,
    fault,
    undefined,
    'Nothing was sent. All examples: tenant-users recipe check FILE',
  );
}

async function prepare(file: string, named: NamedRecipe, options: InputOptions) {
  await requireExamples(named);
  const { format, ...reading } = readingOf(named.recipe);
  const source = await openSource(file, namesOf(options), { ...reading, ...options });
  try {
    requireColumns(file, source.header.cells, named);
    if (format !== undefined && source.format !== format) {
      throw new SourceError(file, `this is ${source.format}, and the recipe ${named.name} is for ${format}`);
    }
    return { source: await applyRecipe(source, named, options.onUnknownValue), recipe: named };
  } catch (failure) {
    await source.close();
    throw failure;
  }
}

/** A recipe says by which columns its files are recognised: with another file every user would lose something. */
function requireColumns(file: string, header: readonly string[], { name, recipe }: NamedRecipe): void {
  const lacking = (recipe.detect ?? []).filter(
    (column) => ![column].flat().some((one) => findColumn(header, one) !== undefined),
  );
  if (lacking.length === 0) return;
  const names = lacking.map((column) => [column].flat().join(' or ')).join(', ');
  throw new SourceError(
    file,
    `the recipe ${name} is for files with other columns: this one has no ${names}`,
    1,
  );
}

function readingOf({ from }: Recipe): Pick<SourceOptions, 'header' | 'records' | 'inner'> & {
  format?: SourceFormat;
} {
  if (from === undefined) return {};
  if (typeof from === 'string') return { format: sourceFormats[from] };
  const { format, records, ...rest } = from;
  return {
    ...rest,
    ...(format ? { format: sourceFormats[format] } : {}),
    ...(records === undefined ? {} : { records: records === '' ? [] : records.split('.') }),
  };
}
