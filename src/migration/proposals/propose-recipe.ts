import { formatCount } from '../../text/format-count.ts';
import { onePersonEach } from '../model/source-record.ts';
import { columnsOf, columnsRead, conditionsOf, type Recipe, type RecipeRule } from '../recipes/recipe.ts';
import { mapOption } from '../rows/fields/column-options.ts';
import { looksLikeSalt } from '../rows/ignored-columns.ts';
import { describeDigests } from './digest-look.ts';
import { saltsBeside } from './hash-look.ts';
import {
  type Answers,
  createInterview,
  type Interview,
  inYaml,
  later,
  type RecipeQuestion,
} from './interview.ts';
import { type ColumnsByField, proposeColumns } from './propose-columns.ts';
import { askForeign, proposePassword } from './propose-password.ts';
import { proposeRule } from './propose-rules.ts';
import { proposeSelection } from './propose-selection.ts';
import { maySayMustChange } from './status-look.ts';
import type { ColumnSurvey, Survey } from './survey.ts';

/** Fields whose columns are read under `password`. */
const parts: ReadonlySet<string> = new Set(['hash', 'algorithm', 'key']);

/** A first recipe, and what is left to ask. */
export interface Proposal {
  recipe: Recipe;
  columns: ColumnsByField;
  questions: readonly RecipeQuestion[];
  /** What is left to decide; `open` of the recipe. */
  open: readonly string[];
  /** Remarks about which nothing needs to be decided. */
  notes: readonly string[];
}

/**
 * Makes a first recipe from the survey of a file. `map`: columns whose field is known. An unanswered question takes its suggestion, or
 * its part is left out.
 */
export function proposeRecipe(
  survey: Survey,
  { map, from }: { map: readonly { field: string; column: string }[]; from: NonNullable<Recipe['from']> },
  answers: Answers,
): Proposal {
  const interview = createInterview(answers);
  const columns = withoutSalts(proposeColumns(survey, map, interview));
  const rules = [...columns].flatMap(([field, column]) =>
    parts.has(field) ? [] : [[field, proposeRule(field, column, interview)] as const],
  );
  const { user_name, ...others } = Object.fromEntries(rules);
  const fields = { ...(user_name ? { user_name } : {}), ...fullName(columns), ...others };
  const used = new Set(columns.values());
  const hash = columns.get('hash');
  const unused = survey.columns.filter((column) => column.filled > 0 && !used.has(column));
  const named = unused.find(({ name }) => looksLikeSalt(name));
  const { salt = named, ignore = [] } = hash && !named ? askForSalts(hash, unused, interview) : {};
  const keep = hash && !columns.has('pwd_must_modify') ? mustModify(interview) : {};
  const [algorithm, key] = [columns.get('algorithm'), columns.get('key')];
  const password =
    hash && proposePassword({ hash, algorithm, key, salt, isSalted: salt !== named }, interview);
  const { ignore: unread = [], ...selection } = proposeSelection(unused, interview);
  const ignored = [...ignore, ...unread];
  const recipe: Recipe = {
    from: recordsOf(survey, from, interview),
    fields: { ...fields, ...keep },
    ...(password ? { password } : {}),
    ...(survey.empty.length > 0 ? { empty: survey.empty } : {}),
    ...selection,
    ...(ignored.length > 0 ? { ignore: ignored } : {}),
  };
  const ofOthers = hash && describeDigests(hash.name, hash.digests, true, interview.mapBy);
  if (ofOthers !== undefined) interview.note(ofOthers);
  // Somebody who is asked which column holds the hashes need not be asked about others.
  const hasHashes = hash !== undefined || interview.unanswered.some(({ id }) => id === 'hash');
  for (const column of survey.columns) {
    // Beside the hashes, a column such as `hash: bcrypt` says how they were made.
    if (!used.has(column) && !looksLikeSalt(column.name) && (!hash || column.mayBePassword))
      warnOfPasswords(column, hasHashes, interview);
  }
  const { open, notes } = interview;
  return {
    recipe: open.length > 0 ? { open, ...recipe } : recipe,
    columns,
    questions: interview.unanswered.filter(({ id }) => !answers.has(id)),
    open,
    notes,
  };
}

/**
 * Says where the records are. Whoever maps a column of people within a record knows that it is one person. Of the only record of a
 * trial file nobody knows: from the whole export an import would read the first person only.
 */
function recordsOf(
  { peopleWithin }: Survey,
  from: NonNullable<Recipe['from']>,
  { leaveOpen }: Interview,
): NonNullable<Recipe['from']> {
  if (!peopleWithin) return from;
  const { areSeveral, extract, records } = peopleWithin;
  if (areSeveral) return { format: 'json', records };
  leaveOpen(
    `the file is one record with a person within it: if a record of the whole export holds several people, extract them, for example: ${extract}, and make the recipe for what it prints; if each record is one person, write ${onePersonEach(peopleWithin)} and delete this question`,
  );
  return from;
}

/** Beside digests that need no HMAC key, a column with its name may hold salts. */
function withoutSalts(columns: ColumnsByField): ColumnsByField {
  const [hash, key] = [columns.get('hash'), columns.get('key')];
  const isSalt = hash !== undefined && saltsBeside(hash.hashes, { key, others: [] }).length > 0;
  return isSalt ? new Map([...columns].filter(([field]) => field !== 'key')) : columns;
}

