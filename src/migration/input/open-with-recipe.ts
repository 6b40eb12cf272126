import { SourceError } from '../model/errors.ts';
import { describeSeveral, onePersonEach, type PeopleWithin } from '../model/source-record.ts';
import { applyRecipe, type RecipeReading } from '../recipes/apply-recipe.ts';
import { findColumn } from '../recipes/compile-rule.ts';
import { refuseOpen, warnOfOpen } from '../recipes/open-questions.ts';
import { columnsRead, type NamedRecipe, type Recipe } from '../recipes/recipe.ts';
import type { ColumnOptions } from '../rows/fields/column-options.ts';
import { fieldNamed } from '../rows/fields/fields.ts';
import { fieldFinder } from '../rows/fields/suggest-field.ts';
import type { SourceFormat } from '../source/detect-format.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';

/** How a file is opened, and by which recipe. */
export interface RecipeInput extends SourceOptions, Pick<ColumnOptions, 'map'> {
  /** The recipe to apply; `none`: not even a built-in one. If left out, it is detected by the columns of the file. */
  recipe?: NamedRecipe | 'none';
  /**
   * Called with a warning if questions of the recipe are open. Without it such a recipe is refused: only who neither sends nor
   * decides anything for a tenant may pass it.
   */
  onOpen?: ((warning: string) => void) | undefined;
}

/** Returns the result of `use`; closes the source if it fails. */
export async function orClose<Result>(
  source: Pick<Source, 'close'>,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } catch (failure) {
    await source.close();
    throw failure;
  }
}

/** Opens a file of users and applies its recipe; the caller interprets the columns. `original`: the source without the recipe. */
export async function openWithRecipe(file: string, options: RecipeInput & RecipeReading) {
  const { recipe: given, map = [] } = options;
  if (given !== undefined && given !== 'none') {
    if (map.length > 0)
      throw new SourceError(
        file,
        '--map and --recipe cannot be used together: name the column in the recipe',
      );
    return prepare(file, given, options);
  }
  const source = await openSource(file, fieldFinder(options), options);
  return orClose(source, async () => {
    const found =
      given === 'none' || map.length > 0 || options.header ? undefined : await recipeFor(source.header.cells);
    if (!found) return { source, recipe: undefined, original: source };
    if (typeof found.recipe.from === 'object') {
      await source.close();
      return prepare(file, found, options);
    }
    await requireReady(found, options);
    return { source: await applyRecipe(source, found, options), recipe: found, original: source };
  });
}

/** Finds the built-in recipe for a header; none if a column has the importer's own name for hashes: a recipe would not read it. */
async function recipeFor(header: readonly string[]): Promise<NamedRecipe | undefined> {
  const fields = header.map((name) => fieldNamed(name));
  if (fields.some((field) => field?.role === 'hash') || fields.every(Boolean)) return undefined;
  const { findBuiltIn } = await import('../recipes/built-in.ts');
  return findBuiltIn(header);
}

/** Throws a `SourceError` if questions of the recipe are open, or an example of it does not come out as written. */
async function requireReady(named: NamedRecipe, { onOpen }: RecipeInput): Promise<void> {
  const { name, recipe } = named;
  const open = recipe.open?.length ?? 0;
  if (!onOpen) refuseOpen(named);
  else if (open > 0) onOpen(`${name}: ${warnOfOpen(open)}`);
  const { checkExamples } = await import('../recipes/check-examples.ts');
  const [failed] = await checkExamples(named);
  if (!failed) return;
  const fault = `example ${failed.example} of the recipe does not come out as written: ${failed.faults.join('; ')}`;
  throw new SourceError(
    name,
    fault,
    undefined,
    'Nothing was sent. All examples: tenant-users recipe check FILE',
  );
}

async function prepare(file: string, named: NamedRecipe, options: RecipeInput & RecipeReading) {
  await requireReady(named, options);
  const { format, ...reading } = readingOf(named.recipe);
  const source = await openAtRecords(file, named, reading, options);
  return orClose(source, async () => {
    requireColumns(file, source.header.cells, named);
    if (format !== undefined && source.format !== format) {
      const [is, wanted] = [source.format.toUpperCase(), format.toUpperCase()];
      throw new SourceError(file, `this is ${is}, and the recipe ${named.name} is for ${wanted}`);
    }
    if (reading.records === undefined)
      refuseSeveral(source, columnsRead(named.recipe), (people) => [
        ', and make the recipe for what it prints',
        `write ${onePersonEach(people)} in the recipe`,
      ]);
    // From here on it is known that each record is one person.
    const original = { ...source, peopleWithin: undefined };
    return { source: await applyRecipe(original, named, options), recipe: named, original };
  });
}

/**
 * Throws a `SourceError` if records hold several people, and only one of them is `read`: the others would be left out. In the only
 * record of a file, parts of one person look like people; whoever reads several of them says that they are not. `say`: what is done
 * with extracted people, and what to do if each record is one person.
 */
export function refuseSeveral(
  { file, rows, header, peopleWithin }: Pick<Source, 'file' | 'rows' | 'header' | 'peopleWithin'>,
  read: readonly string[],
  say: (people: PeopleWithin) => [then: string, otherwise: string],
): void {
  if (!peopleWithin?.areSeveral) return;
  const members = new Set(read.filter((name) => header.cells.includes(name)).map(memberOf));
  if (rows === 1 && members.size > 1) return;
  const [then, otherwise] = say(peopleWithin);
  throw new SourceError(
    file,
    `${describeSeveral(peopleWithin)}${then}. If each record is one person, ${otherwise}`,
  );
}

/** Returns the part of a record that a column belongs to: an item of a list, or a member of the record. */
function memberOf(column: string): string {
  return /^.*?\.\d+(?=\.|$)/.exec(column)?.[0] ?? column.replace(/\..*$/s, '');
}

/**
 * Opens a file at the path of the recipe's records. An export of the users alone is a list without the member that a whole export
 * has: it is read as it is if it has the columns by which the recipe recognizes its files.
 */
async function openAtRecords(
  file: string,
  named: NamedRecipe,
  { records, ...reading }: Pick<SourceOptions, 'header' | 'records' | 'inner'>,
  options: RecipeInput,
): Promise<Source> {
  const open = (where: SourceOptions) => openSource(file, fieldFinder(options), { ...where, ...options });
  if (!records?.length || !named.recipe.detect) return open({ ...reading, ...(records ? { records } : {}) });
  try {
    return await open({ ...reading, records });
  } catch (failure) {
    if (!(failure instanceof SourceError)) throw failure;
    const source = await open(reading).catch(() => {
      throw failure;
    });
    if (lackingColumns(source.header.cells, named).length === 0) return source;
    await source.close();
    throw failure;
  }
}

function lackingColumns(header: readonly string[], { recipe }: NamedRecipe) {
  return (recipe.detect ?? []).filter(
    (column) => ![column].flat().some((one) => findColumn(header, one) !== undefined),
  );
}

/** Throws if the file lacks columns by which the recipe recognizes its files: every user would lose something. */
function requireColumns(file: string, header: readonly string[], named: NamedRecipe): void {
  const { name } = named;
  const lacking = lackingColumns(header, named);
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
  if (typeof from === 'string') return { format: from };
  const { records, ...rest } = from;
  return {
    ...rest,
    ...(records === undefined ? {} : { records: records === '' ? [] : records.split('.') }),
  };
}
