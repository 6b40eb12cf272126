import { formatCount } from '../../text/format-count.ts';
import { oppositesOf, readFlag } from '../recipes/read-flag.ts';
import type { RecipeCondition, RecipeSelection } from '../recipes/recipe.ts';
import { holdsStates, meaningOfName, meaningOfWord } from '../rows/looks-like-status.ts';
import { adviseConditions, type Interview, inYaml, later } from './interview.ts';
import { askDateForms } from './propose-rules.ts';
import type { ColumnSurvey } from './survey.ts';

/** The answer that a column says nothing of who may log in. No value is a blank. */
const nobody = { value: ' ', name: 'nobody: it says something else' };
type Meaning = 'in' | 'out' | 'perhapsOut' | undefined;

/** What a yes and a no mean, by the name of their column. */
const flags: Partial<Record<string, readonly [yes: Meaning, no: Meaning]>> = {
  in: ['in', 'out'],
  out: ['out', 'in'],
  perhapsIn: ['in', 'perhapsOut'],
  perhapsOut: ['perhapsOut', 'in'],
  lockEnd: ['perhapsOut', 'in'],
  accountEnd: ['perhapsOut', 'in'],
};

/** What a value says. A word such as `enabled` does so only where the name of the column does not say the opposite. */
function meaningOf(column: string, value: string): Meaning {
  const name = meaningOfName(column) ?? '';
  const isYes = readFlag(value);
  if (isYes !== undefined) return flags[name]?.[isYes ? 0 : 1];
  return name === 'in' || name === 'status' ? meaningOfWord(value) : undefined;
}

/** The test for the day on which something ends, by the name of its column, and why. */
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
 * Proposes whom to skip or disable, by the unused columns that look like a status. `names`: those of all columns. `others`: conditions
 * that the recipe has.
 */
