import { neverComes } from '../recipes/compile-rule.ts';
import { dateStep } from '../recipes/dates.ts';
import { isWordForNone } from '../recipes/read-flag.ts';
import { isNoDay } from '../rows/fields/validate-cell.ts';
import { isPlainWord, mostWords } from './status-look.ts';

/** Forms in which dates are written, by their look. Of two forms, one begins with the day and the other with the month. */
const shapes: readonly { shape: RegExp; forms: readonly [string, string?] }[] = [
  { shape: /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/, forms: ['iso'] },
  { shape: /^\d{4}-\d{1,2}-\d{1,2}$/, forms: ['yyyy-M-d'] },
  { shape: /^\d{4}\/\d{1,2}\/\d{1,2}$/, forms: ['yyyy/M/d'] },
  { shape: /^\d{4}\.\d{1,2}\.\d{1,2}$/, forms: ['yyyy.M.d'] },
  { shape: /^\d{4}年\d{1,2}月\d{1,2}日$/, forms: ['yyyy年M月d日'] },
  { shape: /^(?:19|20)\d{6}$/, forms: ['yyyyMMdd'] },
  { shape: /^(\d{1,2})\.(\d{1,2})\.\d{4}$/, forms: ['d.M.yyyy'] },
  { shape: /^(\d{1,2})\/(\d{1,2})\/\d{4}$/, forms: ['d/M/yyyy', 'M/d/yyyy'] },
  { shape: /^(\d{1,2})-(\d{1,2})-\d{4}$/, forms: ['d-M-yyyy', 'M-d-yyyy'] },
  { shape: /^\d{1,2} [A-Z][a-z]{2} \d{4}$/, forms: ['d MMM yyyy'] },
  { shape: /^-?\d{9,10}$/, forms: ['epoch-seconds'] },
  { shape: /^-?\d{12,13}$/, forms: ['epoch-milliseconds'] },
  { shape: /^\d{17,18}$/, forms: ['filetime'] },
  { shape: /^\d{14}(?:[.,]\d+)?(?:Z|[+-]\d{4})$/, forms: ['generalized-time'] },
];

/** Days since 1970 from 1997 to 2052. Spreadsheets have other numbers for days since 1982, but not for all birthdays. */
const days = { shape: /^[12]\d{4}$/, forms: ['epoch-days'] } as const;
/** What is read as days beside these: `1` is how an account is disabled, and -1 stands for none. */
const beforeAndAfter = /^(?:-1|\d{1,6})$/;

/** A day with a year of two digits. */
const ofShortYear = /^\d{1,2}([./-])\d{1,2}\1\d\d$/;

/** Number of values in no known form after which a column without a known name is not one of dates. */
const mostUnknown = 100;

/** Creates an empty look at one column of dates: what they look like. */
export function createDateLook(areBirthdays: boolean) {
  let hasZero = false;
  let unknown = 0;
  let separator: string | undefined;
  let rejected = 0;
  let areWords = true;
  const words = new Set<string>();
  const known = areBirthdays ? shapes : [...shapes, days];
  const seen = new Map<(typeof shapes)[number], ReturnType<typeof lookAt>>();
  let mayBeDays = 0;
  const isDay = (text: string) => seen.has(days) && beforeAndAfter.test(text);
  return {
    add(value: string): void {
      const text = value.trim();
      hasZero ||= text === '0';
      // Conditions know what means that there is no day, and recipes say what a 0 means.
      if (!areBirthdays && (text === '0' || isNoDay(text) || neverComes(text))) return;
      const found = known.find(({ shape }) => shape.test(text));
      if (!found) {
        unknown += 1;
        separator ??= ofShortYear.exec(text)?.[1];
        if (beforeAndAfter.test(text)) mayBeDays += 1;
        areWords &&= isWordForNone(text) || (isPlainWord(text) && words.size < mostWords);
        if (areWords) words.add(text);
        return;
      }
      const look = seen.get(found) ?? lookAt(found, areBirthdays);
      seen.set(found, look);
      if (!look.steps.some((step) => typeof step(text) === 'string')) rejected += 1;
      const [, first, second] = found.shape.exec(text) ?? [];
      if (Number(first) > 12) look.dayFirst = true;
      if (Number(second) > 12) look.monthFirst = true;
    },
    mayBeDates: () => unknown < mostUnknown,
    /** Forms that read all dates seen; `choices`: pairs of forms, where it is open whether the day or the month comes first. */
    forms(): { sure: string[]; choices: [string, string][] } {
      const sure: string[] = [];
      const choices: [string, string][] = [];
      for (const [{ forms }, { dayFirst, monthFirst }] of seen) {
        const [form, other] = forms;
        if (other === undefined || (dayFirst && !monthFirst)) sure.push(form);
        else if (monthFirst && !dayFirst) sure.push(other);
        else choices.push([form, other]);
      }
      return { sure, choices };
    },
    /** True if a value is the number 0. */
    hasZero: () => hasZero,
    /** Number of values in none of the known forms. */
    unknown: () => unknown - (seen.has(days) ? mayBeDays : 0),
    /** What separates the parts of those with a year of two digits. */
    separator: () => separator,
    /** These values, if they are a few words and nothing else is rejected. */
    unknownWords: () => (areWords && rejected === 0 ? [...words].filter((word) => !isDay(word)) : undefined),
    /** Number of values in a known form that the step of a recipe rejects: days that do not exist, and birthdays with a time of day. */
    rejected: () => rejected,
  };
}

/** Starts to look at dates of one shape. */
function lookAt({ forms }: (typeof shapes)[number], areBirthdays: boolean) {
  const steps = forms.map((form) => dateStep([form ?? ''], areBirthdays));
  return { steps, dayFirst: false, monthFirst: false };
}
