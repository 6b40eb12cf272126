import { formatCount } from '../../text/format-count.ts';
import { readFlag } from '../recipes/read-flag.ts';
import type { RecipeCondition, RecipeSelection } from '../recipes/recipe.ts';
import { meaningOfName, meaningOfWord } from '../rows/looks-like-status.ts';
import { adviseConditions, type Interview, inYaml, later } from './interview.ts';
import { askDateForms } from './propose-rules.ts';
import type { ColumnSurvey } from './survey.ts';

/** The answer that a column says nothing of who may log in. No value is a blank. */
const nobody = { value: ' ', name: 'nobody: it says something else' };

/** What a yes means, by the meaning of the name of its column. */
const yesMeans: Partial<Record<string, 'in' | 'out'>> = {
  in: 'in',
  out: 'out',
  lockEnd: 'out',
  accountEnd: 'out',
};

/** What a value says. A word such as `enabled` does so only where the name of the column does not say the opposite. */
function meaningOf(column: string, value: string): 'in' | 'out' | undefined {
  const name = meaningOfName(column) ?? '';
  const isYes = readFlag(value);
  if (isYes === undefined) return name === 'in' || name === 'status' ? meaningOfWord(value) : undefined;
  const yes = yesMeans[name];
  return yes && (isYes === (yes === 'in') ? 'in' : 'out');
}

/** The test for the day on which something ends, by the meaning of the name of its column, and why. */
const tests: Partial<Record<string, { test: 'past' | 'not_past'; choice: string; why: string }>> = {
  lockEnd: {
    test: 'not_past',
    choice: 'people with a value, until that day has passed',
    why: 'if the day of a lock or a ban has passed, it has ended',
  },
  accountEnd: {
    test: 'past',
    choice: 'people whose day has passed',
    why: 'if the last day of an account has passed, it has ended',
  },
};

/** True if a condition reads dates of these forms without naming them. */
const isPlain = (forms: readonly string[]) => forms.every((form) => form === 'iso');

/**
 * Asks whom to skip or disable, by the unused columns that look like a status: whoever is enabled by mistake can log in, and whoever is
 * left out has no account. `others`: conditions that the recipe has.
 */
export function proposeSelection(
  unused: readonly ColumnSurvey[],
  interview: Interview,
  others = 0,
): { skip?: RecipeSelection; disable?: RecipeSelection; ignore?: string[] } {
  const columns = unused.filter(({ isStatus }) => isStatus);
  const areOthers = columns.length + others > 1;
  const proposed = columns.map((column) => ({
    name: column.name,
    where: (column.values ? byWords : byTime)(column, areOthers, interview),
  }));
  const where = proposed.flatMap(({ where }) => where ?? []);
  const unread = proposed.flatMap(({ name, where }) => (where ? [] : [name]));
  const ignore = unread.length > 0 ? { ignore: unread } : {};
  const [first] = where;
  if (!first) return ignore;
  const [fate] = interview.ask({
    id: 'fate',
    message: 'What should happen to users who may not log in?',
    choices: [
      { value: 'skip', name: 'leave them out' },
      { value: 'disable', name: 'create them, and disable them at once (for ever)' },
    ],
    suggested: ['skip'],
    open: '',
  });
  const selection = { where: where.length === 1 ? first : where };
  return { ...(fate === 'disable' ? { disable: selection } : { skip: selection }), ...ignore };
}

