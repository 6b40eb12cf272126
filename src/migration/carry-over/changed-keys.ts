import type { HashedUser } from '../../contract/wire.ts';
import { formatCount } from '../../text/format-count.ts';
import { createFingerprints } from '../actions/fingerprints.ts';
import { rowKey } from '../actions/keys.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { isOfFileSql } from '../journal/database/exact-intents.ts';
import { readFacts } from '../journal/database/job-facts.ts';
import { lookUpFirst } from '../journal/reading/open-job.ts';
import { JobDirectoryError } from '../model/errors.ts';
import type { CommandLine, Job } from '../model/job.ts';
import { type IssueCode, issueTable } from '../rows/issues/issues.ts';
import type { InvalidRow } from '../rows/validate-rows.ts';

const code: IssueCode = 'KEY_CHANGED';

/**
 * `sent`: rows of the earlier file. Of those without an outcome only the values are known, so their fingerprint stands for their key,
 * but for its first character, which says whether they are disabled; those of them that may have been sent may be users. `is_left`: an
 * earlier plan created nobody for this reason. `known`: keys of the files before that. `unknown`: rows of the later file with none of
 * these keys. `is_met`: 2 if a row of the later file is about the same person, 1 if only one that the recipe leaves out. `gaps`: what
 * lies between two rows that both files have, by their numbers in both, and its number of unknown rows. `mark`: the high-water mark.
 */
const tables = (mark: number) => `
  CREATE TEMP TABLE sent (row INTEGER PRIMARY KEY, key TEXT, external_id TEXT, user_id TEXT, is_user INTEGER,
    is_left INTEGER DEFAULT 0, is_unanswered INTEGER DEFAULT 0, is_met INTEGER DEFAULT 0);
  INSERT INTO sent (row, key, external_id, user_id, is_user, is_left) SELECT row, key, external_id, user_id,
    result IN ('created', 'existing', 'unknown') OR user_id IS NOT NULL, code IS '${code}' FROM outcomes WHERE line > 0;
  INSERT INTO sent (row, key, is_user, is_unanswered) SELECT row, substr(user_values, 2), may_be, may_be FROM (
    SELECT row, user_values, row <= ${mark} OR row IN (SELECT row FROM exact_intents WHERE ${isOfFileSql}) AS may_be FROM unpacked
      WHERE row NOT IN (SELECT row FROM outcomes));
  CREATE TEMP TABLE known (key TEXT PRIMARY KEY) WITHOUT ROWID;
  INSERT INTO known SELECT key FROM earlier;
  CREATE TEMP TABLE unknown (row INTEGER PRIMARY KEY, external_id TEXT, gap INTEGER);
  CREATE TEMP TABLE gaps (gap INTEGER PRIMARY KEY, row_before, row_after, sent_before, sent_after, rows);
  CREATE INDEX temp.by_key ON sent (key); CREATE INDEX temp.by_external_id ON sent (external_id);`;

/** SQL: users of the job who are in no row of the later file. */
const vanished = 'is_user AND NOT is_met';

/** For each row of the earlier file, how many rows up to it are taken, and how many of them are `gone`, also without an external ID. */
const sums = `CREATE TEMP TABLE sums (row INTEGER PRIMARY KEY, taken INTEGER, gone INTEGER, unnamed INTEGER);
  INSERT INTO sums SELECT row, sum(is_user OR is_met) OVER (ORDER BY row), sum(${vanished}) OVER (ORDER BY row),
    sum(${vanished} AND external_id IS NULL) OVER (ORDER BY row) FROM sent;`;

/** SQL: one of these sums over the rows of a gap. */
function inGap(sum: 'taken' | 'gone' | 'unnamed'): string {
  const upTo = (row: string) =>
    `coalesce((SELECT ${sum} FROM sums WHERE sums.row ${row} ORDER BY sums.row DESC LIMIT 1), 0)`;
  return `(${upTo('< sent_after')} - ${upTo('<= sent_before')})`;
}

