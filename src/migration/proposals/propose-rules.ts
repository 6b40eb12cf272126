import { genders, type HashAlgorithm } from '../../contract/attributes.ts';
import { formatCount } from '../../text/format-count.ts';
import { wrappedBcrypt } from '../hashes/foreign-schemes.ts';
import { guessCountry, isCountry } from '../recipes/phone.ts';
import { readFlag } from '../recipes/read-flag.ts';
import type { Recipe, RecipeRule } from '../recipes/recipe.ts';
import { mostWords } from '../rows/looks-like-status.ts';
import type { Interview } from './interview.ts';
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

function proposePhone({ name, numbers }: ColumnSurvey, { ask }: Interview): RecipeRule {
  const guess = guessCountry(numbers);
  if (guess === 'international') return { phone: {} };
  const [region = ''] = ask({
    id: 'region',
    message: `Of which country are numbers of ${name} without a country code (CN, DE …)?`,
    check: (answer) => isCountry(answer) || 'Two capital letters, such as CN.',
    ...(guess === undefined ? {} : { suggested: [guess] }),
    open: `the country of numbers of ${name} without a country code is not known: name it with --region`,
  });
  return { phone: region === '' ? {} : { region } };
}

/** Words for the genders of the API, without numbers, which mean different things in different systems. */
const genderWords: readonly [gender: (typeof genders)[number], words: RegExp][] = [
  ['male', /^(?:m|male|man|mr|mann|männlich|herr|h|hombre|masculino|homme|男|男性)\.?$/i],
  ['female', /^(?:f|w|female|woman|mrs|ms|frau|weiblich|mujer|femenino|femme|女|女性)\.?$/i],
  ['unknow', /^(?:u|x|d|n|unknown?|unspecified|other|diverse?|未知|保密|不详|其他)$/i],
];

/** Beside H, an M may be a woman: hombre and mujer. */
const menByLetter = [/^h\.?$/i, /^m\.?$/i];

function proposeGender({ name, values }: ColumnSurvey, { ask, leaveOpen }: Interview): RecipeRule {
  const table: Record<string, string> = {};
  const words = [...(values?.keys() ?? [])];
  const areUnclear = menByLetter.every((letter) => words.some((word) => letter.test(word)));
  for (const [value, rows] of values ?? []) {
    const isUnclear = areUnclear && menByLetter.some((letter) => letter.test(value));
    const known = isUnclear ? undefined : genderWords.find(([, words]) => words.test(value))?.[0];
    const [gender = ''] = ask({
      id: `gender ${value}`,
      message: `What does ${value} (${formatCount(rows, 'row')}) mean in ${name}?`,
      choices: ['', ...genders].map((choice) => ({ value: choice, name: choice || 'not known: reject it' })),
      ...(known === undefined ? {} : { suggested: [known] }),
      open: `${name} has ${value} (${formatCount(rows, 'row')}): say under values: what it means, or these rows are rejected`,
    });
    if (gender !== '') table[value] = gender;
  }
  if (!values)
    leaveOpen(
      `${name} has no known words, or more than ${mostWords}: say under values: what each means, or these rows are rejected`,
    );
  return { values: table };
}

/** Reads the flags of a column that says who must change the password, or by its name the opposite: `credentials_non_expired`. */
function proposeMustModify({ name, values, blank }: ColumnSurvey, { leaveOpen }: Interview): RecipeRule {
  const who = 'whether these people must change the password';
  const words = [...(values?.keys() ?? [])];
  const isOpposite = /non_?expired/i.test(name);
  if (!isOpposite && words.every((word) => word === 'true' || word === 'false')) return {};
  if (blank > 0)
    leaveOpen(`${name} has no value in ${formatCount(blank, 'row')}: say ${who} with default:, or they must`);
  const table: Record<string, boolean> = {};
  for (const word of words) {
    const flag = readFlag(word);
    if (flag === undefined)
      leaveOpen(`${name} has ${word}: say ${who} under values:, or their rows are rejected`);
    else table[word] = flag !== isOpposite;
  }
  return { values: table };
}

function proposeDate(column: ColumnSurvey, interview: Interview): RecipeRule {
  const { name, dates } = column;
  const { leaveOpen } = interview;
  const [unknown, rejected] = [dates.unknown(), dates.rejected()];
  if (unknown > 0)
    leaveOpen(
      `${name} has ${formatCount(unknown, 'date')} in another form: add it under date:, such as d.M.yy, or these rows are rejected`,
    );
  if (rejected > 0)
    leaveOpen(
      `${name} has ${formatCount(rejected, 'date')} with a day that does not exist, or with a time of day: correct them at the source, or these rows are rejected`,
    );
  const forms = askDateForms(column, interview);
  return { date: forms.length > 0 ? forms : ['iso'] };
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
        { value: first, name: `with the day (${first})` },
        { value: second, name: `with the month (${second})` },
      ],
      open: `dates of ${name} may begin with the day or the month: leave one of the two forms ${first} and ${second}, or dates that can be either are rejected`,
    });
    return answer.length > 0 ? answer : choice;
  });
  return [...sure, ...asked];
}

/** Names that systems have for the algorithms of the API, in lower case and without punctuation. */
const algorithmNames: readonly [algorithm: HashAlgorithm, names: RegExp][] = [
  ['bcrypt', /^(?:bcrypt|blowfish|bf|2[aby]|bcrypt\d+)$/],
  ['md5', /^md5(?:hex)?$/],
  ['md5_sha256', /^(?:md5sha256|sha256md5)$/],
  ['hmacsha256_base64_key', /^(?:hmac|hmacsha256|hmacsha256base64key)$/],
];

