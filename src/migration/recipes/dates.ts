import { DateTime } from 'luxon';
import { isDay } from '../../contract/time.ts';
import { isZeroDate } from '../rows/fields/validate-cell.ts';
import type { RecipeStep, StepFault } from './recipe.ts';

const unreadable: StepFault = { code: 'DATE_UNREADABLE' };
const ambiguous: StepFault = {
  code: 'DATE_UNREADABLE',
  detail: 'two forms of the recipe give different days',
};

/** A birthday stored as a point in time is midnight in some time zone; in another one it is the day before. */
const moment: StepFault = {
  code: 'DATE_UNREADABLE',
  detail: 'it has a time of day, so that the day depends on the time zone',
  remedy:
    'Export the day alone, as the old system shows it. Where the written day is right, cut the time off: replace: [{ match: "[T ].*", with: "" }].',
};

/** Size of the cache of dates: birthdays repeat, and parsing one takes as long as everything else in a row. */
const mostKept = 20_000;

/** Reads a date in one form as `yyyy-mm-dd`; returns `undefined` for any other text. */
type ReadDay = (value: string) => string | undefined;

/**
 * Creates the step that converts a date in one of these forms to `yyyy-mm-dd`. Rejects a value for which two forms give different
 * days and, if `isBirthday`, one with a time of day. A birthday with a year of two digits is never in the future.
 */
export function dateStep(formats: readonly string[], isBirthday = false): RecipeStep {
  const today = DateTime.utc().toISODate();
  const readers = formats.map((format) => {
    const read = readerOf(format);
    // Beside seconds, the number of digits decides: ten would be a day of January 1970.
    if (format === 'epoch-milliseconds' && formats.includes('epoch-seconds'))
      return (value: string) => (/\d{11}/.test(value) ? read(value) : undefined);
    return isBirthday && shortYear.test(format) ? (value: string) => inThePast(read(value), today) : read;
  });
  const units = formats.flatMap((format) => dayIn[format] ?? []);
  const hasTime = (value: string) =>
    timeOfDay.test(value) || (/^-?\d+$/.test(value) && units.some((unit) => Number(value) % unit !== 0));
  const kept = new Map<string, string | StepFault>();
  return (value) => {
    if (isZeroDate(value)) return '';
    const before = kept.get(value);
    if (before !== undefined) return before;
    const days = new Set(readers.map((read) => read(value)).filter((day) => day !== undefined));
    const [day = unreadable] = days;
    const single = isBirthday && days.size === 1 && hasTime(value) ? moment : day;
    const found = days.size > 1 ? ambiguous : single;
    if (kept.size === mostKept) kept.clear();
    kept.set(value, found);
    return found;
  };
}

const shortYear = /(?<!y)yy(?!y)/;

/** A day whose year had two digits, a century earlier if it is in the future. */
function inThePast(day: string | undefined, today: string): string | undefined {
  if (day === undefined || day <= today) return day;
  const before = `${Number(day.slice(0, 4)) - 100}${day.slice(4)}`;
  return isDay(before) ? before : undefined;
}

/** A date of the forms `iso` or `generalized-time` with any time but midnight. */
const timeOfDay =
  /^(?:\d{4}-\d\d-\d\d[T ](?!00:00(?::00(?:[.,]0+)?)?(?:Z|[ +-]|$))|\d{8}(?=\d\d.*[Z+-])(?!0{2,6}(?:[.,]0+)?[Z+-]))/;

/** Length of a day in the forms that count from a day. */
const dayIn: Record<string, number> = {
  'epoch-seconds': 86_400,
  'epoch-milliseconds': 86_400_000,
  filetime: 864e9,
};

/** Milliseconds from the beginning of FILETIME, the year 1601, to 1970. */
const filetimeEpoch = 11_644_473_600_000;

/** Forms that have a name instead of a pattern. */
const special: Record<string, ReadDay> = {
  iso: (value) => {
    const day = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d.*)?$/.exec(value)?.[1];
    return day !== undefined && isDay(day) ? day : undefined;
  },
  // A -1 is the day before the first, which stands for none.
  'epoch-days': (value) => (/^(?:-1|\d{1,6})$/.test(value) ? dayOf(Number(value) * 86_400_000) : undefined),
  'epoch-seconds': (value) => (/^-?\d{1,11}$/.test(value) ? dayOf(Number(value) * 1000) : undefined),
  'epoch-milliseconds': (value) => (/^-?\d{1,14}$/.test(value) ? dayOf(Number(value)) : undefined),
  filetime: (value) =>
    /^\d{17,18}$/.test(value) ? dayOf(Number(value) / 10_000 - filetimeEpoch) : undefined,
  'generalized-time': (value) => {
    const [, year, month, date] =
      /^(\d{4})(\d\d)(\d\d)(?:\d\d){1,3}(?:[.,]\d+)?(?:Z|[+-]\d\d(?:\d\d)?)$/.exec(value) ?? [];
    const day = `${year}-${month}-${date}`;
    return isDay(day) ? day : undefined;
  },
};

function readerOf(format: string): ReadDay {
  const known = Object.hasOwn(special, format) ? special[format] : undefined;
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

/** The day in UTC of a time, as `yyyy-mm-dd`. */
function dayOf(milliseconds: number): string | undefined {
  const day = DateTime.fromMillis(milliseconds, { zone: 'utc' }).toISODate();
  return day !== null && isDay(day) ? day : undefined;
}
