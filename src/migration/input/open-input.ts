import { quotePath } from '../../text/shell-quote.ts';
import { SourceError } from '../model/errors.ts';
import { createDigestLook, describeDigests } from '../proposals/digest-look.ts';
import type { ColumnsLook } from '../proposals/look-at-columns.ts';
import { mostLooked } from '../proposals/status-look.ts';
import type { RecipeReading } from '../recipes/apply-recipe.ts';
import type { NamedRecipe } from '../recipes/recipe.ts';
import { type Columns, compileColumns } from '../rows/columns.ts';
import { type ColumnOptions, mapOption } from '../rows/fields/column-options.ts';
import { fieldNamed } from '../rows/fields/fields.ts';
import { beginningOf, type PreparedSource } from '../rows/prepared-source.ts';
import { openWithRecipe, orClose, type RecipeInput, refuseSeveral } from './open-with-recipe.ts';

/** How a file of users is read, whatever is then done with its users. */
export interface InputOptions extends RecipeInput, ColumnOptions, Omit<RecipeReading, 'onRead'> {
  /** True to map what columns most likely mean, if there is no recipe: to inspect a file, never for an import. */
  isGuessed?: boolean;
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
  const { source, recipe, original } = await openWithRecipe(file, {
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
    if (!recipe && !isGuessed)
      refuseSeveral(
        source,
        columns.known.map(({ name }) => name),
        () => [
          '',
          `make a recipe that says so: tenant-users recipe make ${quotePath(file)} --map FIELD=PATH`,
        ],
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
  const made = `tenant-users recipe make ${quotePath(file)}`;
  const hint = `Nothing was sent. If it is something else, leave it out: ${made}`;
  throw new SourceError(file, fault, header.line, hint);
}