/** The columns by which the hashes of a file are read; `salt`: one that is not read. */
interface PasswordColumns {
  hash: ColumnSurvey;
  algorithm: ColumnSurvey | undefined;
  key: ColumnSurvey | undefined;
  salt: ColumnSurvey | undefined;
}

/** Proposes how the hashes of a file are read. */
export function proposePassword(
  { hash, algorithm, key, salt }: PasswordColumns,
  { ask }: Interview,
): NonNullable<Recipe['password']> {
  const groups = hash.hashes.groups();
  const countOf = (isSuch: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(isSuch).reduce((sum, { users }) => sum + users, 0);
  const digests = countOf((group) => !['bcrypt', 'foreign', 'unknown'].includes(group.algorithm));
  const salted = Math.min(digests, salt?.filled ?? 0);
  const ofSalt = salt && salted > 0 ? ` (of ${formatCount(salted)}, for the salt in ${salt.name})` : '';
  const wrapped = countOf(({ format }) => format === wrappedBcrypt.format);
  const foreign = countOf(({ algorithm }) => algorithm === 'foreign') - wrapped + salted;
  const [fate] =
    foreign === 0
      ? []
      : ask({
          id: 'foreign',
          message: `${formatCount(foreign, 'user')} ${foreign === 1 ? 'has a hash' : 'have hashes'} that the API does not take${ofSalt}. What becomes of them?`,
          choices: [
            { value: 'passwordless', name: 'create them without a password' },
            { value: 'reject', name: 'reject their rows for now' },
          ],
          open: `the password of ${formatCount(foreign, 'user')} cannot be kept${ofSalt}, and the rows are rejected: add foreign: passwordless under password: to create them without one`,
        });
  const made = algorithmOf(hash, algorithm, ask);
  // Inferring the algorithm removes the prefixes of systems, and not those of databases.
  const prefixes = new Set(
    groups.flatMap(({ prefix }) =>
      prefix !== '' && ('column' in made || isOfBytes(prefix)) ? [prefix] : [],
    ),
  );
  return {
    column: hash.name,
    ...(hash.hasOuterBlanks ? { trim: true } : {}),
    ...(prefixes.size > 0 ? { strip: [...prefixes] } : {}),
    ...(wrapped > 0 ? { replace: [wrappedBcrypt.replace] } : {}),
    algorithm: made,
    ...(key ? { key: { column: key.name } } : {}),
    ...(fate === 'passwordless' ? { foreign: fate } : {}),
  };
}

/** True for what databases write before bytes in hex: SQL Server and MySQL `0x`, PostgreSQL `\x`. */
const isOfBytes = (prefix: string) => /^(?:0x|\\x)$/i.test(prefix);

/** The algorithm of the API that a word means, if it is known. */
function knownAlgorithm(word: string) {
  const plain = word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return algorithmNames.find(([, names]) => names.test(plain))?.[0];
}

function algorithmOf(
  { name, hashes, filled }: ColumnSurvey,
  column: ColumnSurvey | undefined,
  ask: Interview['ask'],
): NonNullable<Recipe['password']>['algorithm'] {
  const groups = hashes.groups();
  const several = groups.filter(({ algorithm }) => algorithm === 'several');
  // Other digests have the form of MD5 too, such as NTLM: a column that names another algorithm counts.
  const isNamedOtherwise =
    groups.some(({ algorithm }) => algorithm === 'md5') &&
    [...(column?.values?.keys() ?? [])].some((word) => !/^(?:md5|bcrypt)$/.test(knownAlgorithm(word) ?? ''));
  if (several.length === 0 && !isNamedOtherwise) return { infer: true };
  if (column?.values) {
    const values: Record<string, string> = {};
    for (const word of column.values.keys()) {
      const known = knownAlgorithm(word);
      const [answer = ''] = ask({
        id: `algorithm ${word}`,
        message: `Which algorithm is ${word} in ${column.name}?`,
        choices: [
          ...algorithmNames.map(([value]) => ({ value, name: value })),
          { value: '', name: 'another: reject it' },
        ],
        ...(known === undefined ? {} : { suggested: [known] }),
        open: `${column.name} has ${word}: say under values: which algorithm it is, or these rows are rejected`,
      });
      if (answer !== '') values[word] = answer;
    }
    // If the column is empty in some rows, the form of the hash may show the algorithm.
    return {
      column: column.name,
      ...(column.hasOuterBlanks ? { trim: true } : {}),
      values,
      ...(column.filled < filled ? { infer: true as const } : {}),
    };
  }
  const isOnly = several.length === groups.length;
  const [answer = ''] = ask({
    id: 'algorithm',
    message: `How were the hashes of ${name} made?`,
    choices: [
      { value: 'md5_sha256', name: 'md5_sha256: SHA-256 over the MD5 of the password' },
      { value: 'hmacsha256_base64_key', name: 'hmacsha256_base64_key: HMAC-SHA256 with a key' },
      { value: '', name: 'not known' },
    ],
    open: `hashes of ${name} can be of several algorithms: name it with algorithm: { value: NAME }, and prove it with a canary`,
  });
  return answer === '' || !isOnly ? { infer: true } : { value: answer };
}