/** Asks about a column of which only matters whether there is a value, or whether its day has passed; `undefined`: of neither. */
function byTime(
  column: ColumnSurvey,
  areOthers: boolean,
  interview: Interview,
): RecipeCondition[] | undefined {
  const { name, filled, blank, zeros, wordsForNone: words, samples, dates, isOfPerson } = column;
  const { ask, leaveOpen } = interview;
  const [given, rows] = [filled - zeros, filled + blank];
  if (given === 0) return [];
  const { sure, choices } = dates.forms();
  const forms = [...sure, ...choices.flat()];
  const meaning = meaningOfName(name) ?? '';
  const [end, yes] = isOfPerson ? [tests[meaning], yesMeans[meaning]] : [];
  // Without a form that is known, the condition could not read the column.
  const day = forms.length > 0 ? end : undefined;
  const zero = dates.hasZero() ? ['0'] : [];
  const ended = (test: string, date: readonly string[]): RecipeCondition[] => [
    {
      column: name,
      [test]: true,
      ...(isPlain(date) ? {} : { date: [...date] }),
      ...(zero.length > 0 ? { not_in: zero } : {}),
    },
  ];
  const share = (some: number) => `${formatCount(some)} of ${formatCount(rows, 'row')}`;
  const groups = [
    {
      value: 'filled',
      name: `people with a value (${share(given)})`,
      where: [{ column: name, ...(words.length > 0 ? { not_in: words } : {}), filled: true }],
      who: 'people with a value',
      rows: given,
      means: 'out',
    },
    {
      value: 'empty',
      name: `people without a value (${share(rows - given)})`,
      where: [{ column: name, filled: false }, ...(words.length > 0 ? [{ column: name, in: words }] : [])],
      who: 'people without a value',
      rows: rows - given,
      means: 'in',
    },
  ];
  // Those who may not log in are some of the people, and mostly fewer than the others.
  const likely = groups
    .filter(({ means, rows: some }) => some > 0 && some < rows && [undefined, means].includes(yes))
    .toSorted((one, other) => one.rows - other.rows);
  const leave = choices.map(([first, second]) => `; leave one of the two forms ${first} and ${second}`);
  const why = day ? `${day.why}${leave.join('')}` : 'FORM is how its dates are written, such as d.M.yyyy';
  const lines = end
    ? [[ended(end.test, day ? forms : ['FORM']), why] as const]
    : likely.map(({ where, who }) => [where, who] as const);
  const shown = samples.join(', ');
  const [answer] = ask({
    id: `status ${name}`,
    message: `Who may not log in, by ${name} (values such as ${shown})?`,
    choices: [
      later,
      nobody,
      ...groups.slice(0, 1),
      ...(day ? [{ value: day.test, name: day.choice }] : []),
      ...groups.slice(1),
    ],
    open: `${name} may say who is disabled (a value in ${share(given)}, such as ${shown}): ${adviseConditions(lines, areOthers)}`,
  });
  if (answer === nobody.value) return undefined;
  const unread = dates.unknown() + dates.rejected();
  // Nobody else says so who follows what is open.
  if (day && unread > 0 && (answer === day.test || answer === undefined)) {
    const others = dates.unknownWords();
    const them = others ? `not_in: [${[...zero, ...others].map(inYaml).join(', ')}]` : 'them to not_in:';
    leaveOpen(
      `${name} has ${formatCount(unread, 'value')} that ${unread === 1 ? 'is' : 'are'} no such date: beside ${day.test}:, add ${them} if the condition does not hold then, or these rows are rejected`,
    );
  }
  if (day && answer === day.test) return ended(day.test, askDateForms(column, interview));
  return groups.find(({ value }) => value === answer)?.where ?? [];
}

/** Asks about a column that holds a few words; `undefined`: they say something else. */
function byWords(
  { name, values = new Map(), filled, blank, isOfPerson }: ColumnSurvey,
  areOthers: boolean,
  { ask, note }: Interview,
): RecipeCondition[] | undefined {
  const rows = filled + blank;
  const all = formatCount(rows, 'row');
  const meanings = new Map([...values.keys()].map((value) => [value, meaningOf(name, value)]));
  const [[only = '', meaning] = [], ...more] = meanings;
  if (!meaning && more.length + blank === 0 && meaningOfWord(only) !== 'out') {
    note(
      `${name} has the value ${only} in all ${all}, and is not used: if another value means that a person may not log in, add a condition before the recipe reads another file`,
    );
    return [];
  }
  const out = [...values.keys()].filter((value) => meanings.get(value) === 'out');
  const areIn = [...meanings.values()].every((meaning) => meaning === 'in');
  // A value that appears in a later export enables nobody: its row is rejected.
  const selecting = (words: readonly string[], known: readonly string[]): RecipeCondition[] => [
    {
      column: name,
      in: words.filter((word) => word !== ''),
      known: known.filter((word) => !words.includes(word)),
    },
    ...(words.includes('') ? [{ column: name, filled: false }] : []),
  ];
  // Where everybody may log in, a later export can have people who may not.
  if (areIn && blank === 0) return isOfPerson ? selecting([], [...values.keys()]) : [];
  // A word that is not known is in neither list, so that its rows are rejected until somebody says what it means.
  const ins = [...values.keys()].filter((value) => meanings.get(value) === 'in');
  // If a value says that a person may log in, having none may say the opposite, or nothing.
  const likely = areIn ? [''] : blank > 0 && ins.length > 0 ? [] : out;
  // Nobody exports only people who may not log in.
  const areSome = likely.reduce((sum, value) => sum + (values.get(value) ?? 0), 0) < rows;
  const isDrafted = areSome && isOfPerson && likely.length > 0;
  const words = [...values, ...(blank > 0 ? [['', blank] as const] : [])];
  const line = isDrafted
    ? selecting(likely, ins)
    : [{ column: name, in: ['VALUES'], known: ['OTHER VALUES'] }];
  const shown = words.map(([value, rows]) => `${value || 'no value'}: ${formatCount(rows)}`);
  const answer = ask({
    id: `status ${name}`,
    message: `Which values of ${name} mean that a person may not log in?`,
    choices: [
      ...words.map(([value, rows]) => ({
        value,
        name: `${value || 'no value'} (${formatCount(rows)} of ${all})`,
      })),
      nobody,
    ],
    isMany: true,
    // Enter alone must not enable people by a word that is not known.
    ...(isDrafted && out.length + ins.length === meanings.size ? { initial: out } : {}),
    open: `${name} may say who is disabled (${shown.join(', ')}; of ${all}): ${adviseConditions([[line]], areOthers)}`,
  });
  const chosen = answer.filter((value) => value !== nobody.value);
  if (chosen.length > 0) return selecting(chosen, [...values.keys()]);
  return answer.length > 0 ? undefined : [];
}
