import { formatCount } from '../../text/format-count.ts';
import { columnsOf, columnsRead, conditionsOf, type Recipe } from '../recipes/recipe.ts';
import { createInterview } from './interview.ts';
import { proposeSelection } from './propose-selection.ts';
import type { ColumnSurvey, Survey } from './survey.ts';

/** What is left to decide in a copy of a built-in recipe for this file: columns and words of a status that it does not know. */
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
  return [...openStatuses(unreadBy(recipe, survey)), ...unknown];
}

/** The columns that a built-in recipe neither reads nor ignores on purpose. */
function unreadBy(recipe: Recipe, { columns }: Survey): Survey['columns'] {
  const known = new Set([...columnsRead(recipe), ...(recipe.ignore ?? [])].map((name) => name.toLowerCase()));
  return columns.filter(({ name }) => !known.has(name.trim().toLowerCase()));
}

/** What is left to decide about columns that look like a status, and of which a recipe reads none. */
function openStatuses(columns: readonly ColumnSurvey[]): string[] {
  const interview = createInterview(new Map());
  proposeSelection(
    columns.filter(({ filled, isStatus }) => filled > 0 && isStatus),
    interview,
  );
  // Not those by which nobody would be left out.
  const asked = interview.unanswered.flatMap(({ suggested, open }) =>
    suggested?.length === 0 || open === '' ? [] : [open],
  );
  return [...asked, ...interview.undecided];
}
