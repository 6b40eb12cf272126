import type { Recipe, RecipeRule } from '../recipes/recipe.ts';
import { looksLikeSalt } from '../rows/ignored-columns.ts';
import { warnOfDigests } from './digest-look.ts';
import { type Answers, createInterview, type Interview, type RecipeQuestion } from './interview.ts';
import { type ColumnsByField, proposeColumns } from './propose-columns.ts';
import { proposePassword } from './propose-password.ts';
import { proposeRule } from './propose-rules.ts';
import { proposeSelection } from './propose-selection.ts';
import type { ColumnSurvey, Survey } from './survey.ts';

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
  const columns = proposeColumns(survey, map, interview);
  const fields: Record<string, RecipeRule> = {};
  const parts = new Set(['hash', 'algorithm', 'key']);
  for (const [field, column] of columns) {
    if (!parts.has(field)) fields[field] = proposeRule(field, column, interview);
    if (field === 'user_name') Object.assign(fields, fullName(columns));
  }
  const used = new Set(columns.values());
  const statuses = survey.columns.filter(
    (column) => column.filled > 0 && !used.has(column) && column.isStatus,
  );
  const hash = columns.get('hash');
  const salt = survey.columns.find(
    (column) => column.filled > 0 && !used.has(column) && looksLikeSalt(column.name),
  );
  const keep = hash && !columns.has('pwd_must_modify') ? mustModify(interview) : {};
  const recipe: Recipe = {
    from,
    fields: { ...fields, ...keep },
    ...(hash
      ? {
          password: proposePassword(
            { hash, algorithm: columns.get('algorithm'), key: columns.get('key'), salt },
            interview,
          ),
        }
      : {}),
    ...(survey.empty.length > 0 ? { empty: survey.empty } : {}),
    ...proposeSelection(statuses, interview),
  };
  if (hash) warnOfDigests(hash, true, interview);
  for (const column of survey.columns) {
    // Beside the hashes, a column such as `hash: bcrypt` says how they were made.
    if (!used.has(column) && (!hash || column.mayBePassword))
      warnOfPasswords(column, hash !== undefined, interview);
  }
  const asked = interview.unanswered.filter(({ suggested }) => !suggested);
  const openOf = (isOptional: boolean) =>
    asked.flatMap((question) => ((question.isOptional ?? false) === isOptional ? [question.open] : []));
  const open = [...openOf(false), ...interview.undecided];
  return {
    recipe: open.length > 0 ? { open, ...recipe } : recipe,
    columns,
    questions: interview.unanswered,
    open,
    notes: [...openOf(true), ...interview.notes],
  };
}

/**
 * Warns of a column that may hold passwords themselves, or digests that anybody can compute, which are not imported as hashes. Without
 * other hashes, nobody would keep the password.
 */
function warnOfPasswords(column: ColumnSurvey, hasHashes: boolean, interview: Interview): void {
  const warn = hasHashes ? interview.note : interview.leaveOpen;
  const ifHashes = hasHashes ? '' : 'if it holds hashes, add password:, or nobody keeps the password; ';
  const { name, filled, mayBePassword, field, hashes, digests } = column;
  if (digests?.areAll) warnOfDigests(column, false, { ...interview, note: warn });
  else if (filled > 0 && !hashes.areMost() && (mayBePassword || field === 'hash'))
    warn(
      `${name} holds ${hashes.found() === 0 ? 'no' : 'too few'} known hashes and is not used: ${ifHashes}if it holds passwords, keep the file secret`,
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