/** Asks whether a column holds salts. Returns the first one that does, and those that do not. */
function askForSalts(
  hash: ColumnSurvey,
  others: readonly ColumnSurvey[],
  { ask }: Interview,
): { salt?: ColumnSurvey; ignore?: string[] } {
  const answers = saltsBeside(hash.hashes, { others }).map((column) => {
    const [answer] = ask({
      id: `salt ${column.name}`,
      message: `Are passwords hashed together with ${column.name} (${column.samples.join(', ')})?`,
      choices: [
        later,
        { value: 'yes', name: 'yes: nobody can log in with such a hash' },
        { value: 'no', name: 'no: it is something else' },
      ],
      open: `${column.name} may hold salts (short random texts beside digests): if the passwords were hashed with them, nobody could log in, and algorithm: { foreign: digest with a salt } belongs under password:; if not, add ${inYaml(column.name)} to ignore: of the recipe`,
    });
    return { column, answer };
  });
  const salt = answers.find(({ answer }) => answer === 'yes')?.column;
  const ignore = answers.flatMap(({ column, answer }) => (answer === 'no' ? [column.name] : []));
  return { ...(salt ? { salt } : {}), ...(ignore.length > 0 ? { ignore } : {}) };
}

/**
 * Warns of a column that may hold passwords themselves, or digests that anybody can compute, which are not imported as hashes. Without
 * other hashes, nobody would keep the password if its name says that it holds these.
 */
function warnOfPasswords(column: ColumnSurvey, hasHashes: boolean, interview: Interview): void {
  const { name, filled, hashes, digests } = column;
  const isNamed = column.mayBePassword || column.field === 'hash';
  const warn = hasHashes || !isNamed ? interview.note : interview.leaveOpen;
  const ifHashes = `if it holds hashes, ${interview.mapBy} ${mapOption('hash', name)}, or nobody keeps the password; `;
  const ofDigests = describeDigests(name, digests, false, interview.mapBy);
  if (ofDigests !== undefined) warn(ofDigests);
  else if (filled > 0 && !hashes.areMost() && isNamed)
    warn(
      `${name} holds ${hashes.found() === 0 ? 'no' : 'too few'} known hashes and is not used: ${hasHashes ? '' : ifHashes}if it holds passwords, keep the file secret`,
    );
}

/** Returns the rule of `name` for a file that has only first and last names. */
function fullName(columns: ColumnsByField): Record<string, RecipeRule> {
  const [first, last] = [columns.get('first_name'), columns.get('last_name')];
  if (columns.has('name') || !first || !last) return {};
  const isLastFirst = last.samples.some((sample) => sample.startsWith('文'));
  const template = isLastFirst ? `{${last.name}}{${first.name}}` : `{${first.name}} {${last.name}}`;
  if (!first.hasOuterBlanks && !last.hasOuterBlanks) return { name: { template } };
  // Columns of a fixed width are filled with blanks, also between the two names.
  return { name: { template, trim: true, replace: [{ match: ' +', with: isLastFirst ? '' : ' ' }] } };
}

/** Asks for `pwd_must_modify`: unless a request says otherwise, the API makes everybody change the password. */
function mustModify({ ask }: Interview): Record<string, RecipeRule> {
  const [answer] = ask({
    id: 'pwd_must_modify',
    message: 'Must people change their old password at the first login?',
    choices: [
      { value: 'false', name: 'no: the old password keeps working' },
      { value: 'true', name: 'yes' },
    ],
    suggested: ['false'],
    open: '',
  });
  return { pwd_must_modify: { value: answer === 'true' } };
}

/** What is left to decide in a copy of a built-in recipe for this file: salts, and columns and words of a status that it does not know. */
export function openOfCopy(recipe: Recipe, survey: Survey): string[] {
  const unknown = conditionsOf(recipe).flatMap((condition) => {
    const { in: within = [], known } = condition;
    const words = new Set([...within, ...(known ?? [])].map(String));
    const names = new Set(columnsOf(condition));
    return survey.columns.flatMap(({ name, values = [] }) => {
      if (!known || !names.has(name)) return [];
      const others = [...values].filter(([value]) => !words.has(value));
      if (others.length === 0) return [];
      const shown = others.map(([value, rows]) => `${value} (${formatCount(rows, 'row')})`).join(', ');
      return `${name} has words that the recipe does not know: ${shown}: add each to in: of its condition (may not log in) or to known: (may), or these rows are rejected`;
    });
  });
  const interview = createInterview(new Map());
  const unread = unreadBy(recipe, survey);
  const hash = survey.columns.find(
    ({ name, filled }) => filled > 0 && columnsOf(recipe.password ?? {}).includes(name),
  );
  const salt = unread.find(({ name }) => looksLikeSalt(name));
  if (hash && salt && recipe.password?.foreign !== 'passwordless') askForeign(hash, salt, interview);
  if (hash && !salt) askForSalts(hash, unread, interview);
  proposeSelection(unread, interview, conditionsOf(recipe).length);
  return [...interview.open, ...unknown];
}

/** The rules of fields that a copy of a built-in recipe lacks for this file, by the columns that it does not know. */
export function fieldsBeside(recipe: Recipe, survey: Survey): [field: string, rule: RecipeRule][] {
  const columns = unreadBy(recipe, survey);
  const mustChange = columns.flatMap(({ name, values }) => (maySayMustChange(name, values) ? [name] : []));
  const answers = new Map([
    ['region', ['COUNTRY']],
    ['pwd_must_modify', mustChange],
  ]);
  const interview = createInterview(answers);
  return [...proposeColumns({ ...survey, columns }, [], interview)].flatMap(([field, column]) =>
    field in recipe.fields || parts.has(field) ? [] : [[field, proposeRule(field, column, interview)]],
  );
}

/** The columns with values that a built-in recipe neither reads nor ignores on purpose. */
function unreadBy(recipe: Recipe, { columns }: Survey): Survey['columns'] {
  const known = new Set([...columnsRead(recipe), ...(recipe.ignore ?? [])].map((name) => name.toLowerCase()));
  return columns.filter(({ name, filled }) => filled > 0 && !known.has(name.trim().toLowerCase()));
}
