import { asDisabled } from '../actions/fingerprints.ts';
import { reasons } from '../actions/reasons.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { JournalDatabase } from './database/database.ts';
import { readFacts } from './database/job-facts.ts';
import { wasDisabledSql } from './database/row-fingerprints.ts';
import { outcomeColumnsWith } from './database/tables.ts';
import { insertMarked, type Marks } from './resume.ts';

/** Users per call of SQLite: a call costs as much as the insert itself, and more users per call would save next to nothing. */
const together = 8;

const common = ['row', 'line', 'result', 'algorithm', 'key', 'user_name', 'external_id'];
const ofUser = [...common, 'user_id', 'found_by_look_up'];
const ofOther = [...ofUser, 'code', 'message', 'hint', 'sent_values', 'sent_hash'];

/** Prepares inserting outcomes into the open transaction of a journal. After a failure, the caller must roll back. */
export function createInserts(connection: JournalDatabase) {
  const insertUsers = connection.prepare(insertOf(ofUser, together));
  const insertOther = connection.prepare(insertOf(ofOther, 1));
  let waiting: unknown[] = [];
  let users = 0;

  /** Inserts the outcomes that still wait. */
  function flush(): void {
    if (users === 0) return;
    (users === together ? insertUsers : connection.prepare(insertOf(ofUser, users))).run(...waiting);
    waiting = [];
    users = 0;
  }

  return {
    /** Inserts an outcome; those of users are inserted together with a few others. */
    add(outcome: FinalOutcome): void {
      const { row, line, result, algorithm = null, key = null, userName = null, externalId = null } = outcome;
      const reference = [row, line, result, algorithm, key, userName, externalId];
      if (!('userId' in outcome)) {
        const { code, message, hint } = outcome;
        const { createdId, plannedId = null } = outcome.result === 'skipped' ? {} : outcome;
        const id = createdId ?? plannedId;
        insertOther.run(...reference, id, null, code, message, hint, ...sentColumns(outcome));
        return;
      }
      if ('differsBy' in outcome || 'isDifferent' in outcome || outcome.sent !== undefined) {
        const code = 'differsBy' in outcome ? outcome.differsBy : undefined;
        const { text = null, remedy = null } = code ? reasons[code] : {};
        const found = [outcome.userId, isFound(outcome)];
        insertOther.run(...reference, ...found, code ?? null, text, remedy, ...sentColumns(outcome));
        return;
      }
      waiting.push(...reference, outcome.userId, isFound(outcome));
      users += 1;
      if (users === together) flush();
    },
    flush,
  };
}

/** Returns the ID of the user whom the row created; `undefined` if it created none. */
export function createdId(outcome: FinalOutcome): string | undefined {
  if (outcome.result === 'created') return outcome.userId;
  return 'createdId' in outcome ? outcome.createdId : undefined;
}

/** Returns the text for the column `found_by_look_up`. */
function isFound(outcome: FinalOutcome): 'true' | null {
  return 'isFoundByLookUp' in outcome ? 'true' : null;
}

/** Returns the values of the columns `sent_values` and `sent_hash`. */
function sentColumns(outcome: FinalOutcome): [values: string | null, hash: string | null] {
  const { values, hash } = outcome.sent ?? {};
  const different = 'isDisabled' in outcome ? asDisabled('') : '';
  return ['isDifferent' in outcome ? different : (values ?? null), hash ?? null];
}

function insertOf(columns: readonly string[], rows: number): string {
  const values = `(${columns.map(() => '?').join(', ')})`;
  return `INSERT OR REPLACE INTO outcomes (${columns.join(', ')}) VALUES ${Array(rows).fill(values).join(', ')}`;
}

/**
 * SQL, for columns of a shard whose key is not that of the merged job: its fingerprints cannot be compared any more, so it is not known
 * what it sent instead of a row. But a user who was disabled stays so, and where values were others, what is stored is equal to none.
 */
const sentUnknown = {
  outcomes: {
    sent_values: `CASE WHEN code IN ('VALUES_CHANGED', 'MUST_MODIFY_CHANGED') THEN substr(sent_values, 1, 1) || '?'
      WHEN ${wasDisabledSql} THEN '${asDisabled('')}' WHEN coalesce(sent_values, sent_hash) IS NOT NULL THEN '' END`,
    sent_hash: "CASE WHEN sent_hash IS NOT NULL THEN '' END",
  },
  earlier: { sent_values: `CASE WHEN ${wasDisabledSql} THEN '${asDisabled('')}' END`, sent_hash: 'NULL' },
};

/** Adds the content of a shard's journal to that of the whole file. `marks`: which rows the shard's high-water mark covers. */
export function attachShard(connection: JournalDatabase, path: string, marks: Marks): void {
  const hasOtherKey = readFacts(connection).fingerprint_key !== undefined;
  const columns = hasOtherKey ? sentUnknown : { outcomes: {}, earlier: {} };
  connection.prepare('ATTACH ? AS shard').run(path);
  // The merged job may have sent what a shard may have sent, and its requests can arrive as long as those of any shard.
  connection.exec(`INSERT INTO outcomes SELECT ${outcomeColumnsWith(columns.outcomes)} FROM shard.outcomes;
    INSERT OR IGNORE INTO earlier SELECT ${outcomeColumnsWith(columns.earlier)} FROM shard.earlier;
    INSERT OR REPLACE INTO exact_intents SELECT row, arrives_until, kind FROM shard.exact_intents;
    ${insertMarked(marks, 'shard.outcomes')};
    INSERT INTO fingerprints SELECT row, digests FROM shard.fingerprints
      WHERE NOT EXISTS (SELECT 1 FROM main.job WHERE name = 'fingerprint_key');
    INSERT OR IGNORE INTO job SELECT name, value FROM shard.job
      WHERE name IN ('corrected', 'fingerprint_key');
    INSERT OR REPLACE INTO job SELECT name, max(CAST(value AS INTEGER)) FROM (
      SELECT name, value FROM shard.job UNION ALL SELECT name, value FROM main.job)
      WHERE name = 'arrives_until' GROUP BY name`);
  connection.exec('DETACH shard');
}
