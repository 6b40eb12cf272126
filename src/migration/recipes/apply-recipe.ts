import { isHashAlgorithm } from '../../contract/attributes.ts';
import { SourceError } from '../model/errors.ts';
import type { FixedWidth, SourceRecord } from '../model/source-record.ts';
import { isSalt, looksLikeSalt, mayMeanOther, shownList, shownName } from '../rows/ignored-columns.ts';
import type { IssueCause } from '../rows/issues/issues.ts';
import { type PreparedRecord, type PreparedSource, repeatsHeader } from '../rows/prepared-source.ts';
import { checkColumns, requireNoHashes } from './check-columns.ts';
import { type CompiledRule, compileRule, compileSelection, findColumn } from './compile-rule.ts';
import { columnsOf, type NamedRecipe, type Recipe, type RecipeRule, recipeDigest } from './recipe.ts';
import { valueForNone } from './steps.ts';

/** How a recipe is applied to the records of a file. */
export interface RecipeReading {
  /** Called for each value that is missing from the tables of values and the conditions of the recipe. */
  onUnknownValue?: (column: string, value: string) => void;
  /** Called with the cells of each record that is not skipped. */
  onRead?: (row: number, cells: readonly string[]) => void;
  /** The time, in epoch milliseconds, by which dates have passed; now if left out. A file that is read again is read by the same. */
  readAt?: number;
}

/** Remedy for an unknown status: an unknown word must not let people log in who were disabled in the old system. */
const unknownStatus =
  'It says whether this person may log in. Add it in the recipe to in: (may not) or to known: (may). Beside past: or not_past:, name its form under date: or, if it means that there is no such day, add it to not_in:. Beside filled:, add it to empty: of the recipe if it means that there is no value; otherwise to in: of another condition. tenant-users recipe show prints one that is built in.';

/** Remedy for the name of an algorithm of the API: an old system may mean another one by it. */
const unlistedAlgorithm =
  'The recipe does not list it: add it to values: under algorithm:, with the algorithm of the API that the old system means by it.';

/** The compiled rule of a field. */
interface CompiledField extends CompiledRule {
  target: string;
  /** The value that records get without having one. */
  constant: string | undefined;
  /** Name of its column in the file, or of several joined by `+`; without a column, the name of the field. */
  name: string;
  /** Index of the column if its values are used unchanged, so that the width of its numbers is still meaningful. */
  plainColumn: number | undefined;
}

/**
 * Turns a source of foreign records into one whose columns are fields of the API. The steps of the recipe convert the cells; a
 * value that a step cannot read becomes an issue of its row. Rejects with a `SourceError` if the file lacks a required column.
 */
export async function applyRecipe(
  source: PreparedSource,
  { name, recipe }: NamedRecipe,
  options: RecipeReading = {},
): Promise<PreparedSource> {
  const { cells: header, line } = source.header;
  const fail = (fault: string) => new SourceError(source.file, `recipe ${name}: ${fault}`, line);
  const rules = rulesOf(recipe);
  const { used, ignored, missing, missingStatus } = checkColumns(recipe, rules, header, fail);
  const fields = await compileFields(recipe, rules, header);
  const targets = fields.map(({ target }) => target);
  if (!targets.includes('hash')) requireNoHashes(ignored, fail);
  const fixedColumns = new Map<number, FixedWidth>();
  for (const [index, { plainColumn = -1 }] of fields.entries()) {
    const width = source.fixedColumns.get(plainColumn);
    if (width !== undefined) fixedColumns.set(index, width);
  }
  // A name that may mean a salary is one of a salt unless the recipe says that the column does not matter.
  const isSaltName = (column: string) =>
    looksLikeSalt(column) && !(mayMeanOther(column) && recipe.ignore?.includes(column));
  const salts = header.flatMap((column, index) =>
    !used.has(index) && isSaltName(column) ? [{ index, name: shownName(column, index) }] : [],
  );
  const { algorithm, foreign } = recipe.password ?? {};
  const prepare = await compileRecord(recipe, header, fields, salts, options);
  return {
    ...source,
    header: { row: 0, line, cells: targets },
    fixedColumns,
    recipe: {
      name,
      digest: recipeDigest(recipe),
      columnNames: fields.map((field) => field.name),
      constants: fields.map(({ constant }) => constant),
      ignored: [
        ...ignored.map(([index, column]) => shownName(column, index)),
        ...(source.otherLists ?? []).filter((list) => !recipe.ignore?.includes(list)).map(shownList),
      ],
      foreignKind: algorithm && 'foreign' in algorithm ? algorithm.foreign : undefined,
      missing,
      missingStatus,
      infers: algorithm !== undefined && 'infer' in algorithm,
      foreignHashes: foreign ?? 'reject',
      skips: recipe.skip !== undefined,
      disables: recipe.disable !== undefined,
      open: recipe.open?.length ?? 0,
    },
    readRows: () => mapped(source.readRows(), prepare),
  };
}

