import { formatCount } from '../../text/format-count.ts';
import { isWordForNone, readFlag } from '../recipes/read-flag.ts';
import type { RecipeCondition, RecipeSelection } from '../recipes/recipe.ts';
import { meaningOfName, meaningOfWord } from '../rows/fields/looks-like-status.ts';
import { askWhich, describeValues } from './ask-which.ts';
import {
  adviseConditions,
  conditionFor,
  type Interview,
  inYaml,
  later,
  nobody,
  written,
} from './interview.ts';
import { askDateForms } from './propose-rules.ts';
import type { ColumnSurvey } from './survey.ts';

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

const ifOther = '; if it says something else, add it to ignore: of the recipe, and delete this question';

/** The test for the day on which something ends, by the meaning of the name of its column. */
const tests: Record<string, readonly [test: 'past' | 'not_past', who: string]> = {
  lockEnd: ['not_past', 'people with a value, until that day has passed'],
  accountEnd: ['past', 'people whose day has passed'],
};

/**
 * Asks whom to skip or disable, by the unused columns that look like a status: whoever is enabled by mistake can log in, and whoever is
 * left out has no account. `others`: conditions that the recipe has.
 */
export function proposeSelection(
  unused: readonly ColumnSurvey[],
  interview: Interview,
  others = 0,
): { skip?: RecipeSelection; disable?: RecipeSelection; ignore?: string[] } {
  const named = unused.filter(({ isStatus }) => isStatus);
  const unknown = unused.filter(({ isStatus, maySay }) => !isStatus && maySay);
  const areOthers = named.length + Math.sign(unknown.length) + others > 1;
  const { chosen, ignore: unchosen } = askWhich(unknown, interview);
  const proposed = [...named, ...chosen].map((column) => ({
    name: column.name,
    where: (column.values ? byWords : byTime)(column, areOthers, interview),
  }));
  const where = proposed.flatMap(({ where }) => where ?? []);
  const unread = [...unchosen, ...proposed.flatMap(({ name, where }) => (where ? [] : [name]))];
  const ignore = unread.length > 0 ? { ignore: unread } : {};
  const [first] = where;
  if (!first) return ignore;
  const selection = { where: where.length === 1 ? first : where };
  // Where everybody may log in, the condition only rejects words of a later export.
  if (where.every((condition) => condition.in?.length === 0)) return { skip: selection, ...ignore };
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
  return { ...(fate === 'disable' ? { disable: selection } : { skip: selection }), ...ignore };
}

/** Asks about a column of which only matters whether there is a value, or whether its day has passed; `undefined`: of neither. */
function byTime(
  column: ColumnSurvey,
  areOthers: boolean,
  interview: Interview,
): RecipeCondition[] | undefined {
  const { name, filled, blank, zeros, wordsForNone: words, samples, dates, isOfPerson, isStatus } = column;
  const [given, rows] = [filled - zeros, filled + blank];
  if (given === 0) return [];
  const { sure, choices } = dates.forms();
  const forms = [...sure, ...choices.flat()];
  const meaning = meaningOfName(name) ?? '';
  const [end, yes] = isOfPerson ? [tests[meaning], yesMeans[meaning]] : [];
  // A day in a column that a person has chosen may be the end of either.
  const ends = forms.length === 0 ? [] : isStatus ? (end ? [end] : []) : Object.values(tests);
  const zero = dates.hasZero() ? ['0'] : [];
  const ended = (test: 'past' | 'not_past', date: readonly string[]): RecipeCondition[] => [
    {
      column: name,
      [test]: true,
      ...(date.every((form) => form === 'iso') ? {} : { date: [...date] }),
      ...(zero.length > 0 ? { not_in: zero } : {}),
    },
  ];
  const people = (value: string, who: string, some: number, where: RecipeCondition[]) => {
    return { value, who, some, where, name: `${who} (${formatCount(some)} of ${formatCount(rows, 'row')})` };
  };
  const isNone = words.length > 0 ? [{ column: name, in: words }] : [];
  const isNot = words.length > 0 ? { not_in: words } : {};
  const groups = [
    people('filled', 'people with a value', given, [{ column: name, ...isNot, filled: true }]),
    people('empty', 'people without a value', rows - given, [{ column: name, filled: false }, ...isNone]),
  ];
  // Those who may not log in are some of the people, and mostly fewer than the others.
  const likely = groups
    .filter(({ value, some }) => some > 0 && some < rows && yes !== (value === 'filled' ? 'in' : 'out'))
    .toSorted((one, other) => one.some - other.some);
  const leave = choices.map(([first, second]) => `; leave one of the two forms ${first} and ${second}`);
  const lines = [
    ...(isStatus && end ? [] : likely.map(({ where, who }) => [where, who] as const)),
    ...ends.map(([test, who]) => [ended(test, forms), `${who}${leave.join('')}`] as const),
  ];
  const [answer] = interview.ask({
    id: `status ${name}`,
    message: `Who may not log in, by ${name} (values such as ${samples.join(', ')})?`,
    choices: [later, nobody, ...groups, ...ends.map(([value, name]) => ({ value, name }))],
    open: `${name} may say who is disabled (${describeValues(column)}): ${adviseConditions(lines, areOthers)}${ifOther}`,
  });
  if (answer === nobody.value) return undefined;
  const unread = dates.unknown() + dates.rejected();
  const [test] = (answer === undefined ? isStatus && ends[0] : ends.find(([test]) => test === answer)) || [];
  // Nobody else says so who follows what is open.
  if (test && unread > 0) {
    const others = dates.unknownWords() ?? ['VALUES'];
    const notNone = others.filter((word) => !isWordForNone(word));
    const them = written([{ column: name, in: notNone.length > 0 ? notNone : others }]);
    const advice = [
      `the condition ${them} if these people may not log in`,
      `not_in: [${[...zero, ...others].map(inYaml).join(', ')}] beside ${test}: if these people may log in`,
    ];
    if (notNone.length === 0) advice.reverse();
    interview.leaveOpen(
      `${name} has ${formatCount(unread, 'value')} that ${unread === 1 ? 'is' : 'are'} no such date: add ${advice.join(', or ')}; else these rows are rejected`,
    );
  }
  if (test && answer === test) return ended(test, askDateForms(column, interview));
  return groups.find(({ value }) => value === answer)?.where ?? [];
}

/** Asks about a column that holds a few words; `undefined`: they say something else. */
function byWords(
  column: ColumnSurvey,
  areOthers: boolean,
  { ask, note, leaveOpen }: Interview,
): RecipeCondition[] | undefined {
  const { name, values = new Map<string, number>(), filled, blank, isOfPerson } = column;
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
  const line = isDrafted ? selecting(likely, ins) : conditionFor(name);
  const unknown = isDrafted ? [...values.keys()].filter((value) => !meanings.get(value)).map(inYaml) : [];
  const rejected =
    unknown.length > 0 ? `; add to one of the lists, or these rows are rejected: ${unknown.join(', ')}` : '';
  const open = `${name} may say who is disabled (${describeValues(column)}; of ${all}): ${adviseConditions([[line]], areOthers)}${rejected}${ifOther}`;
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
    ...(isDrafted && unknown.length === 0 ? { initial: out } : {}),
    open,
  });
  if (answer.length === 1 && answer[0] === nobody.value) return undefined;
  // Neither can be meant: nobody beside others, which may have been selected at first, and everybody.
  if (answer.includes(nobody.value) || answer.length === words.length) leaveOpen(open);
  else if (answer.length > 0) return selecting(answer, [...values.keys()]);
  return [];
}
