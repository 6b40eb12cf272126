import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { formatCount } from '../../text/format-count.ts';
import { createFingerprints } from '../actions/fingerprints.ts';
import { rowKey } from '../actions/keys.ts';
import type { JournalDatabase } from '../journal/database.ts';
import { openJob } from '../journal/read-job.ts';
import { readFacts } from '../journal/read-journal.ts';
import { readFingerprints } from '../journal/row-fingerprints.ts';
import { JobDirectoryError } from '../model/errors.ts';
import type { Job } from '../model/job.ts';
import { isOfShard } from '../model/shard.ts';
import { openTemporaryDatabase } from '../owners/temporary-database.ts';
import { type IssueCode, issueTable } from '../rows/issues.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';

const code: IssueCode = 'KEY_CHANGED';

/**
 * `sent`: rows of the earlier file. `known`: keys of the files before that. `unknown`: rows of the corrected file with none of
 * these keys. `gaps`: what lies between two rows that both files have, by their numbers in both, and its number of unknown rows.
 */
const schema = `
  CREATE TABLE sent (row INTEGER PRIMARY KEY, key TEXT, external_id TEXT, is_user INTEGER, is_met INTEGER DEFAULT 0);
  CREATE TABLE known (key TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE unknown (row INTEGER PRIMARY KEY, external_id TEXT, gap INTEGER);
  CREATE TABLE gaps (gap INTEGER PRIMARY KEY, row_before, row_after, sent_before, sent_after, rows);`;

/** SQL: users of the job who are in no row of the corrected file. */
const vanished = 'is_user AND NOT is_met';

/**
 * SQL: unknown rows that seem to be vanished users: they have the external ID of one; or stand where one stood, in a gap of
 * unchanged length; or outnumber the rows of the gap that were no users, so that they cannot all be corrected ones.
 */
const suspects = `
  SELECT unknown.row FROM unknown JOIN sent USING (external_id) WHERE ${vanished}
  UNION SELECT unknown.row FROM unknown JOIN gaps USING (gap)
    JOIN sent ON sent.row = unknown.row - row_before + sent_before
    WHERE row_after - row_before = sent_after - sent_before AND ${vanished}
  UNION SELECT unknown.row FROM unknown JOIN gaps USING (gap)
    WHERE row_after - row_before <> sent_after - sent_before
      AND EXISTS (SELECT 1 FROM sent WHERE row > sent_before AND row < sent_after AND ${vanished})
      AND rows > sent_after - sent_before - 1
        - (SELECT count(*) FROM sent WHERE row > sent_before AND row < sent_after AND (is_user OR is_met))`;

/**
 * Throws a `JobDirectoryError` if rows of a corrected file seem to be users whom the job created, or may have created, under
 * another key: they would not be recognized and would be created a second time. `before`: the job of the earlier file.
 */
