import { SourceError } from '../model/errors.ts';
import { createDigestLook, describeDigests } from '../proposals/digest-look.ts';
import type { ColumnsLook } from '../proposals/look-at-columns.ts';
import { mostLooked } from '../proposals/status-look.ts';
import { applyRecipe, type RecipeReading } from '../recipes/apply-recipe.ts';
import { findColumn } from '../recipes/compile-rule.ts';
import { refuseOpen, warnOfOpen } from '../recipes/open-questions.ts';
import type { NamedRecipe, Recipe } from '../recipes/recipe.ts';
import { type ColumnOptions, mapOption } from '../rows/column-options.ts';
import { type Columns, compileColumns, fieldFinder } from '../rows/columns.ts';
import { fieldNamed } from '../rows/fields.ts';
import { beginningOf, type PreparedSource } from '../rows/prepared-source.ts';
import type { SourceFormat } from '../source/detect-format.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';

/** How a file of users is read, whatever is then done with its users. */
export interface InputOptions extends SourceOptions, ColumnOptions, Omit<RecipeReading, 'onRead'> {
  /** The recipe to apply; `none`: not even a built-in one. If left out, it is detected by the columns of the file. */
  recipe?: NamedRecipe | 'none';
  /** True to map what columns most likely mean, if there is no recipe: to inspect a file, never for an import. */
  isGuessed?: boolean;
  /**
   * Called with a warning if questions of the recipe are open. Without it such a recipe is refused: only who neither sends nor
   * decides anything for a tenant may pass it.
   */
  onOpen?: ((warning: string) => void) | undefined;
}

/** An open file of users, with the meaning of its columns. */
export interface OpenInput {
  source: PreparedSource;
  columns: Columns;
  recipe: NamedRecipe | undefined;
  /** What is open about columns that may hold the hashes, if it was looked for. */
  open: readonly string[];
}

/**
 * Opens a file of users: detects its format, its encoding and, if it has the columns of a known system, the recipe. All commands
 * that check or send rows use it. Rejects with a `SourceError`; the caller closes the source.
 */
export async function openInput(file: string, options: InputOptions): Promise<OpenInput> {
  let onRead: RecipeReading['onRead'];
  const { source, recipe, original } = await openPrepared(file, {
    ...options,
    onRead: (row, cells) => onRead?.(row, cells),
  });
  return orClose(source, async () => {
    const isGuessed = options.isGuessed === true && !recipe;
    const isLooked = isGuessed || lacksHashes(source, options);
    const { lookAtColumns } = isLooked ? await import('../proposals/look-at-columns.ts') : {};
    const look = await lookAtColumns?.(original, options);
    const mapped = isGuessed && look ? { map: look.map } : {};
    const columns = compileColumns(
      source,
      { ...options, ...(recipe ? { ignoreUnknown: true } : mapped) },
      look && mayBeHashes(look, recipe),
    );
    if (!recipe) await refuseDigests(source, columns, options);
    const { findSalts, watchIgnored } = await import('../proposals/look-at-columns.ts');
    const mayBeSalts = await findSalts(original, columns);
    const { read, statuses: mayBeStatuses } = watchIgnored(original, columns);
    onRead = read;
    const watchedSource = recipe ? source : { ...source, readRows: () => watched(source.readRows(), read) };
    // A run that is stopped early names them too: whom it has not created can still be left out.
    if (columns.ignored.length > 0) for await (const _ of beginningOf(watchedSource, mostLooked));
    return {
      source: watchedSource,
      columns: { ...columns, mayBeSalts, mayBeStatuses },
      recipe,
      open: look?.open ?? [],
    };
  });
}

/** Passes the records of a file without a recipe through, whose cells a recipe would pass on. */
async function* watched(
  lists: ReturnType<PreparedSource['readRows']>,
  onRead: NonNullable<RecipeReading['onRead']>,
): ReturnType<PreparedSource['readRows']> {
  for await (const list of lists) {
    for (const { row, cells } of list) onRead(row, cells);
    yield list;
  }
}

/** True if an import needs hashes, and no column is given or named as theirs. */
function lacksHashes(
  { header, recipe }: PreparedSource,
  { map = [], allowPasswordless = false }: ColumnOptions,
): boolean {
  const fields = [...header.cells, ...map.map(({ field }) => field)].map((name) => fieldNamed(name));
  return !allowPasswordless && !recipe?.foreignKind && fields.every((field) => field?.target !== 'value');
}

/** Says of a file without a column of hashes which may be one: users without a password cannot be given theirs later. */
function mayBeHashes({ hash, open }: ColumnsLook, recipe: NamedRecipe | undefined): string {
  const likely = hash === undefined ? [] : [`${hash} holds hashes: add ${mapOption('hash', hash)}`];
  if (likely.length + open.length === 0) return '';
  const instead = recipe ? ' (name it in the recipe under password: instead)' : '';
  return `. ${[...likely, ...open].join('; ')}${instead}. If no column holds the hashes of passwords,`;
}

/** Throws a `SourceError` if others can compute the hashes, and nothing but the name of their column says that they are these. */
async function refuseDigests(
  source: PreparedSource,
  { known }: Columns,
  { map = [] }: ColumnOptions,
): Promise<void> {
  const { file, header } = source;
  const hash = known.find(({ target }) => target === 'value');
  if (!hash || map.some(({ column }) => column === hash.name)) return;
  const look = createDigestLook(header.cells);
  for await (const records of beginningOf(source, 200)) for (const { cells } of records) look.add(cells);
  const fault = describeDigests(hash.name, look.digestsOf(hash.index), false, 'add');
  if (fault === undefined) return;
  const hint = 'Nothing was sent. If it is something else, leave it out: tenant-users recipe make FILE';
  throw new SourceError(file, fault, header.line, hint);
}

/** Returns the result of `use`; closes the source if it fails. */
async function orClose<Result>(source: Pick<Source, 'close'>, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (failure) {
    await source.close();
    throw failure;
  }
}

/** Opens a file of users and applies its recipe; the caller interprets the columns. `original`: the source without the recipe. */
async function openPrepared(file: string, options: InputOptions & RecipeReading) {
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
async function requireReady(named: NamedRecipe, { onOpen }: InputOptions): Promise<void> {
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

async function prepare(file: string, named: NamedRecipe, options: InputOptions & RecipeReading) {
  await requireReady(named, options);
  const { format, ...reading } = readingOf(named.recipe);
  const source = await openAtRecords(file, named, reading, options);
  return orClose(source, async () => {
    requireColumns(file, source.header.cells, named);
    if (format !== undefined && source.format !== format) {
      const [is, wanted] = [source.format.toUpperCase(), format.toUpperCase()];
      throw new SourceError(file, `this is ${is}, and the recipe ${named.name} is for ${wanted}`);
    }
    return { source: await applyRecipe(source, named, options), recipe: named, original: source };
  });
}

/**
 * Opens a file at the path of the recipe's records. An export of the users alone is a list without the member that a whole export
 * has: it is read as it is if it has the columns by which the recipe recognizes its files.
 */
async function openAtRecords(
  file: string,
  named: NamedRecipe,
  { records, ...reading }: Pick<SourceOptions, 'header' | 'records' | 'inner'>,
  options: InputOptions,
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
