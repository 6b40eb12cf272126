import { type JournalDatabase, resultsOfUsers } from '../database/database.ts';
import { disabledByJob } from '../database/row-fingerprints.ts';
import type { OutcomeRow } from '../database/tables.ts';
import { isWithoutRowSql } from './count-outcomes.ts';

const pageLength = 1000;

/** A column of a list: one of the journal, or whether the job disabled the user. */
export type ListColumn = keyof OutcomeRow | 'disabled';

/**
 * Yields a list as CSV: of the users, or of all rows with a code, in the order of the rows. Only users who are not as their rows say
 * have both.
 * A text covers at most a thousand rows. SQLite makes the texts: making them from objects would take two to three times as long.
 */
export function* exportCsv(
  connection: JournalDatabase,
  where: 'users' | 'others',
  columns: readonly ListColumn[],
): Generator<string, void> {
  const which = where === 'users' ? `result IN ${resultsOfUsers}` : 'code IS NOT NULL';
  const lineOf = (disabled: string) => {
    const own: { [Name in ListColumn]?: string } = {
      disabled: `iif(${disabled}, 'true', '')`,
      ...(where === 'others' && { user_id: cell(userOfRow) }),
    };
    return `${columns.map((column) => own[column] ?? cell(column)).join(" || ',' || ")} || char(10)`;
  };
  const line = lineOf(disabledByJob.outcomes);
  const page = connection.prepare(
    `SELECT group_concat(${line}, '' ORDER BY row) AS text FROM outcomes WHERE row > ? AND row <= ? AND ${which}`,
  );
  yield `${columns.join()}\n`;
  const last = connection.count('SELECT max(row) FROM outcomes');
  for (let from = 0; from < last; from += pageLength) {
    const { text } = page.get(from, from + pageLength) as { text: string | null };
    if (text !== null) yield text;
  }
  if (where === 'users') yield* usersOfNoRow(connection, lineOf(disabledByJob.earlier));
}

/** Users of the job who have no row in its corrected file that can be sent: their lines have no row number. One who is also `existing` was created. */
function* usersOfNoRow(connection: JournalDatabase, line: string): Generator<string, void> {
  const users = connection.prepare(
    `SELECT ${line} AS text FROM (SELECT row, line, user_name, external_id, user_id, found_by_look_up, code, message, hint,
       iif(result = 'created', sent_values, NULL) AS sent_values, min(iif(result = 'failed', 'created', result)) AS result FROM earlier
       WHERE ${isWithoutRowSql} GROUP BY user_id ORDER BY earlier.row)`,
  );
  for (const user of users.iterate()) yield (user as { text: string }).text;
}

/** Pattern of values that a spreadsheet takes for a formula; with `'` before them they are text. */
const formula = "'[-=+@\t\r＝＋－＠]*'";

/** Columns that contain only fixed words. */
const plain: readonly string[] = ['result', 'found_by_look_up'];

/** SQL: the user of a row; of one who was there before the job, and of whom the row says something else, only the earlier file has the ID. */
const userOfRow = `coalesce(user_id,
  (SELECT user_id FROM earlier WHERE earlier.key = outcomes.key AND earlier.row = outcomes.row AND earlier.line > 0))`;

/** Returns SQL for a cell with a column or another value, in quotes only where RFC 4180 requires them. */
function cell(column: string): string {
  // A plan numbers the users who are in no row after the rows of its file: no file has such a row, or an undo would name another.
  if (column === 'row' || column === 'line') return `iif(line = 0, '', coalesce(${column}, ''))`;
  if (plain.includes(column)) return `coalesce(${column}, '')`;
  const special = [`','`, `'"'`, 'char(10)', 'char(13)'].map((mark) => `instr(${column}, ${mark})`);
  const text = `CASE WHEN ${column} GLOB ${formula} THEN '''' || ${column} ELSE ${column} END`;
  return `CASE WHEN ${special.join(' OR ')} THEN '"' || replace(${text}, '"', '""') || '"' ELSE coalesce(${text}, '') END`;
}
