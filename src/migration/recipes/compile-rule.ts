import { RE2JS } from 're2js';
import { isNoDay, isNullMarker } from '../rows/fields/validate-cell.ts';
import { isWord } from '../rows/ignored-columns.ts';
import { isWordForNone } from './read-flag.ts';
import {
  columnsOf,
  type RecipeCondition,
  type RecipeRule,
  type RecipeScalar,
  type RecipeSelection,
  type RecipeStep,
} from './recipe.ts';
import { compileSteps, meansNothing, stepTable, trimmed } from './steps.ts';
import { compileTemplate } from './template.ts';

/** How a value is read from a record, and the step that converts it. */
export interface CompiledRule {
  read: (cells: readonly string[]) => string;
  step: RecipeStep;
}

/** Returns the conditions that select the record, else the name of a column whose value no condition knows, else `undefined`. */
type Selects = (cells: readonly string[]) => readonly string[] | string | undefined;

/** Returns true if a condition holds, and the name of its column if it does not know the value. */
type Holds = (cells: readonly string[]) => boolean | string;

/** Index of a column: by its exact name, or by the only name that differs just in case or in surrounding blanks. */
export function findColumn(header: readonly string[], name: string): number | undefined {
  const exact = header.indexOf(name);
  if (exact !== -1) return exact;
  const lower = name.toLowerCase();
  const found = header.flatMap((column, index) => (column.trim().toLowerCase() === lower ? [index] : []));
  return found.length === 1 ? found[0] : undefined;
}

/** Compiles the rule of a field. `none`: texts that mean "no value" in every column. */
export async function compileRule(
  rule: RecipeRule,
  header: readonly string[],
  none: readonly RecipeScalar[],
  field: string,
): Promise<CompiledRule> {
  const step = await compileSteps(rule, none, field);
  return { read: reading(rule, header, none), step };
}

function reading(rule: RecipeRule, header: readonly string[], ofAll: readonly RecipeScalar[]) {
  if (rule.value !== undefined) {
    const constant = String(rule.value);
    return () => constant;
  }
  const isNone = meansNothing([...ofAll, ...(rule.empty ?? [])]);
  // Another column has its turn where the first steps of the rule would leave nothing.
  const isFilled = (cell = '') => !isNone(cell) && (rule.trim ? trimmed(cell) : cell) !== '';
  const indexes = [rule.column ?? []].flat().flatMap((column) => findColumn(header, column) ?? []);
  if (rule.template !== undefined) {
    const joined = compileTemplate(rule.template, (column) => {
      const index = findColumn(header, column) ?? -1;
      return (cells) => (isFilled(cells[index]) ? (cells[index] ?? '') : '');
    });
    return (cells: readonly string[]) => {
      const filled = indexes.find((index) => isFilled(cells[index]));
      return filled === undefined ? joined(cells) : (cells[filled] ?? '');
    };
  }
  const [only = -1] = indexes;
  if (indexes.length < 2) return (cells: readonly string[]) => cells[only] ?? '';
  return (cells: readonly string[]) => {
    const filled = indexes.find((index) => isFilled(cells[index]));
    return cells[filled ?? only] ?? '';
  };
}

/**
 * Selects the records for which one of the conditions holds; without any, none. A condition on columns that the file lacks never
 * holds. Words for "no value", such as NULL and the zero date of MySQL, are none, and so is `isNoDay`. Values are compared without
 * blanks at both ends, with which exports of fixed width pad them: nobody may be enabled by one. `now`: the time, in epoch
 * milliseconds, by which a date has passed or not. For these, a number 0 is no date: in some systems it means that there is none, in
 * others that the time is over.
 */