/** Compiles the rules of the fields for which the file has a column, or the recipe a constant or a value for none. */
async function compileFields(
  recipe: Recipe,
  rules: readonly [string, RecipeRule][],
  header: readonly string[],
): Promise<CompiledField[]> {
  const fields: CompiledField[] = [];
  for (const [target, rule] of rules) {
    const columns = columnsOf(rule).filter((column) => findColumn(header, column) !== undefined);
    if (rule.value === undefined && columns.length === 0 && valueForNone(rule) === undefined) continue;
    const compiled = await compileRule(rule, header, recipe.empty ?? [], target);
    const [first] = columns;
    const isPlain = columns.length === 1 && rule.template === undefined && !isChanged(rule);
    fields.push({
      ...compiled,
      target,
      constant: rule.value === undefined ? valueForNone(rule) : String(rule.value),
      name: columns.join('+') || target,
      plainColumn: isPlain && first !== undefined ? findColumn(header, first) : undefined,
    });
  }
  return fields;
}

/**
 * Returns the function that converts a record of the file to these fields. `salts`: columns with salts, by their places in the header
 * and their names as they may be shown.
 */
async function compileRecord(
  recipe: Recipe,
  header: readonly string[],
  fields: readonly CompiledField[],
  salts: readonly { index: number; name: string }[],
  { onUnknownValue: onUnknown, onRead, readAt = Date.now() }: RecipeReading,
): Promise<(record: SourceRecord) => PreparedRecord> {
  const targets = fields.map(({ target }) => target);
  const skips = await compileSelection(recipe.skip, header, recipe.empty, readAt);
  const disables = await compileSelection(recipe.disable, header, recipe.empty, readAt);
  return ({ row, line, cells }) => {
    // Row validation reports these three by their shape.
    if (cells.length !== header.length) return { row, line, cells: [] };
    if (repeatsHeader(cells, header)) return { row, line, cells: targets };
    if (cells.every((cell) => cell === '')) return { row, line, cells: targets.map(() => '') };
    const causes: IssueCause[] = [];
    const made = fields.map(({ target, read, step, name: column }) => {
      const value = read(cells);
      const result = step(value);
      if (typeof result === 'string') return result;
      if (target === 'algorithm') {
        // Password validation reports unknown algorithms by name, and would take this name for that of an algorithm.
        if (isHashAlgorithm(value.toLowerCase()))
          causes.push({ code: 'ALGORITHM_UNKNOWN', column, detail: value, remedy: unlistedAlgorithm });
        return value;
      }
      if (result.code === 'VALUE_UNKNOWN') onUnknown?.(column, value);
      causes.push({ ...result, column });
      return '';
    });
    const skipped = skips(cells);
    const disabled = disables(cells);
    for (const column of [skipped, disabled]) {
      if (typeof column !== 'string') continue;
      onUnknown?.(column, cells[header.indexOf(column)] ?? '');
      causes.push({ code: 'VALUE_UNKNOWN', column, remedy: unknownStatus });
    }
    const isSkipped = typeof skipped === 'object';
    if (!isSkipped) onRead?.(row, cells);
    const salt = salts.find(({ index }) => isSalt(cells[index]))?.name;
    return {
      row,
      line,
      cells: made,
      ...(causes.length > 0 ? { causes } : {}),
      ...(salt === undefined ? {} : { salt }),
      ...(isSkipped ? { isSkipped, selectedBy: skipped } : {}),
      ...(!isSkipped && typeof disabled === 'object' ? { isDisabled: true, selectedBy: disabled } : {}),
    };
  };
}

async function* mapped(
  lists: AsyncGenerator<readonly SourceRecord[], void>,
  change: (record: SourceRecord) => PreparedRecord,
): AsyncGenerator<readonly PreparedRecord[], void> {
  for await (const list of lists) yield list.map(change);
}

/** The rules of all fields, including those of the password, by the column names of the API. */
function rulesOf({ fields, password }: Recipe): [string, RecipeRule][] {
  if (!password) return Object.entries(fields);
  const { algorithm, key, foreign: _, ...hash } = password;
  const rules: [string, RecipeRule][] = [...Object.entries(fields), ['hash', hash]];
  if ('value' in algorithm) rules.push(['algorithm', { value: algorithm.value }]);
  if ('column' in algorithm) {
    const { infer: _inferred, ...rule } = algorithm;
    rules.push(['algorithm', rule]);
  }
  if (key) rules.push(['key', key]);
  return rules;
}

/** True if the rule has a step that can change the digits of a number. */
function isChanged({ strip, replace, split, values, phone, date }: RecipeRule): boolean {
  return [strip, replace, split, values, phone, date].some((step) => step !== undefined);
}
