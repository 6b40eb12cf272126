import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { KnownUser } from '../actions/decide-corrected.ts';
import type { ValueFingerprints } from '../actions/fingerprints.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { JournalDatabase } from './database.ts';
import { readFacts } from './read-journal.ts';
import { type SentColumns, sentFor } from './row-fingerprints.ts';
import { hasCreatedUser, isKeyOfRecord, keyOfUnanswered } from './tables.ts';

/**
 * Finds users among the outcomes of a journal. `flush` inserts those that still wait; `write` runs its argument in the open
 * transaction. `isCorrected`: the file was corrected, so that the rows of earlier outcomes have other numbers now.
 */
export function searchUsers(
  connection: JournalDatabase,
  isCorrected: boolean,
  flush: () => void,
  write: (work: () => void) => void,
) {
  /** Finds a user in `earlier`, which has no index on them; made at the first need, because few jobs have one. */
  let made: ReturnType<typeof indexMade> | undefined;
  /** Finds the row of a user in `outcomes`, which has no index on them either. */
  let rows: ReturnType<typeof indexRows> | undefined;
  /** Users who stayed enabled, by ID, and by row; read at the first need, because most jobs have none. */
  let enabled: { rows: Map<string, number>; ids: Map<number, string> } | undefined;
  /** The keys in `earlier` of users who were released to a row that has no outcome yet. */
  const released = new Map<string, readonly string[]>();

  function readEnabled() {
    if (enabled) return enabled;
    const users = connection.prepare(
      'SELECT row, user_id FROM earlier WHERE result = ? AND user_id IS NOT NULL',
    );
    enabled = { rows: new Map(), ids: new Map() };
    for (const found of users.iterate('failed')) {
      const { row, user_id: id } = found as { row: number; user_id: string };
      enabled.rows.set(id, row);
      enabled.ids.set(row, id);
    }
    return enabled;
  }

  return {
    /** Returns the ID of the first user that the job created, for merged shards one of each; empty if there is none yet. */
    firstCreated: () => readFacts(connection).first_created ?? [],
    /** Returns the IDs of users whom the first rows created, in the order of the rows; at most `most`. */
    firstRows(most: number): readonly string[] {
      flush();
      const rows = connection
        .prepare("SELECT user_id FROM outcomes WHERE result = 'created' ORDER BY row LIMIT ?")
        .all(most);
      return (rows as { user_id: string }[]).map(({ user_id: id }) => id);
    },
    /**
     * Returns, once, the key of the row of an earlier file for which the job made this user, and what was sent; `undefined` if there is
     * none. From then on no other row takes over the user. A later run may do so, unless the row gets an outcome.
     */
    release(userId: string): ({ key: string } & SentColumns) | undefined {
      if (!isCorrected || released.has(userId)) return undefined;
      made ??= indexMade(connection);
      const found = made.all(userId) as ({ key: string } & SentColumns)[];
      const keys = found.map(({ key }) => key);
      if (keys.length > 0) released.set(userId, keys);
      return found[0];
    },
    /** True if the user of this key in `earlier` was released. */
    isReleased: (key: string) => [...released.values()].some((keys) => keys.includes(key)),
    /** Deletes a user who was released from `earlier`: in the transaction in which the outcome of their row is recorded. */
    forget(userId = ''): void {
      for (const key of released.get(userId) ?? [])
        write(() => void connection.prepare('DELETE FROM earlier WHERE key = ?').run(key));
      released.delete(userId);
    },
    /** Returns what was sent for a row of an earlier file that had these values and got no answer; `undefined` if there is none. */
    unanswered(values: string): { was: ValueFingerprints | undefined } | undefined {
      const sql = 'SELECT sent_values, sent_hash FROM earlier WHERE key = ?';
      const found = connection.prepare(sql).get(`${keyOfUnanswered}${values}`);
      return found && { was: sentFor(found as SentColumns) };
    },
    /** Returns the row that has this user; `undefined` if none has. */
    rowOf(userId: string): number | undefined {
      flush();
      rows ??= indexRows(connection);
      const found = rows.get(userId);
      if (found) return (found as { row: number }).row;
      return isCorrected ? undefined : readEnabled().rows.get(userId);
    },
    /** True if the job created the user, or changed their fields. */
    hasWritten(userId: string): boolean {
      flush();
      const sql = `SELECT 1 FROM outcomes WHERE user_id = ? AND (${hasCreatedUser} OR result = 'updated') LIMIT 1`;
      return connection.prepare(sql).get(userId) !== undefined;
    },
    /** Returns the users whom the job leaves enabled, although the file says otherwise, by row. */
    enabledBefore(): Map<number, KnownUser> {
      const sql = `SELECT row, result, user_id AS userId, external_id AS externalId, sent_values, sent_hash FROM outcomes
        WHERE code = 'DISABLE' OR (code = 'NOT_DISABLED' AND user_id IS NULL)`;
      const found = connection.prepare(sql).all() as (Omit<KnownUser, 'was'> &
        SentColumns & { row: number })[];
      return new Map(found.map((user) => [user.row, { ...user, was: sentFor(user) }]));
    },
    /** True if an earlier run of the job created the user, but could not disable them as the file says. */
    stayedEnabled: (userId: string) => readEnabled().rows.has(userId),
    /** Returns the ID of such a user of this row; `undefined` if there is none, or if the file was corrected since. */
    enabledUserOf: (row: number) => (isCorrected ? undefined : readEnabled().ids.get(row)),
  };
}

