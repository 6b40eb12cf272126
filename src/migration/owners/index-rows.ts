import { asDisabled } from '../actions/fingerprints.ts';
import { type JournalDatabase, resultsOfUsers } from '../journal/database/database.ts';
import { outcomesWithSent, unpackFingerprints } from '../journal/database/row-fingerprints.ts';
import { isWithoutRowSql } from '../journal/reading/count-outcomes.ts';

/**
 * Makes a temporary table of the rows whose users are in the tenant, one of the keys of the others, and an empty one
 * for external IDs of the current file. `total`: rows of the file; users
 * who are in none of them have higher numbers. Returns the number of the last row.
 */
export function indexRows(journal: JournalDatabase, total: number): number {
  unpackFingerprints(journal);
  // Users of a plan who were in no row of its file have line 0. Of some it is known only that they are disabled.
  journal.exec(`
    CREATE TEMP TABLE rows (row INTEGER PRIMARY KEY, key TEXT, user_values TEXT, hash TEXT, user_id TEXT,
      external_id TEXT);
    INSERT INTO rows SELECT row, key, CASE WHEN sent_values || sent_hash <> '${asDisabled('')}' THEN sent_values END,
        nullif(sent_hash, ''), user_id, external_id
      FROM ${outcomesWithSent} WHERE key IS NOT NULL AND line > 0 AND result IN ${resultsOfUsers};
    INSERT INTO rows SELECT ${total} + row_number() OVER (), key, NULL, NULL, user_id, external_id
      FROM (SELECT key, user_id, external_id FROM earlier WHERE ${isWithoutRowSql} GROUP BY user_id);
    CREATE TEMP TABLE others (key TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT OR IGNORE INTO others
      SELECT key FROM outcomes WHERE key IS NOT NULL AND result NOT IN ${resultsOfUsers};
    CREATE TEMP TABLE named (external_id TEXT PRIMARY KEY) WITHOUT ROWID;`);
  for (const column of ['key', 'user_id', 'external_id'])
    journal.exec(`CREATE INDEX temp.rows_by_${column} ON rows (${column})`);
  return Math.max(journal.count('SELECT max(row) FROM rows'), total);
}
