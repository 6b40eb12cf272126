import type { Job, RunMode } from '../model/job.ts';
import type { Shard } from '../model/shard.ts';
import type { JournalDatabase } from './database.ts';
import { endOfRun, limitsOfCall, readFacts, readJournal, storeFact } from './read-journal.ts';
import { outcomesWithSent, unpackFingerprints } from './row-fingerprints.ts';
import { keyOfRecord, keyOfUnanswered, leftEnabled, outcomeColumnsWith } from './tables.ts';

const sharedKeys = (kept: string) =>
  `SELECT key FROM outcomes WHERE ${kept} GROUP BY key HAVING count(*) > 1`;

/** SQL: what `keyOfValues` has of an outcome. */
const sentText = "sent_values || ' ' || sent_hash";

const createdNameless = "key IS NULL AND result = 'created'";

/**
 * SQL: the key in `earlier` of an outcome. A user whose row has no identifier has one if no other such row was sent with the same values
 * and hash. The others without a key, and those that share an external ID, are kept for the record only; a
 * user who could not be disabled makes way for another. `kept`: SQL, true for the outcomes that are not deleted before.
 */
export const keyInEarlier = (kept = 'true') => `CASE WHEN ${createdNameless} AND ${sentText} IN (
      SELECT ${sentText} FROM ${outcomesWithSent} WHERE ${createdNameless} GROUP BY 1 HAVING count(*) = 1)
    THEN '${keyOfUnanswered}' || ${sentText} WHEN key IS NULL OR key LIKE 'external_id=%'
    AND (key IN (${sharedKeys(`${kept} AND NOT ${leftEnabled}`)}) OR ${leftEnabled} AND key IN (${sharedKeys(kept)}))
  THEN ${keyOfRecord} ELSE key END`;

/**
 * Deletes what the next run of a job will decide again, in a transaction that it opens. True if the file was corrected since the last
 * run.
 */
export function resume(
  connection: JournalDatabase,
  before: Job,
  job: Job,
  { mode, now }: { mode?: RunMode | undefined; now: () => number },
): boolean {
  const isOtherFile = before.source !== job.source || before.optionsDigest !== job.optionsDigest;
  connection.exec('BEGIN');
  // Rows without an outcome are looked up before they are sent again.
  connection.exec("DELETE FROM outcomes WHERE result = 'unknown'");
  connection.exec('DELETE FROM exact_intents WHERE row IN (SELECT row FROM outcomes)');
  // Before outcomes are deleted, whose rows were answered: somebody who has registered since would count as created.
  connection.exec(`${insertMarked(marksOf(connection, before, now))};
    DELETE FROM job WHERE name = 'may_be_sent'`);
  // These rows are valid and never reached the service, so they are sent as if for the first time.
  if (mode !== 'only unanswered') connection.exec("DELETE FROM outcomes WHERE code = 'NOT_REACHED'");
  if (mode === 'only failed') {
    // Users who were created although their row failed are kept for an undo. One who stayed enabled is looked up before the row is
    // sent, which could create a second user. One who was there before could be taken for such a user: that outcome is kept.
    connection.exec(`
      INSERT OR REPLACE INTO exact_intents SELECT row, 0, 0 FROM outcomes
        WHERE ${leftEnabled}`);
    if (!isOtherFile) keepForRecord(connection);
    connection.exec(`
      DELETE FROM outcomes WHERE result IN ('failed', 'invalid', 'conflict', 'skipped')
        AND NOT (code IS 'NOT_DISABLED' AND user_id IS NULL) AND NOT (${isOtherFile} AND ${leftEnabled})`);
  }
  if (isOtherFile) {
    unpackFingerprints(connection);
    connection.exec(`
      INSERT OR REPLACE INTO earlier SELECT ${outcomeColumnsWith({ key: keyInEarlier() })} FROM ${outcomesWithSent};
      INSERT INTO earlier (row, line, result, key, sent_values, sent_hash)
        SELECT row, 0, 'unknown', '${keyOfUnanswered}' || user_values, user_values, hash FROM temp.unpacked
        WHERE row IN (SELECT row FROM exact_intents) AND row NOT IN (SELECT row FROM outcomes)
        ON CONFLICT (key) DO UPDATE SET sent_values = NULL, sent_hash = NULL WHERE sent_hash IS NOT excluded.sent_hash;
      DELETE FROM outcomes; DELETE FROM fingerprints; DROP TABLE temp.unpacked; DELETE FROM job WHERE name = 'taken_over';
      INSERT OR REPLACE INTO job SELECT 'arrives_until', max(until) FROM (
        SELECT arrives_until AS until FROM exact_intents WHERE arrives_until > 0
        UNION ALL SELECT CAST(value AS INTEGER) FROM job WHERE name = 'arrives_until') HAVING count(*) > 0;
      DELETE FROM exact_intents;
      INSERT OR REPLACE INTO job VALUES ('corrected', '1')`);
    storeFact(connection, 'job', job);
  }
  return isOtherFile;
}

/** Keeps the users who could not be disabled, with what was sent for them. */
function keepForRecord(connection: JournalDatabase): void {
  if (!connection.prepare(`SELECT 1 FROM outcomes WHERE ${leftEnabled} LIMIT 1`).get()) return;
  unpackFingerprints(connection);
  connection.exec(`
    INSERT OR REPLACE INTO earlier SELECT ${outcomeColumnsWith({ key: keyOfRecord })}
      FROM ${outcomesWithSent} WHERE ${leftEnabled};
    DROP TABLE temp.unpacked`);
}

/** Which rows of a journal the high-water mark covers. */
export interface Marks {
  shard: Shard | undefined;
  /** Number of the last row. */
  last: number;
  /** Until when, in epoch milliseconds, a request of the last run can still arrive. */
  arrivesUntil: number;
}

/** Reads which rows of a job the high-water mark covers. `now`: epoch milliseconds. */
export function marksOf(connection: JournalDatabase, { rows, shard }: Job, now: () => number): Marks {
  const arrival = limitsOfCall * (readFacts(connection).request_timeout ?? 0);
  const ended = endOfRun(readJournal(connection).runs().at(-1), now());
  // The mark runs ahead of the rows, possibly beyond the last one.
  const last = Math.min(readFacts(connection).may_be_sent ?? 0, rows);
  return { shard, last, arrivesUntil: Math.ceil(ended + arrival) };
}

/**
 * SQL that stores an intent for each of these rows whose outcome a database does not have; see `tables`. Of several runs that
 * covered a row, the last counts. An intent of the row's own stays.
 */
export function insertMarked({ shard, last, arrivesUntil }: Marks, database = 'main'): string {
  const { index, of } = shard ?? { index: 1, of: 1 };
  return `INSERT INTO main.exact_intents
    WITH RECURSIVE marked (row) AS (SELECT ${index} UNION ALL SELECT row + ${of} FROM marked WHERE row + ${of} <= ${last})
    SELECT row, ${arrivesUntil}, 1 FROM marked WHERE row <= ${last}
      AND NOT EXISTS (SELECT 1 FROM ${database}.outcomes known WHERE known.row = marked.row AND result <> 'unknown')
    ON CONFLICT (row) DO UPDATE SET arrives_until = max(arrives_until, excluded.arrives_until) WHERE is_marked OR arrives_until = 0`;
}
