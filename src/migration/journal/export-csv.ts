import { userResults } from '../model/outcome.ts';
import type { JournalDatabase } from './database.ts';

/** What a list can say of an outcome. */
export type ListColumn =
  | 'row'
  | 'line'
  | 'user_name'
  | 'external_id'
  | 'user_id'
  | 'result'
  | 'found_by_look_up'
  | 'code'
  | 'message'
  | 'hint';

const pageLength = 1000;

/**
 * The CSV lines (`\n` after each, no header) of the users, or of all other rows, in the order of the rows, at most a
 * thousand a text. SQLite makes the text: an object of every row, and text of these, would take twice to three times as long.
 */
export function* exportCsv(
  connection: JournalDatabase,
  where: 'users' | 'others',
  columns: readonly ListColumn[],
): Generator<string, void> {
  const users = userResults.map((result) => `'${result}'`).join(', ');
  const which = where === 'users' ? `IN (${users})` : `NOT IN (${users}, 'skipped')`;
  const line = `${columns.map(cell).join(" || ',' || ")} || char(10)`;
  const page = connection.prepare(
    `SELECT group_concat(${line}, '' ORDER BY row) AS text FROM outcomes WHERE row > ? AND row <= ? AND result ${which}`,
  );
  const { last } = connection.prepare('SELECT max(row) AS last FROM outcomes').get() as {
    last: number | null;
  };
  for (let from = 0; from < (last ?? 0); from += pageLength) {
    const { text } = page.get(from, from + pageLength) as { text: string | null };
    if (text !== null) yield text;
  }
}

/** What a spreadsheet takes for the beginning of a formula: with `'` before it, it is a text. */
const formula = "'[-=+@\t\r＝＋－＠]*'";

/** Numbers, and words of our own. */
const plain: readonly ListColumn[] = ['row', 'line', 'result', 'found_by_look_up'];

/** In quotes where RFC 4180 asks for them, and nowhere else. */
function cell(column: ListColumn): string {
  if (plain.includes(column)) return `coalesce(${column}, '')`;
  const special = [`','`, `'"'`, 'char(10)', 'char(13)'].map((mark) => `instr(${column}, ${mark})`);
  const text = `CASE WHEN ${column} GLOB ${formula} THEN '''' || ${column} ELSE ${column} END`;
  return `CASE WHEN ${special.join(' OR ')} THEN '"' || replace(${text}, '"', '""') || '"' ELSE coalesce(${text}, '') END`;
}
