import type { Job, RunMode } from '../model/job.ts';
import type { Shard } from '../model/shard.ts';
import type { JournalDatabase } from './database/database.ts';
import { intentKinds, isOfFileSql } from './database/exact-intents.ts';
import { endOfRun, limitsOfCall, readFacts, readRuns } from './database/job-facts.ts';
import { outcomesWithSent, recordedRows } from './database/row-fingerprints.ts';
import {
  hasCreatedUserSql,
  keyOfRecord,
  keyOfUnanswered,
  leftEnabledSql,
  outcomeColumnsWith,
} from './database/tables.ts';

const sharedKeys = (kept: string) =>
  `SELECT key FROM outcomes WHERE ${kept} GROUP BY key HAVING count(*) > 1`;

/** SQL: what `keyOfValues` has of an outcome. */
const sentText = "sent_values || ' ' || sent_hash";

const createdNameless = "key IS NULL AND result = 'created'";

/**
 * SQL: the key in `earlier` of an outcome. A user whose row has no identifier has one if no other such row was sent with the same values
 * and hash. The others without a key, and those that share an external ID, are kept for the record only; a
 * user who could not be disabled makes way for another.
 */
const keyInEarlier = `CASE WHEN ${createdNameless} AND ${sentText} IN (
      SELECT ${sentText} FROM ${outcomesWithSent} WHERE ${createdNameless} GROUP BY 1 HAVING count(*) = 1)
    THEN '${keyOfUnanswered}' || ${sentText} WHEN key IS NULL OR key LIKE 'external_id=%'
    AND (key IN (${sharedKeys(`NOT ${leftEnabledSql}`)}) OR ${leftEnabledSql} AND key IN (${sharedKeys('true')}))
  THEN ${keyOfRecord("'row=' || row")} ELSE key END`;

/** Deletes what the next run of a job will decide again, in the open transaction. */
export function resume(
  connection: JournalDatabase,
  before: Job,
  { mode, now }: { mode?: RunMode | undefined; now: () => number },
): void {
  // Rows without an outcome are looked up before they are sent again.
  connection.exec("DELETE FROM outcomes WHERE result = 'unknown'");
  // An answer says nothing about a request of an earlier file.
  connection.exec(`DELETE FROM exact_intents WHERE kind < ${intentKinds.earlier} AND row IN (SELECT row FROM outcomes);
    UPDATE exact_intents SET kind = ${intentKinds.earlier}
      WHERE kind = ${intentKinds.both} AND row IN (SELECT row FROM outcomes)`);
  // Before outcomes are deleted, whose rows were answered: somebody who has registered since would count as created.
  connection.exec(`${insertMarked(marksOf(connection, before, now))};
    DELETE FROM job WHERE name = 'may_be_sent'`);
  // These rows are valid and never reached the service, so they are sent as if for the first time.
  if (mode !== 'only unanswered') connection.exec("DELETE FROM outcomes WHERE code = 'NOT_REACHED'");
  // Users who stayed enabled are there, so that their rows must not be sent again.
  if (mode === 'only failed')
    connection.exec(`DELETE FROM outcomes
      WHERE result IN ('failed', 'invalid', 'conflict', 'skipped') AND code IS NOT 'NOT_DISABLED'`);
}

/**
 * Moves all outcomes to `earlier`, in the open transaction, and forgets the rows of their file, whose fingerprints are unpacked: the rows
 * of a corrected file have other numbers. Users whom the job created stay in the record if another outcome has their key. Returns until
 * when a request for a row of an earlier file can still arrive, in epoch milliseconds; `undefined` if all got their answers.
 */
export function moveToEarlier(connection: JournalDatabase): number | undefined {
  connection.exec(`
    DELETE FROM earlier WHERE ${hasCreatedUserSql}
      AND user_id IN (SELECT user_id FROM outcomes WHERE ${hasCreatedUserSql});
    UPDATE earlier SET line = 0 WHERE line > 0;
    UPDATE earlier SET key = ${keyOfRecord('key')}
      WHERE ${hasCreatedUserSql} AND key IN (SELECT ${keyInEarlier} FROM ${outcomesWithSent});
    INSERT OR REPLACE INTO earlier
      SELECT ${outcomeColumnsWith({ key: keyInEarlier, line: '0' })} FROM ${outcomesWithSent};
    INSERT INTO earlier (row, line, result, key, sent_values, sent_hash)
      SELECT row, 0, 'unknown', '${keyOfUnanswered}' || coalesce(user_values, ' row=' || row), user_values, hash
      FROM exact_intents LEFT JOIN temp.unpacked USING (row)
      WHERE ${isOfFileSql} AND (user_values IS NOT NULL OR row > ${recordedRows(connection)})
      ON CONFLICT (key) DO UPDATE SET sent_values = NULL, sent_hash = NULL WHERE sent_hash IS NOT excluded.sent_hash;
    INSERT OR REPLACE INTO job SELECT 'arrives_until', max(until) FROM (
      SELECT arrives_until AS until FROM exact_intents WHERE arrives_until > 0
      UNION ALL SELECT CAST(value AS INTEGER) FROM job WHERE name = 'arrives_until') HAVING count(*) > 0;
    DELETE FROM outcomes; DELETE FROM fingerprints; DELETE FROM exact_intents; DROP TABLE temp.unpacked`);
  return readFacts(connection).arrives_until;
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
  const ended = endOfRun(readRuns(connection).at(-1), now());
  // The mark runs ahead of the rows, possibly beyond the last one.
  const last = Math.min(readFacts(connection).may_be_sent ?? 0, rows);
  return { shard, last, arrivesUntil: Math.ceil(ended + arrival) };
}

/**
 * SQL that stores an intent for each of these rows whose outcome is not in `outcomes`; see `tables`. Of several runs that covered a
 * row, the last counts. An intent of the row's own stays.
 */
export function insertMarked({ shard, last, arrivesUntil }: Marks, outcomes = 'outcomes'): string {
  const { index, of } = shard ?? { index: 1, of: 1 };
  return `INSERT INTO exact_intents
    WITH RECURSIVE marked (row) AS (SELECT ${index} UNION ALL SELECT row + ${of} FROM marked WHERE row + ${of} <= ${last})
    SELECT row, ${arrivesUntil}, ${intentKinds.marked} FROM marked WHERE row <= ${last}
      AND NOT EXISTS (SELECT 1 FROM ${outcomes} known WHERE known.row = marked.row AND result <> 'unknown')
    ON CONFLICT (row) DO UPDATE SET arrives_until = max(arrives_until, excluded.arrives_until),
      kind = kind | excluded.kind WHERE kind <> ${intentKinds.own}`;
}
