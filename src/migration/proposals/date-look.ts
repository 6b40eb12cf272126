import { dateStep } from '../recipes/dates.ts';
import type { RecipeStep } from '../recipes/recipe.ts';

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
];

/** What the dates of a column look like. */
export type DateLook = ReturnType<typeof createDateLook>;

/** Creates an empty `DateLook` for one column of birthdays. */
export function createDateLook() {
  let unknown = 0;
  let rejected = 0;
  const steps = new Map<(typeof shapes)[number], RecipeStep[]>();
  const seen = new Map<(typeof shapes)[number], { dayFirst: boolean; monthFirst: boolean }>();
  return {
    add(value: string): void {
      const text = value.trim();
      const found = shapes.find(({ shape }) => shape.test(text));
      if (!found) {
        unknown += 1;
        return;
      }
      const tried = steps.get(found) ?? found.forms.map((form) => dateStep([form ?? ''], true));
      steps.set(found, tried);
      if (!tried.some((step) => typeof step(text) === 'string')) rejected += 1;
      const known = seen.get(found) ?? { dayFirst: false, monthFirst: false };
      const [, first, second] = found.shape.exec(text) ?? [];
      if (Number(first) > 12) known.dayFirst = true;
      if (Number(second) > 12) known.monthFirst = true;
      seen.set(found, known);
    },
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
    /** Number of values in none of the known forms. */
    unknown: () => unknown,
    /** Number of values in a known form that the step of a recipe rejects: days that do not exist, or with a time of day. */
    rejected: () => rejected,
  };
}