export async function refuseChangedKeys(
  directory: string,
  before: Job,
  lists: AsyncIterable<readonly ValidatedRow[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const index = await openTemporaryDatabase(schema);
  try {
    // One transaction for all rows is several times faster than one for each.
    index.exec('BEGIN');
    const ofValues = await copyRows(directory, index);
    const gaps = findGaps(index, before.rows, ofValues);
    for await (const list of lists) {
      signal?.throwIfAborted();
      for (const row of list) if (isOfShard(row.row, before.shard)) gaps.add(row);
    }
    gaps.end();
    const rows = index.prepare(`${suspects} ORDER BY 1`).all() as { row: number }[];
    if (rows.length === 0) return;
    const shown = rows.slice(0, 5).map(({ row }) => row);
    const more = rows.length > shown.length ? `, and ${rows.length - shown.length} more` : '';
    const are =
      rows.length === 1
        ? 'seems to be a user of the job under another'
        : 'seem to be users of the job under another';
    throw new JobDirectoryError(
      directory,
      `${formatCount(rows.length, 'row')} of the corrected file (row ${shown.join(', ')}${more}) ${are} user name, e-mail address, mobile number or external ID, and would be created a second time (${code})`,
      before.shard
        ? `${issueTable[code].remedy} If lines were added or removed, rows have moved to other shards: merge the shards first (tenant-users import-hashes merge), and correct the file then.`
        : issueTable[code].remedy,
    );
  } finally {
    index.close();
  }
}

/** Returns the fingerprint by which a sent row without an outcome is found; nothing else is known of such a row. */
type ValuesOf = (row: ValidRow) => string;

/**
 * Copies what became of the rows of the earlier file. Rows that may have been sent and have no outcome may be users; their
 * fingerprint stands for their key. Returns the function that makes it, if there are such rows.
 */
async function copyRows(directory: string, index: DatabaseSyncInstance): Promise<ValuesOf | undefined> {
  const { connection } = await openJob(directory);
  try {
    const insert = index.prepare(
      'INSERT INTO sent (row, key, external_id, is_user) VALUES (:row, :key, :external_id, :is_user)',
    );
    const rows = connection.prepare(
      `SELECT row, key, external_id, result IN ('created', 'existing', 'unknown') OR user_id IS NOT NULL AS is_user FROM outcomes`,
    );
    for (const row of rows.iterate()) insert.run(row as Record<string, string | number | null>);
    const unanswered = copyUnanswered(connection, index);
    const know = index.prepare('INSERT INTO known VALUES (?)');
    for (const { key } of connection.prepare('SELECT key FROM earlier').iterate() as Iterable<{
      key: string;
    }>)
      know.run(key);
    index.exec('CREATE INDEX by_key ON sent (key); CREATE INDEX by_external_id ON sent (external_id)');
    const { ofValues } = createFingerprints(readFacts(connection).fingerprint_key ?? '');
    return unanswered > 0 ? ({ user, isDisabled }) => ofValues(user, isDisabled).values : undefined;
  } finally {
    connection.close();
  }
}

function copyUnanswered(connection: JournalDatabase, index: DatabaseSyncInstance): number {
  const isUnanswered = connection.prepare(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM outcomes WHERE row = ?1)
    AND (?1 <= ?2 OR EXISTS (SELECT 1 FROM exact_intents WHERE row = ?1))`);
  const insert = index.prepare('INSERT INTO sent (row, key, is_user) VALUES (?, ?, 1)');
  const mark = readFacts(connection).may_be_sent ?? 0;
  let copied = 0;
  for (const block of readFingerprints(connection)) {
    for (const { row, fingerprint } of block) {
      if (!fingerprint || !isUnanswered.get(row, mark)) continue;
      insert.run(row, fingerprint.values);
      copied += 1;
    }
  }
  return copied;
}

/** Finds the gaps while the rows of the corrected file are added in order. `rows`: number of rows of the earlier file. */
function findGaps(index: DatabaseSyncInstance, rows: number, ofValues: ValuesOf | undefined) {
  // Like `takeOver` of the journal: not if the external IDs show that it was another person.
  const find = index.prepare(`SELECT row FROM sent
    WHERE key = ?1 AND NOT is_met AND (external_id IS NULL OR ?2 IS NULL OR external_id = ?2)
    ORDER BY is_user DESC LIMIT 1`);
  const meet = index.prepare('UPDATE sent SET is_met = 1 WHERE row = ?');
  const findKnown = index.prepare('SELECT 1 FROM known WHERE key = ?');
  const insertUnknown = index.prepare('INSERT INTO unknown VALUES (?, ?, ?)');
  const insertGap = index.prepare('INSERT INTO gaps VALUES (?, ?, ?, ?, ?, ?)');
  let [gap, unknown, last] = [1, 0, 0];
  let from = { row: 0, sent: 0 };

  function close(to: { row: number; sent: number }): void {
    // If rows were moved, any row of the earlier file may have been here.
    const [sentBefore, sentAfter] = to.sent > from.sent ? [from.sent, to.sent] : [0, rows + 1];
    if (unknown > 0) insertGap.run(gap, from.row, to.row, sentBefore, sentAfter, unknown);
    from = to;
    gap += 1;
    unknown = 0;
  }

  return {
    add(validated: ValidatedRow): void {
      const { row, user } = validated;
      last = row;
      const key = user ? rowKey(user) : validated.key;
      if (key === undefined) return;
      const externalId = (user ? user.external_id : validated.externalId) ?? null;
      const known = find.get(key, externalId) ?? (ofValues && user && find.get(ofValues(validated), null));
      const found = known as { row: number } | undefined;
      if (found) {
        meet.run(found.row);
        close({ row, sent: found.row });
      } else if (user && !findKnown.get(key)) {
        insertUnknown.run(row, externalId, gap);
        unknown += 1;
      }
    },
    end: () => close({ row: last + 1, sent: rows + 1 }),
  };
}