/**
 * SQL: unknown rows that seem to be vanished users: they have the external ID of one; or stand where one stood, in a gap of
 * unchanged length; or outnumber the rows of the gap that were no users, so that they cannot all be corrected ones (`areCounted`).
 * `idsTell`: whoever has another external ID is somebody else. `userId`: that user, if only one seems to be meant.
 */
const suspects = ({ idsTell, areCounted }: { idsTell: boolean; areCounted: boolean }) => `
  SELECT row, iif(count(DISTINCT user_id) = 1, max(user_id), NULL) AS userId FROM (
  SELECT unknown.row, user_id FROM unknown JOIN sent USING (external_id) WHERE ${vanished}
  UNION SELECT unknown.row, user_id FROM unknown JOIN gaps USING (gap)
    JOIN sent ON sent.row = unknown.row - row_before + sent_before
    WHERE row_after - row_before = sent_after - sent_before AND ${vanished}
      AND (${!idsTell} OR unknown.external_id IS NULL OR sent.external_id IS NULL)
  UNION SELECT unknown.row, NULL FROM unknown JOIN gaps USING (gap)
    WHERE ${areCounted} AND row_after - row_before <> sent_after - sent_before
      AND iif(${idsTell} AND unknown.external_id IS NOT NULL, ${inGap('unnamed')}, ${inGap('gone')}) > 0
      AND rows > sent_after - sent_before - 1 - ${inGap('taken')}
  ) GROUP BY row`;

/**
 * Throws a `JobDirectoryError` if rows of a corrected file, which were all added, seem to be users whom the job created, or may have
 * created, under another first identifier: they would be created a second time. `before`: the job of the earlier file.
 */
export function refuseChangedKeys(
  directory: string,
  connection: JournalDatabase,
  keys: ChangedKeys,
  { before, command }: { before: Job; command: CommandLine | undefined },
): void {
  const rows = [...keys.suspects().keys()];
  if (rows.length === 0) return;
  refuseUnanswered(directory, connection, command);
  const are =
    rows.length === 1
      ? 'seems to be a user of the job under another'
      : 'seem to be users of the job under another';
  throw new JobDirectoryError(
    directory,
    `${formatCount(rows.length, 'row')} of the corrected file (${listedRows(rows)}) ${are} user name, e-mail address, mobile number or external ID, and would be created a second time (${code})`,
    before.shard
      ? `${issueTable[code].remedy} If lines were added or removed, rows have moved to other shards: merge the shards first (tenant-users import-hashes merge), and correct the file then. With --accept ${code}, the user of a row that has moved is found only by its identifiers: one who has others in the tenant by now is created a second time.`
      : issueTable[code].remedy,
  );
}

/**
 * Throws a `JobDirectoryError` if the corrected file has other values for rows that may have been sent and have no outcome. Only their
 * values are known, so nobody can tell a corrected row from another person; a look-up with the earlier file can.
 */
function refuseUnanswered(
  directory: string,
  connection: JournalDatabase,
  command: CommandLine | undefined,
): void {
  const sql = 'SELECT row FROM sent WHERE is_unanswered AND NOT is_met ORDER BY row';
  const rows = connection.rows<{ row: number }>(sql).map(({ row }) => row);
  if (rows.length === 0) return;
  const have = rows.length === 1 ? 'has' : 'have';
  throw new JobDirectoryError(
    directory,
    `at most ${formatCount(rows.length, 'row')} of the earlier file (${listedRows(rows)}) may have been sent and ${have} no answer, and no row of the corrected file has the same values`,
    `${lookUpFirst(command)}\nIf that file is lost, look in the tenant for the users of these rows; --accept ${code} then sends the corrected rows like new ones.`,
  );
}

function listedRows(rows: readonly number[]): string {
  const shown = rows.slice(0, 5);
  const more = rows.length > shown.length ? `, and ${rows.length - shown.length} more` : '';
  return `row ${shown.join(', ')}${more}`;
}

/** A row of the later file, and what is known of its person. */
interface Person extends Partial<Pick<InvalidRow, 'key' | 'externalId' | 'skippedUser'>> {
  row: number;
  user?: HashedUser | undefined;
}

/** Finds rows that seem to be users of an earlier file under another key. */
export type ChangedKeys = ReturnType<typeof openChangedKeys>;

