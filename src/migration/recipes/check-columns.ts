import type { SourceError } from '../model/errors.ts';
import { mayBePassword, suggestField } from '../rows/fields/suggest-field.ts';
import { isShown } from '../rows/ignored-columns.ts';
import { findColumn } from './compile-rule.ts';
import {
  columnsOf,
  columnsRead,
  conditionsOf,
  type Recipe,
  type RecipeCondition,
  type RecipeRule,
} from './recipe.ts';

/**
 * Compares a recipe with the header of a file. `used`: indexes of the columns that the recipe reads; `ignored`: columns that it neither
 * reads nor names under `ignore`. Throws if a column is missing, or the recipe cannot know which one to read.
 */
export function checkColumns(
  recipe: Recipe,
  rules: readonly [string, RecipeRule][],
  header: readonly string[],
  fail: Fail,
) {
  requireColumns(recipe, rules, header, fail);
  const used = new Set(columnsRead(recipe).flatMap((column) => findColumn(header, column) ?? []));
  requireDistinct(used, header, fail);
  const conditions = conditionsOf(recipe);
  return {
    used,
    ignored: [...header.entries()].filter(
      ([index, column]) => !used.has(index) && !recipe.ignore?.includes(column),
    ),
    missing: missingOf(conditions, header).map((columns) => columns.join(' or ')),
    missingStatus: missingStatusOf(conditions, header),
  };
}

type Fail = (fault: string) => SourceError;

/** Throws if the file lacks columns that the recipe requires. A field needs one of its columns, or all those of its template. */
function requireColumns(
  recipe: Recipe,
  rules: readonly [string, RecipeRule][],
  header: readonly string[],
  fail: Fail,
): void {
  if (recipe.optional_columns) return;
  const lacks = (column: string) => findColumn(header, column) === undefined;
  const ofRules = rules.flatMap(([, rule]) => {
    if (rule.optional) return [];
    const { column = [], template } = rule;
    const columns = [column].flat();
    const ofTemplate = template === undefined ? [] : columnsOf({ template }).filter(lacks);
    const isMade = template !== undefined && ofTemplate.length === 0;
    return isMade || columns.some((one) => !lacks(one)) ? [] : [...columns, ...ofTemplate];
  });
  const absent = new Set([...ofRules, ...missingOf(conditionsOf(recipe), header).flat()]);
  if (absent.size === 0) return;
  const names = [...absent].map((column) => JSON.stringify(column)).join(', ');
  throw fail(
    `the file has no column ${names}; it has ${header.filter(isShown).join(', ')}. Name the right one in the recipe, or mark the field as optional: true`,
  );
}

/** The columns of each condition of which the file has none. */
function missingOf(conditions: readonly RecipeCondition[], header: readonly string[]): string[][] {
  const lacks = (column: string) => findColumn(header, column) === undefined;
  const missing = conditions.map(columnsOf).filter((columns) => columns.every(lacks));
  return [...new Map(missing.map((columns) => [columns.join(' or '), columns])).values()];
}

/** The columns by which people who may not log in are found, if the file has none of them: see `AppliedRecipe`. */
function missingStatusOf(conditions: readonly RecipeCondition[], header: readonly string[]): string[] {
  // Who lacks a value, such as a user name, was not disabled; and a part of a value, such as of a hash, is no status.
  const found = conditions.filter(({ filled, match }) => filled !== false && match === undefined);
  const lacks = (column: string) => findColumn(header, column) === undefined;
  if (!found.flatMap(columnsOf).every(lacks)) return [];
  return missingOf(found, header).map((columns) => columns.join(' or '));
}

/** Throws if the recipe reads a column whose name occurs twice. */
function requireDistinct(used: ReadonlySet<number>, header: readonly string[], fail: Fail): void {
  for (const index of used) {
    const last = header.lastIndexOf(header[index] ?? '');
    if (last === index) continue;
    throw fail(
      `the columns ${index + 1} and ${last + 1} have the same name, and the recipe reads one of them; rename the other`,
    );
  }
}

/** Throws if the recipe reads no hashes and leaves out a column that may hold them. */
export function requireNoHashes(ignored: readonly [number, string][], fail: Fail): void {
  const isHash = (name: string) => mayBePassword(name) || suggestField(name) === 'hash';
  const found = ignored.find(([, column]) => isHash(column) || isHash(column.split('.').at(-1) ?? ''));
  if (!found) return;
  throw fail(
    `it reads no hashes from this file, which has the column ${JSON.stringify(found[1])}: every user would be without a password. Use a recipe that reads it (--from none for none at all), or name it under ignore:`,
  );
}
