import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { JournalDatabase } from './database.ts';

/** Finds users that the journal has as outcomes. */
export interface JobUsers {
  /** The id of one of the first users that the job created; `undefined` where it has none yet. */
  firstCreated(): string | undefined;
  /** The row that has this user. */
  rowOf(userId: string): number | undefined;
  /** True for a user whom an earlier run of the job created, and could not disable as the file says. */
  stayedEnabled(userId: string): boolean;
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
    stayedEnabled: (userId) =>
      connection.prepare("SELECT 1 FROM earlier WHERE result = 'failed' AND user_id = ?").get(userId) !==
      undefined,
  };
}

/** The users of a file as it was before it was corrected, by the keys of their rows. */
export interface EarlierUsers {
  /** The outcome of the row that had this key, for the row that has it now; `undefined` where there is no user. */
  find(row: number, line: number, key: string): { outcome: FinalOutcome; earlierRow: number } | undefined;
  remove(key: string): void;
}

/** A row of the table `earlier`. */
interface EarlierUser {
  row: number;
  result: 'created' | 'existing';
  algorithm: HashAlgorithm | null;
  user_name: string | null;
  external_id: string | null;
  user_id: string;
  found_by_look_up: string | null;
}

/** Reads and removes users of the file as it was. */
export function readEarlierUsers(connection: JournalDatabase): EarlierUsers {
  const select = connection.prepare(
    'SELECT row, result, algorithm, user_name, external_id, user_id, found_by_look_up FROM earlier WHERE key = ?',
  );
  const remove = connection.prepare('DELETE FROM earlier WHERE key = ?');
  return {
    find(row, line, key) {
      const found = select.get(key) as EarlierUser | undefined;
      if (!found) return undefined;
      const { result, algorithm, user_name: userName, external_id: externalId, user_id: userId } = found;
      const reference = { row, line, key, algorithm: algorithm ?? undefined };
      const names = { userName: userName ?? undefined, externalId: externalId ?? undefined };
      const outcome = { ...reference, ...names, userId };
      if (result === 'created' && found.found_by_look_up !== null)
        return { outcome: { ...outcome, result, isFoundByLookUp: true }, earlierRow: found.row };
      return { outcome: { ...outcome, result }, earlierRow: found.row };
    },
    remove: (key) => void remove.run(key),
  };
}
