import type { EnabledUser, MadeUser } from '../../actions/decide-corrected.ts';
import type { ValueFingerprints } from '../../actions/fingerprints.ts';
import type { JournalDatabase } from '../database/database.ts';
import { readFacts } from '../database/job-facts.ts';
import { type SentColumns, sentFor } from '../database/row-fingerprints.ts';
import { hasCreatedUserSql, isKeyOfRecord, keyOfUnanswered } from '../database/tables.ts';

/** Finds users among the outcomes of a journal. `flush` inserts those that still wait. */
export function searchUsers(connection: JournalDatabase, flush: () => void) {
  /** Finds a user in `earlier`, which has no index on them; made at the first need, because few jobs have one. */
  let made: ReturnType<typeof indexMade> | undefined;
  /** Finds the row of a user in `outcomes`, which has no index on them either. */
  let rows: ReturnType<typeof indexRows> | undefined;

  return {
    /** Returns the ID of the first user that the job created, for merged shards one of each; empty if there is none yet. */
    firstCreated: () => readFacts(connection).first_created ?? [],
    /** Returns the IDs of users whom the first rows created, in the order of the rows; at most `most`. */
    firstRows(most: number): readonly string[] {
      flush();
      const sql = "SELECT user_id AS id FROM outcomes WHERE result = 'created' ORDER BY row LIMIT ?";
      return connection.rows<{ id: string }>(sql, most).map(({ id }) => id);
    },
    /** Returns what is known of a user if the job made them for a row of an earlier file, and no row of the current one had them. */
    madeEarlier(userId: string): MadeUser | undefined {
      made ??= indexMade(connection);
      const found = made.get(userId) as ({ key: string } & SentColumns) | undefined;
      return found && { key: isKeyOfRecord(found.key) ? undefined : found.key, sent: sentFor(found) };
    },
    /** Returns the user who was there before, and of whom the row with this key and number says something else now. */
    stranger(key: string | undefined, row: number) {
      const sql = 'SELECT user_id AS userId FROM earlier WHERE key = ? AND row = ? AND line > 0';
      return connection.row<{ userId: string | null }>(sql, key ?? null, row);
    },
    /** Returns what was sent for a row of an earlier file that had these values and got no answer; `undefined` if there is none. */
    unanswered(values: string): { sent: ValueFingerprints | undefined } | undefined {
      const sql = 'SELECT sent_values, sent_hash FROM earlier WHERE key = ?';
      const found = connection.row<SentColumns>(sql, `${keyOfUnanswered}${values}`);
      return found && { sent: sentFor(found) };
    },
    /** Returns the row that has this user; `undefined` if none has. */
    rowOf(userId: string): number | undefined {
      flush();
      rows ??= indexRows(connection);
      return (rows.get(userId) as { row: number } | undefined)?.row;
    },
    /** True if the job created the user, or changed their fields. */
    hasWritten(userId: string): boolean {
      flush();
      const sql = `SELECT 1 FROM outcomes WHERE user_id = ? AND (${hasCreatedUserSql} OR result = 'updated') LIMIT 1`;
      return connection.row(sql, userId) !== undefined;
    },
    /** Returns the user whom the job leaves enabled, although this row says otherwise; `undefined` if there is none. */
    stillEnabled(row: number) {
      const sql = `SELECT result, user_id AS userId, sent_values AS "values", sent_hash AS hash FROM outcomes
        WHERE row = ? AND code IN ('DISABLE', 'LEFT_OUT', 'NOT_DISABLED')`;
      return connection.row<EnabledUser>(sql, row);
    },
  };
}

/** Returns the statement that finds a user in `earlier` whom the job created, also one who could not be disabled. */
function indexMade(connection: JournalDatabase) {
  connection.exec(`
    CREATE TEMP TABLE made (user_id TEXT PRIMARY KEY, key TEXT) WITHOUT ROWID;
    INSERT OR IGNORE INTO made SELECT user_id, key FROM earlier WHERE ${hasCreatedUserSql}`);
  return connection.prepare(
    'SELECT key, sent_values, sent_hash FROM made JOIN earlier USING (key) WHERE made.user_id = ?',
  );
}

/** Returns the statement that finds the row of a user, also of outcomes that come later. */
function indexRows(connection: JournalDatabase) {
  connection.exec(`
    CREATE TEMP TABLE found (user_id TEXT, row INTEGER, PRIMARY KEY (user_id, row)) WITHOUT ROWID;
    INSERT INTO found SELECT user_id, row FROM outcomes WHERE user_id IS NOT NULL;
    CREATE TEMP TRIGGER find AFTER INSERT ON main.outcomes WHEN new.user_id IS NOT NULL
      BEGIN INSERT OR IGNORE INTO found VALUES (new.user_id, new.row); END`);
  return connection.prepare('SELECT row FROM found WHERE user_id = ?');
}
