import { genders } from '../../contract/attributes.ts';
import { formatCount } from '../../text/format-count.ts';
import { isCountry } from '../recipes/phone.ts';
import { readFlag } from '../recipes/read-flag.ts';
import type { RecipeRule } from '../recipes/recipe.ts';
import { type Interview, later } from './interview.ts';
import { mostWords } from './status-look.ts';
import type { ColumnSurvey } from './survey.ts';

type ProposeRule = (column: ColumnSurvey, interview: Interview) => RecipeRule;

/** Proposes the steps of a field whose values need more than copying. */
const rules: Partial<Record<string, ProposeRule>> = {
  mobile: proposePhone,
  attr_gender: proposeGender,
  attr_birthday: proposeDate,
  pwd_must_modify: proposeMustModify,
  external_id: () => ({ text: true }),
  zip_code: () => ({ text: true }),
};

/** Proposes the rule of a field that comes from one column. */
export function proposeRule(field: string, column: ColumnSurvey, interview: Interview): RecipeRule {
  const steps = rules[field]?.(column, interview);
  return { column: column.name, ...(column.hasOuterBlanks ? { trim: true } : {}), ...steps };
}

function proposePhone({ name, areInternational }: ColumnSurvey, { ask }: Interview): RecipeRule {
  if (areInternational) return { phone: {} };
  const [region = ''] = ask({
    id: 'region',
    message: `Of which country are numbers of ${name} without a country code (CN, DE …)?`,
    check: (answer) => isCountry(answer) || 'Two capital letters, such as CN.',
    open: `the country of numbers of ${name} without a country code is not known: run recipe make again with --region COUNTRY`,
  });
  return { phone: region === '' ? {} : { region } };
}

/** Words for the genders of the API, without numbers, which mean different things in different systems. */
const genderWords: readonly [gender: (typeof genders)[number], words: RegExp][] = [
  ['male', /^(?:m|male|man|mr|mann|männlich|herr|h|hombre|masculino|homme|男|男性)\.?$/i],
  ['female', /^(?:f|w|female|woman|mrs|ms|frau|weiblich|mujer|femenino|femme|女|女性)\.?$/i],
  ['unknow', /^(?:u|x|d|unknown?|unspecified|other|diverse?|未知|保密|不详|其他)$/i],
];

const letter = /^[a-z]\.?$/i;
/** The letters of a column, sorted, if they mean the same in each language: M and F are men and women; F may be a man beside N. */
const sureLetters = /^d?(?:f[hm]u?|mu?w)x?$/;

function proposeGender(column: ColumnSurvey, interview: Interview): RecipeRule {
  const words = [...(column.values?.keys() ?? [])];
  const letters = new Set(words.flatMap((word) => (letter.test(word) ? word.charAt(0).toLowerCase() : [])));
  const areSure = sureLetters.test([...letters].sort().join(''));
  const known = (word: string) =>
    letter.test(word) && !areSure ? undefined : genderWords.find(([, words]) => words.test(word))?.[0];
  return { values: askWords('gender', column, { choices: genders, known }, interview) };
}

/** Asks what the words of a column mean, and returns those that mean something. `known`: what a word most likely means. */
export function askWords(
  id: string,
  { name, values }: Pick<ColumnSurvey, 'name' | 'values'>,
  { choices, known }: { choices: readonly string[]; known: (word: string) => string | undefined },
  { ask, leaveOpen }: Interview,
): Record<string, string> {
  if (!values)
    leaveOpen(
      `${name} has no known words, or more than ${mostWords}: say under values: what each means, or these rows are rejected`,
    );
  const answers = [...(values ?? [])].map(([word, count]) => {
    const [suggested, rows] = [known(word), formatCount(count, 'row')];
    const [answer = ''] = ask({
      id: `${id} ${word}`,
      message: `What does ${word} (${rows}) mean in ${name}?`,
      choices: [
        later,
        ...choices.map((value) => ({ value, name: value })),
        { value: ' ', name: 'not known: reject it' },
      ],
      ...(suggested === undefined ? {} : { suggested: [suggested] }),
      open: `${name} has ${word} (${rows}): say under values: what it means (${choices.join(', ')}), or these rows are rejected`,
    });
    return [word, answer.trim()] as const;
  });
  return Object.fromEntries(answers.filter(([, answer]) => answer !== ''));
}

/** Reads the flags of a column that says who must change the password, or by its name the opposite: `credentials_non_expired`. */
function proposeMustModify(column: ColumnSurvey, interview: Interview): RecipeRule {
  const { name, values, blank } = column;
  const isOpposite = /non_?expired/i.test(name);
  if (blank > 0)
    interview.leaveOpen(
      `${name} has no value in ${formatCount(blank, 'row')}: say whether these people must change the password with default:, or they must`,
    );
  const words = [...(values?.keys() ?? [])];
  if (values && !isOpposite && words.every((word) => word === 'true' || word === 'false')) return {};
  const known = (word: string) => {
    const flag = readFlag(word);
    return flag === undefined ? undefined : String(flag !== isOpposite);
  };
  const table = askWords('must modify', column, { choices: ['true', 'false'], known }, interview);
  return { values: Object.fromEntries(Object.entries(table).map(([word, is]) => [word, is === 'true'])) };
}

function proposeDate(column: ColumnSurvey, interview: Interview): RecipeRule {
  const { name, dates } = column;
  const { leaveOpen } = interview;
  const [unknown, rejected] = [dates.unknown(), dates.rejected()];
  const forms = askDateForms(column, interview);
  if (unknown > 0)
    leaveOpen(
      `${name} has ${formatCount(unknown, 'date')} in another form: add it under date:${shortForm(dates.separator(), forms)}, or these rows are rejected`,
    );
  if (rejected > 0)
    leaveOpen(
      `${name} has ${formatCount(rejected, 'date')} with a day that does not exist, or with a time of day: correct them at the source, or these rows are rejected`,
    );
  return { date: forms.length > 0 ? forms : ['iso'] };
}

/** The form of dates with a year of two digits, as an example: in the order of the dates beside them. */
function shortForm(separator: string | undefined, forms: readonly string[]): string {
  if (separator === undefined) return '';
  const [day, month] = ['dM', 'Md'].map((parts) => [...parts, 'yy'].join(separator));
  const isMonthFirst = !forms.includes(`${day}yy`) && forms.includes(`${month}yy`);
  return `, such as ${isMonthFirst ? month : day}`;
}

/** The forms of the dates of a column. Asks where it is open whether the day or the month comes first. */
export function askDateForms({ name, dates }: ColumnSurvey, { ask }: Interview): string[] {
  const { sure, choices } = dates.forms();
  const asked = choices.flatMap((choice) => {
    const [first, second] = choice;
    const answer = ask({
      id: `date ${name} ${first}`,
      message: `Do dates of ${name} begin with the day or the month?`,
      choices: [
        later,
        { value: first, name: `with the day (${first})` },
        { value: second, name: `with the month (${second})` },
      ],
      open: `dates of ${name} may begin with the day or the month: leave one of the two forms ${first} and ${second}, or dates that can be either are rejected`,
    });
    return answer.length > 0 ? answer : choice;
  });
  return [...sure, ...asked];
}