export async function compileSelection(
  selection: RecipeSelection | undefined,
  header: readonly string[],
  none: readonly RecipeScalar[] | undefined,
  now: number,
): Promise<Selects> {
  if (!selection) return () => undefined;
  const isNone = meansNothing(none ?? []);
  const isGiven = (cell: string) => cell !== '' && !isNone(cell) && !isNullMarker(cell) && !isNoDay(cell);
  const passed = lastPassedDay(now);
  const conditions = [selection.where].flat();
  // Where words or flags of a column count, a zero is one of them.
  const ofWords = new Set(conditions.filter(readsWords).flatMap(columnsOf));
  const valuesBy = new Map<string, RecipeScalar[]>();
  for (const condition of conditions)
    for (const column of columnsOf(condition))
      valuesBy.set(column, [...(valuesBy.get(column) ?? []), ...valuesOf(condition)]);
  const compiled = conditions.map(async (condition): Promise<Holds> => {
    const indexes = columnsOf(condition).flatMap((column) => findColumn(header, column) ?? []);
    const within = condition.in && textsOf(condition.in);
    const outside = condition.not_in && textsOf(condition.not_in);
    const others = condition.known && textsOf(condition.known);
    const pattern = condition.match === undefined ? undefined : RE2JS.compile(condition.match);
    const hasDay = condition.past === true || condition.not_past === true;
    const readDay = hasDay ? await stepTable.date(condition.date ?? ['iso']) : undefined;
    // Whether these say that there is a value, only a person knows: nobody may be enabled or disabled by one.
    const named = textsOf(columnsOf(condition).flatMap((column) => valuesBy.get(column) ?? []));
    const isUnclear = (cell: string) => isWordForNone(cell) && !named.has(cell);
    const isZeroNone = !hasDay && !columnsOf(condition).some((column) => ofWords.has(column));
    const isFilled = (cell: string) => isGiven(cell) && !(isZeroNone && cell === '0');
    if (indexes.length === 0) return () => false;
    return (cells) => {
      const index = indexes.find((one) => isFilled(trimmed(cells[one] ?? ''))) ?? indexes[0] ?? -1;
      const cell = trimmed(cells[index] ?? '');
      if (within && !within.has(cell)) {
        return others && isFilled(cell) && !others.has(cell) ? (header[index] ?? '') : false;
      }
      if (outside?.has(cell)) return false;
      if (pattern && !pattern.matcher(cell).find()) return false;
      if (readDay) {
        if (!isFilled(cell)) return false;
        const isNever = neverComes(cell);
        const day = isNever ? '' : readDay(cell);
        if (typeof day !== 'string' || cell === '0') return header[index] ?? '';
        if (isNoDay(day)) return false;
        const isPast = !isNever && day <= passed;
        if ((condition.past && !isPast) || (condition.not_past && isPast)) return false;
      }
      if (condition.bit !== undefined) {
        if (!flags.test(cell)) return isFilled(cell) && !named.has(cell) ? (header[index] ?? '') : false;
        if ((Number(cell) & condition.bit) === 0) return false;
      }
      if (condition.filled === undefined) return true;
      if (isFilled(cell) && isUnclear(cell)) return header[index] ?? '';
      return isFilled(cell) === condition.filled;
    };
  });
  const tests = await Promise.all(compiled);
  const names = conditions.map(shownCondition);
  return (cells) => {
    const found = tests.map((test) => test(cells));
    if (found.includes(true)) return names.filter((_, index) => found[index] === true);
    return found.find((one) => typeof one === 'string');
  };
}

/** A sum of flags; of any other text, such as the names of the flags, or `66,050`, it cannot be said which it has. */
const flags = /^(?:[+-]?\d+(?:\.0+)?|0x[\da-f]+)$/i;

const mostShown = 5;

/**
 * A condition as it is written in the recipe, without the values that it only knows; of a long list, the first ones. Hashes, addresses
 * and other values that may be somebody's are left out: the text is kept with the job.
 */
function shownCondition({ known: _, ...condition }: RecipeCondition): string {
  const entries = Object.entries(condition).map(([name, value]) => {
    if (!Array.isArray(value)) return `${name}: ${name === 'match' && !isWord(String(value)) ? '…' : value}`;
    const shown = value.filter((word) => isWord(String(word))).slice(0, mostShown);
    return `${name}: [${[...shown, ...(value.length > shown.length ? ['…'] : [])].join(', ')}]`;
  });
  return `{ ${entries.join(', ')} }`;
}

/** True for a condition that looks at the value itself, and not only at whether there is one, or at its day. */
function readsWords(condition: RecipeCondition): boolean {
  const { match, bit } = condition;
  return (
    [match, bit].some((test) => test !== undefined) ||
    !valuesOf(condition).every((value) => isWordForNone(String(value)))
  );
}

/** The values that a condition names. */
function valuesOf({ in: within = [], not_in: outside = [], known = [] }: RecipeCondition): RecipeScalar[] {
  return [...within, ...outside, ...known];
}

/** The texts of a condition as they are compared; they may be written in the recipe as the file has them. */
function textsOf(values: readonly RecipeScalar[] = []): ReadonlySet<string> {
  return new Set(values.map((value) => trimmed(String(value))));
}

/** The last day, as yyyy-mm-dd, that has ended in every time zone at the time `now`. */
export function lastPassedDay(now: number): string {
  return new Date(now - 36 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/** Words, the last FILETIME, and the year 9999 in any time zone, in seconds or milliseconds since 1970. */
const never = /^(?:infinity|never|9223372036854775807|(?:2533[7-9]\d|25340[0-2])\d{6}(?:\d{3})?)$/i;

/** True for what systems write where an account has no end. */
export function neverComes(text: string): boolean {
  return never.test(text);
}
