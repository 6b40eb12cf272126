import { meaningOfName, ownNames } from '../rows/looks-like-status.ts';
import type { ColumnSurvey } from './survey.ts';

/** Names of objects with facts of the person. A status in others may be that of a second factor or of a newsletter. */
const personNames =
  /^(?:users?|account|profile|fields|attributes|traits|properties|data|item|_source|lifecycle|(?:app_|user_)metadata)$/i;
/** True if objects with these names, one in another, hold facts of the person. */
export const areOfPerson = (objects: readonly string[]) => objects.every((name) => personNames.test(name));

/** The object that has a column, as a path, if it is surely a status of the person; else `undefined`. */
function parentOf({ name }: ColumnSurvey): string | undefined {
  const { meaning = '', around } = meaningOfName(name);
  const isSure = ['in', 'out', 'status'].includes(meaning);
  return isSure && areOfPerson(around) ? ownNames(name).slice(0, -1).join('.') : undefined;
}

/**
 * The columns that are surely the status of the person: only for such a one may a condition be proposed unasked. If an object around or
 * beside that of a status has one too, it may be about something else, and an account with an unused name about a firm.
 */
export function columnsOfPerson(
  columns: readonly ColumnSurvey[],
  unused: ReadonlySet<string>,
): readonly ColumnSurvey[] {
  const parents = new Set(columns.flatMap((column) => parentOf(column) ?? []));
  const depthOf = (path: string) => (path === '' ? 0 : path.split('.').length);
  const outermost = Math.min(...[...parents].map(depthOf));
  const [only, ...others] = [...parents].filter((path) => depthOf(path) === outermost);
  if (only === undefined || others.length > 0) return [];
  if (/(?:^|\.)account$/i.test(only) && unused.has(`${only}.name`)) return [];
  return columns.filter((column) => parentOf(column) === only);
}
