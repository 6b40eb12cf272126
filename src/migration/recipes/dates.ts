import { DateTime } from 'luxon';
import { isDay } from '../../contract/time.ts';
import type { RecipeStep, StepFault } from './recipe.ts';

const unreadable: StepFault = { code: 'DATE_UNREADABLE' };
const ambiguous: StepFault = {
  code: 'DATE_UNREADABLE',
  detail: 'two forms of the recipe give different days',
};

/** Days that are kept: birthdays repeat, and to read one takes as long as all else of a row. */
const mostKept = 20_000;

/** Reads a day by one form. */
type ReadDay = (value: string) => string | undefined;

/** `yyyy-mm-dd` of a date in one of these forms. Two forms that give different days leave it unread. */
export function dateStep(formats: readonly string[]): RecipeStep {
  const readers = formats.map(readerOf);
  const kept = new Map<string, string | StepFault>();
  return (value) => {
    const before = kept.get(value);
    if (before !== undefined) return before;
    const days = new Set(readers.map((read) => read(value)).filter((day) => day !== undefined));
    const [day = unreadable] = days;
    const found = days.size > 1 ? ambiguous : day;
    if (kept.size === mostKept) kept.clear();
    kept.set(value, found);
    return found;
  };
}

/** Forms that are no patterns. */
const special: Record<string, ReadDay> = {
  iso: (value) => {
    const day = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d.*)?$/.exec(value)?.[1];
    return day !== undefined && isDay(day) ? day : undefined;
  },
  'epoch-seconds': (value) => (/^-?\d{1,11}$/.test(value) ? dayOf(Number(value) * 1000) : undefined),
  'epoch-milliseconds': (value) => (/^-?\d{1,14}$/.test(value) ? dayOf(Number(value)) : undefined),
};

function readerOf(format: string): ReadDay {
  const known = special[format];
  if (known) return known;
  const parser = DateTime.buildFormatParser(format, { locale: 'en-US' });
  if (!/[yu]/.test(format) || !/[ML]/.test(format) || !/d/.test(format)) {
    throw new RangeError(
      `date: ${JSON.stringify(format)} is not a form such as dd.MM.yyyy, with day, month and year`,
    );
  }
  return (value) => {
    const date = DateTime.fromFormatParser(value, parser, { zone: 'utc', locale: 'en-US' });
    return date.isValid ? (date.toISODate() ?? undefined) : undefined;
  };
}

/** The day of a moment, in UTC. */
function dayOf(milliseconds: number): string | undefined {
  return DateTime.fromMillis(milliseconds, { zone: 'utc' }).toISODate() ?? undefined;
}
