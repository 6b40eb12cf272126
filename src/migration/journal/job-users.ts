import type { JournalDatabase } from './database.ts';

/** Finds users that the journal has as outcomes. */
export interface JobUsers {
  /** The id of one of the first users that the job created; `undefined` where it has none yet. */
  firstCreated(): string | undefined;
  /** The row that has this user. */
  rowOf(userId: string): number | undefined;
}

/** Searches the outcomes of a journal; `flush` inserts those that wait. */
export function searchUsers(connection: JournalDatabase, flush: () => void): JobUsers {
  // The first row of the file was sent first; of a corrected file those of before were.
  const first = `SELECT user_id FROM (SELECT 0 AS age, row, user_id, result FROM earlier UNION ALL
    SELECT 1, row, user_id, result FROM outcomes) WHERE result = 'created' ORDER BY age, row LIMIT 1`;

  return {
    firstCreated() {
      flush();
      return (connection.prepare(first).get() as { user_id: string } | undefined)?.user_id;
    },
    rowOf(userId) {
      flush();
      const found = connection.prepare('SELECT row FROM outcomes WHERE user_id = ?').get(userId);
      return (found as { row: number } | undefined)?.row;
    },
  };
}
