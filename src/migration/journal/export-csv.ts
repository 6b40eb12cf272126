import { stringify } from 'csv-stringify/sync';
import { type JournalDatabase, resultsOfUsers } from './database.ts';
import { isWithoutRow } from './read-journal.ts';

/** A column of a list of outcomes. */
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
 * Yields CSV lines (no header) of the users, or of all rows with a code, in the order of the rows. Only users who are not as their rows
 * say have both. A text covers at most a thousand rows.
 */
export function* exportCsv(
  connection: JournalDatabase,
  where: 'users' | 'others',
  columns: readonly ListColumn[],
): Generator<string, void> {
  const textOf = (rows: readonly unknown[]) =>
    stringify([...rows], { columns: [...columns], escape_formulas: true });
  const which = where === 'users' ? `result IN ${resultsOfUsers}` : 'code IS NOT NULL';
  const cells = columns.map((column) =>
    where === 'others' && column === 'user_id' ? userOfRow : cellOf(column),
  );
  const page = connection.prepare(
    `SELECT ${cells.join()} FROM outcomes WHERE outcomes.row > ? AND outcomes.row <= ? AND ${which} ORDER BY outcomes.row`,
  );
  const last = connection.count('SELECT max(row) FROM outcomes');
  for (let from = 0; from < last; from += pageLength) {
    const rows = page.all(from, from + pageLength);
    if (rows.length > 0) yield textOf(rows);
  }
  if (where === 'others') return;
  for (const user of connection.prepare(usersOfNoRow).iterate()) yield textOf([user]);
}

/** SQL: a plan numbers the users who are in no row after the rows of its file: no file has such a row, or an undo would name another. */
function cellOf(column: ListColumn): string {
  return column === 'row' || column === 'line' ? `iif(line = 0, NULL, ${column}) AS ${column}` : column;
}

/** SQL: users of the job who have no row in its corrected file that can be sent. One who is also `existing` was created. */
const usersOfNoRow = `SELECT user_name, external_id, user_id, found_by_look_up, code, message, hint,
    min(iif(result = 'failed', 'created', result)) AS result
  FROM earlier WHERE ${isWithoutRow} GROUP BY user_id ORDER BY earlier.row`;

/** SQL: the user of a row; of one who was there before the job, and of whom the row says something else, only the earlier file has the ID. */
const userOfRow = `coalesce(user_id,
  (SELECT user_id FROM earlier WHERE earlier.key = outcomes.key AND earlier.row = outcomes.row AND earlier.line > 0)) AS user_id`;
