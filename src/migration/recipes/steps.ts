import { RE2JS } from 're2js';
import { anyScientific } from '../rows/fields/validate-cell.ts';
import type { RecipeRule, RecipeScalar, RecipeStep } from './recipe.ts';

/** For each step, a function that creates it from its setting and the field. Steps never see empty values; only `default` does. */
type Steps = {
  [Name in Exclude<
    keyof RecipeRule,
    'column' | 'template' | 'value' | 'optional' | 'otherwise' | 'default'
  >]-?: (given: NonNullable<RecipeRule[Name]>, field?: string) => RecipeStep | Promise<RecipeStep>;
};

/** Leading and trailing spaces of any script, including invisible ones. */
const outerBlanks = /^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g;
const decimal = /^[+-]?\d+[.,]0+$/;
/** A spreadsheet keeps 15 digits of a number, and writes zeros for the others. */
const rounded = /^\d{15}0+$/;

/** Returns the text without blanks at both ends. */
export function trimmed(text: string): string {
  return text.replaceAll(outerBlanks, '');
}

/** Returns a test for texts that mean "no value". Blanks at the ends, with which exports of fixed width pad them, do not count. */
export function meansNothing(texts: readonly RecipeScalar[]): (text: string) => boolean {
  const none = new Set(texts.map((text) => trimmed(String(text))));
  return (text) => none.size > 0 && none.has(trimmed(text));
}

/** Characters that replacements may make of any value, beside four times its own: each could make a text many times as long. */
const mostReplaced = 65_536;

/** True if replacing the matches in a text makes at most so many characters. They are counted only where they could be too many. */
function isWithin(most: number, text: string, pattern: RE2JS, put: string): boolean {
  if (2 * (text.length + 1) * put.length <= mostReplaced) return true;
  const references = put.split('$').length - 1;
  const matcher = pattern.matcher(text);
  let length = text.length;
  while (length <= most && matcher.find())
    length += put.length + references * (matcher.end() - matcher.start());
  return length <= most;
}

/** The steps, in the order in which they are applied. */
export const stepTable: Steps = {
  empty: (given) => {
    const isNone = meansNothing(given);
    return (value) => (isNone(value) ? '' : value);
  },
  trim: (given) => (value) => (given ? trimmed(value) : value),
  strip: (prefixes) => (value) => {
    const found = prefixes.find((prefix) => value.startsWith(prefix));
    return found === undefined ? value : value.slice(found.length);
  },
  replace: (list) => {
    const compiled = list.map(({ match, with: put }) => ({ pattern: RE2JS.compile(match), put }));
    return (value) => {
      const most = mostReplaced + 4 * value.length;
      let text = value;
      for (const { pattern, put } of compiled) {
        if (!isWithin(most, text, pattern, put)) return { code: 'REPLACED_TOO_LONG' };
        text = pattern.matcher(text).replaceAll(put);
      }
      return text;
    };
  },
  split:
    ({ by, take }) =>
    (value) =>
      value.split(by).at(take > 0 ? take - 1 : take) ?? '',
  lower: (given) => (value) => (given ? value.toLowerCase() : value),
  upper: (given) => (value) => (given ? value.toUpperCase() : value),
  text: (given) => (value) => {
    if (!given) return value;
    if (anyScientific.test(value) || decimal.test(value)) return { code: 'SCIENTIFIC' };
    return rounded.test(value) ? { code: 'NUMBER_ROUNDED' } : value;
  },
  values: (given) => {
    const known = new Map(Object.entries(given).map(([value, becomes]) => [value, String(becomes)]));
    return (value) => known.get(value) ?? { code: 'VALUE_UNKNOWN' };
  },
  phone: async ({ region }) => (await import('./phone.ts')).phoneStep(region),
  date: async (formats, field) => (await import('./dates.ts')).dateStep(formats, field === 'attr_birthday'),
};

export type StepName = keyof typeof stepTable;
const stepNames = Object.keys(stepTable) as StepName[];

/** Steps whose rejections `otherwise` replaces. That of `text` means that an identifier was damaged. */
const replaced: ReadonlySet<StepName> = new Set(['values', 'phone', 'date']);

/** Combines the steps of a field's rule, in order, into one. `none`: texts that mean "no value" in every column. */
export async function compileSteps(
  rule: Partial<RecipeRule>,
  none: readonly RecipeScalar[] = [],
  field?: string,
): Promise<RecipeStep> {
  const given: Partial<RecipeRule> = { ...rule, empty: [...none, ...(rule.empty ?? [])] };
  const steps: (readonly [name: StepName, step: RecipeStep])[] = [];
  for (const name of stepNames) {
    const value = given[name];
    if (value === undefined || (name === 'empty' && given.empty?.length === 0)) continue;
    // The value has the type that its name requires, which the compiler cannot see in a loop.
    const make = stepTable[name] as (given: unknown, field?: string) => RecipeStep | Promise<RecipeStep>;
    steps.push([name, await make(value, field)]);
  }
  const { otherwise } = rule;
  const instead = valueForNone(rule);
  return (value) => {
    let current = value;
    for (const [name, step] of steps) {
      if (current === '') break;
      const next = step(current);
      if (typeof next !== 'string') {
        // An empty one leaves the value out, although the rule may have a value for none.
        return otherwise === undefined || !replaced.has(name) ? next : String(otherwise);
      }
      current = next;
    }
    return current === '' && instead !== undefined ? instead : current;
  };
}

/** What a rule gives where there is no value: by `default`, or by the entry of its table for the empty text. */
export function valueForNone({ default: given, values }: Partial<RecipeRule>): string | undefined {
  const instead = given ?? values?.[''];
  return instead === undefined ? undefined : String(instead);
}