export function proposeSelection(
  unused: readonly ColumnSurvey[],
  interview: Interview,
  { names, others = 0 }: { names: readonly string[]; others?: number },
): { skip?: RecipeSelection; disable?: RecipeSelection; ignore?: string[] } {
  const columns = unused.filter(({ isStatus }) => isStatus);
  const areOthers = columns.length + others > 1;
  // Where there are too many for words, only their masks are known.
  const isOfAddress = ({ name, values, samples }: ColumnSurvey) =>
    holdsStates(name, values?.keys() ?? samples, names);
  const proposed = columns.map((column) => ({
    name: column.name,
    where: isOfAddress(column)
      ? undefined
      : column.values
        ? byWords(column, areOthers, interview)
        : byTime(column, areOthers, interview),
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
  const { name, filled, blank, zeros, wordsForNone: words, samples, dates } = column;
  const { ask, leaveOpen } = interview;
  const [given, rows] = [filled - zeros, filled + blank];
  if (given === 0) return [];
  const { sure, choices } = dates.forms();
  const forms = [...sure, ...choices.flat()];
  const meaning = meaningOfName(name) ?? '';
  const [end, [yes] = []] = column.isOfPerson ? [tests[meaning], flags[meaning]] : [];
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
  const withValue = [{ column: name, ...(words.length > 0 ? { not_in: words } : {}), filled: true }];
  const without = [
    { column: name, filled: false },
    ...(words.length > 0 ? [{ column: name, in: words }] : []),
  ];
  const either = [[withValue, 'people with a value'] as const, [without, 'people without a value'] as const];
  const likely = either.filter(([where]) => yes === undefined || (where === without) === (yes === 'in'));
  const why = day ? day.why : 'FORM is how its dates are written, such as d.M.yyyy';
  const line = end ? [[ended(end.test, day ? forms : ['FORM']), why] as const] : likely;
  const shown = samples.join(', ');
  const share = (some: number) => `${formatCount(some)} of ${formatCount(rows, 'row')}`;
  const [answer] = ask({
    id: `status ${name}`,
    message: `Who may not log in, by ${name} (values such as ${shown})?`,
    choices: [
      later,
      nobody,
      { value: 'filled', name: `people with a value (${share(given)})` },
      ...(day ? [{ value: day.test, name: day.choice }] : []),
      { value: 'empty', name: `people without a value (${share(rows - given)})` },
    ],
    open: `${name} may say who is disabled (a value in ${share(given)}, such as ${shown}): ${adviseConditions(line, areOthers)}`,
  });
  if (answer === nobody.value) return undefined;
  const unread = dates.unknown() + dates.rejected();
  // Nobody else says so who follows what is open.
  if (day && unread > 0 && (answer === day.test || answer === undefined)) {
    const others = dates.unknownWords();
    const them = others ? `not_in: [${[...zero, ...others].map(inYaml).join(', ')}]` : 'them to not_in:';
    leaveOpen(
      `${name} has ${formatCount(unread, 'value')} that ${unread === 1 ? 'is' : 'are'} no such date: beside ${day.test}:, add ${them} if the condition does not hold for them, or these rows are rejected`,
    );
  }
  if (day && answer === day.test) return ended(day.test, askDateForms(column, interview));
  return answer === 'filled' ? withValue : answer === 'empty' ? without : [];
}

/** Proposes a condition on a column that holds a few words; `undefined`: they say something else. */
function byWords(
  { name, values = new Map(), filled, blank, ...column }: ColumnSurvey,
  areOthers: boolean,
  { ask, note }: Interview,
): RecipeCondition[] | undefined {
  const rows = filled + blank;
  const isOfPerson = column.isOfPerson && /^(?:in|out|status)$/.test(meaningOfName(name) ?? '');
  const meanings = [...values.keys()].map((value) => [value, meaningOf(name, value)] as const);
  const out = meanings.flatMap(([value, meaning]) =>
    meaning === undefined || meaning === 'in' ? [] : [value],
  );
  // If a value says that a person may log in, having none may say the opposite, or nothing.
  const isUnclear = blank > 0 && meanings.some(([, meaning]) => meaning === 'in');
  const none = blank > 0 ? [['', blank] as const] : [];
  const all = formatCount(rows, 'row');
  const [only, ...others] = meanings;
  if (only && others.length + blank === 0 && !only[1] && [undefined, 'in'].includes(meaningOfWord(only[0]))) {
    note(
      `${name} has the value ${only[0]} in all ${all}, and is not used: if another value means that a person may not log in, add a condition before the recipe reads another file`,
    );
    return [];
  }
  const shown = [...values, ...none].map(([value, rows]) => `${value || 'no value'}: ${formatCount(rows)}`);
  // Nobody exports only people who may not log in.
  const areSome = out.reduce((sum, value) => sum + (values.get(value) ?? 0), 0) < rows;
  const isSure =
    !isUnclear &&
    (out.length === 0 || isOfPerson) &&
    meanings.every(([, meaning]) => meaning === 'in' || meaning === 'out') &&
    areSome;
  // A value that appears in a later export enables nobody: its row is rejected.
  const selecting = (words: readonly string[]): RecipeCondition[] => [
    {
      column: name,
      in: words.filter((word) => word !== ''),
      known: [...values.keys()].filter((value) => !words.includes(value)),
    },
    ...(words.includes('') ? [{ column: name, filled: false }] : []),
  ];
  const areIn = meanings.every(([, meaning]) => meaning === 'in');
  const likely = areIn ? [''] : out;
  // Whoever has no value would be enabled by a line that does not say so.
  const isWhole = areIn || blank === 0;
  const areLikely = areSome && isWhole && likely.length > 0 && column.isOfPerson;
  const isKnown = new Map(meanings);
  // A word that is not known is in neither list, so that its rows are rejected until somebody says what it means.
  const line = areLikely
    ? selecting(likely).map(({ known = [], ...test }) =>
        test.in ? { ...test, known: known.filter((word) => isKnown.get(`${word}`) === 'in') } : test,
      )
    : [{ column: name, in: ['VALUES'], known: ['OTHER VALUES'] }];
  const answer = ask({
    id: `status ${name}`,
    message: `Which values of ${name} mean that a person may not log in?`,
    choices: [
      ...[...values, ...none].map(([value, rows]) => ({
        value,
        name: `${value || 'no value'} (${formatCount(rows)} of ${all})`,
      })),
      nobody,
    ],
    isMany: true,
    ...(isSure ? { suggested: out } : {}),
    // Enter alone must not enable people whose status is known, because of others whose status is not.
    ...(isOfPerson ? { initial: out } : {}),
    open: `${name} may say who is disabled (${shown.join(', ')}; of ${all}): ${adviseConditions([[line]], areOthers)}`,
  });
  const chosen = answer.filter((value) => value !== nobody.value);
  if (chosen.length === 0 && answer.length > 0) return undefined;
  // Where everybody may log in, a later export can have people who may not.
  const isGood = isSure && isOfPerson && out.length === 0;
  if (chosen.length === 0 && !isGood) return [];
  return selecting(chosen.length > 0 ? chosen : [...values.keys()].flatMap(oppositesOf));
}