/** Returns the statement that finds a user in `earlier` whom the job created, also one who could not be disabled. */
function indexMade(connection: JournalDatabase) {
  connection.exec(`
    CREATE TEMP TABLE made (user_id TEXT, key TEXT, PRIMARY KEY (user_id, key)) WITHOUT ROWID;
    INSERT INTO made SELECT user_id, key FROM earlier WHERE ${hasCreatedUser}`);
  // A user who was taken over for a row is no longer in `earlier`.
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

/** A row of the table `earlier`. */
interface EarlierUser extends SentColumns {
  result: 'created' | 'existing' | 'failed';
  algorithm: HashAlgorithm | null;
  user_name: string | null;
  external_id: string | null;
  user_id: string | null;
  found_by_look_up: string | null;
  code: string | null;
  message: string | null;
  hint: string | null;
}

/** Opens the users from the file before it was corrected, by the keys of their rows. */
export function readEarlierUsers(connection: JournalDatabase) {
  const select = connection.prepare(
    'SELECT result, algorithm, user_name, external_id, user_id, found_by_look_up, code, message, hint, sent_values, sent_hash FROM earlier WHERE key = ?',
  );
  const remove = connection.prepare('DELETE FROM earlier WHERE key = ?');
  return {
    /**
     * Returns the user of the row that had this key, and its outcome, adapted to the row that has it now; `undefined` if there is no
     * user.
     */
    find(row: number, line: number, key: string): { known: KnownUser; outcome: FinalOutcome } | undefined {
      const found = select.get(key) as EarlierUser | undefined;
      if (!found) return undefined;
      const { result, algorithm, user_name: userName, external_id: externalId, user_id: userId } = found;
      const known = { result, userId, externalId, was: sentFor(found) };
      const own = isKeyOfRecord(key) ? undefined : key;
      const reference = { row, line, key: own, algorithm: algorithm ?? undefined };
      const names = { userName: userName ?? undefined, externalId: externalId ?? undefined };
      if (result === 'failed' || userId === null) {
        const failure = { code: found.code ?? '', message: found.message ?? '', hint: found.hint ?? '' };
        return { known, outcome: { ...reference, ...names, result: 'failed', ...failure } };
      }
      const wasFound = result === 'created' && found.found_by_look_up !== null;
      const more = wasFound ? { isFoundByLookUp: true as const } : {};
      return { known, outcome: { ...reference, ...names, userId, result, ...more } };
    },
    remove: (key: string) => void remove.run(key),
  };
}