/**
 * Opens the search in the journal of the earlier file, whose fingerprints are unpacked, in an open transaction. `rows`: number of
 * rows of that file. `isDelta`: the file is a new export, not a corrected copy, so the external ID of a row tells who it is about,
 * and rows in another order tell nothing: every new row could be any user who left.
 */
export function openChangedKeys(connection: JournalDatabase, rows: number, { isDelta = false } = {}) {
  const { may_be_sent: mark = 0, fingerprint_key: fingerprintKey = '' } = readFacts(connection);
  const { ofValues } = createFingerprints(fingerprintKey);
  connection.exec(tables(mark));
  // As `decideCorrected` does: not if the external IDs show that it was another person.
  const find = connection.prepare(`SELECT row, is_left FROM sent
    WHERE key = ?1 AND is_met < 2 AND (external_id IS NULL OR ?2 IS NULL OR external_id = ?2)
    ORDER BY is_met, is_user DESC LIMIT 1`);
  const findById = connection.prepare(
    `SELECT row, 0 AS is_left FROM sent WHERE external_id = ? AND is_user AND is_met < 2 LIMIT 1`,
  );
  const meet = connection.prepare('UPDATE sent SET is_met = ? WHERE row = ?');
  const findKnown = connection.prepare('SELECT 1 FROM known WHERE key = ?');
  const insertUnknown = connection.prepare('INSERT INTO unknown VALUES (?, ?, ?)');
  const insertGap = connection.prepare('INSERT INTO gaps VALUES (?, ?, ?, ?, ?, ?)');
  const left: number[] = [];
  let [gap, unknown, last] = [1, 0, 0];
  let from = { row: 0, sent: 0 };
  let isReordered = false;

  function close(to: { row: number; sent: number }): void {
    // If rows were moved, any row of the earlier file may have been here.
    const isMoved = to.sent <= from.sent;
    isReordered ||= isMoved;
    const [sentBefore, sentAfter] = isMoved ? [0, rows + 1] : [from.sent, to.sent];
    if (unknown > 0) insertGap.run(gap, from.row, to.row, sentBefore, sentAfter, unknown);
    from = to;
    gap += 1;
    unknown = 0;
  }

  return {
    /** Adds the rows of the later file, in order. */
    add({ row, skippedUser, user = skippedUser, key = user && rowKey(user), externalId }: Person): void {
      last = row;
      if (key === undefined) return;
      const id = user?.external_id ?? externalId ?? null;
      const byValues = () => user && find.get(ofValues(user).values.slice(1), null);
      const known = find.get(key, id) ?? byValues() ?? (isDelta ? findById.get(id) : undefined);
      const found = known as { row: number; is_left: number } | undefined;
      if (skippedUser) {
        // Its place tells nothing about the order of the others: an export may list those who left by themselves.
        if (found) meet.run(1, found.row);
      } else if (found) {
        meet.run(2, found.row);
        if (found.is_left) left.push(row);
        close({ row, sent: found.row });
      } else if (user && !findKnown.get(key)) {
        insertUnknown.run(row, id, gap);
        unknown += 1;
      }
    },
    /** Returns the numbers of these rows, in order, and the user of each if known; to be called once all rows were added. */
    suspects(): Map<number, string | undefined> {
      close({ row: last + 1, sent: rows + 1 });
      connection.exec(sums);
      const how = { idsTell: isDelta, areCounted: !(isDelta && isReordered) };
      const found = connection.rows<{ row: number; userId: string | null }>(suspects(how));
      const all = [...left.map((row) => ({ row, userId: null })), ...found];
      return new Map(all.sort((a, b) => a.row - b.row).map(({ row, userId }) => [row, userId ?? undefined]));
    },
    /** True if the rows that both files have are in another order. */
    isReordered: () => isReordered,
    /** Deletes what the search needed; to be called after `suspects`. */
    close: () =>
      connection.exec(
        ['sent', 'known', 'unknown', 'gaps', 'sums'].map((name) => `DROP TABLE temp.${name}`).join('; '),
      ),
  };
}
