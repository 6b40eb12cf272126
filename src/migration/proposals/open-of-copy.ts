import { formatCount } from '../../text/format-count.ts';
import { columnsOf, columnsRead, conditionsOf, type Recipe } from '../recipes/recipe.ts';
import { looksLikeSalt } from '../rows/ignored-columns.ts';
import { createInterview } from './interview.ts';
import { askForeign } from './propose-password.ts';
import { askForSalts } from './propose-recipe.ts';
import { proposeSelection } from './propose-selection.ts';
import type { Survey } from './survey.ts';

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
  const asked = interview.unanswered.flatMap(({ open }) => (open === '' ? [] : [open]));
  return [...asked, ...interview.undecided, ...unknown];
}

/** The columns with values that a built-in recipe neither reads nor ignores on purpose. */
function unreadBy(recipe: Recipe, { columns }: Survey): Survey['columns'] {
  const known = new Set([...columnsRead(recipe), ...(recipe.ignore ?? [])].map((name) => name.toLowerCase()));
  return columns.filter(({ name, filled }) => filled > 0 && !known.has(name.trim().toLowerCase()));
}
