import { createFingerprints } from '../actions/fingerprints.ts';
import { rowKey } from '../actions/keys.ts';
import { openJob } from '../journal/read-job.ts';
import { readFacts } from '../journal/read-journal.ts';
import { outcomesWithSent, unpackFingerprints } from '../journal/row-fingerprints.ts';
import { hasCreatedUser } from '../journal/tables.ts';
import type { Columns } from '../rows/columns.ts';
import { duplicateCodes } from '../rows/duplicates.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import { validateRows } from '../rows/validate-rows.ts';

/**
 * Users of the job, and rows that may have been sent, by key and by what was sent; `row`: the row of the corrected file that is most
 * like it.
 */
const tables = (mark: number) => `
  CREATE TEMP TABLE own (key TEXT, external_id TEXT, was TEXT, hash TEXT, is_disabled INTEGER, row INTEGER, score INTEGER);
  INSERT INTO own SELECT key, external_id, substr(sent_values, 2), coalesce(sent_hash, ''),
    substr(sent_values, 1, 1) IS '!', NULL, 0 FROM (
      SELECT key, external_id, sent_values, sent_hash FROM earlier WHERE ${hasCreatedUser} OR result = 'unknown'
      UNION ALL SELECT key, external_id, sent_values, sent_hash FROM ${outcomesWithSent}
        WHERE ${hasCreatedUser} OR result = 'unknown'
      UNION ALL SELECT NULL, NULL, user_values, hash FROM unpacked WHERE row NOT IN (SELECT row FROM outcomes)
        AND (row <= ${mark} OR row IN (SELECT row FROM exact_intents)));
  CREATE INDEX temp.own_key ON own (key); CREATE INDEX temp.own_was ON own (was)`;

/** SQL: how much a row is like what was sent for a user. Of two rows with one user name, the user was made for one only. */
const score = '1 + 4 * (was IS ?4) + 2 * (hash = ?5) + (is_disabled = ?6)';

/**
 * Marks the rows of a corrected file whose users the job made, or may have made: each user has one row at most. If another row took
 * their values, nobody would be disabled as the file says now, or somebody else would.
 */
export async function findOwnRows(
  { recipe: _, ...source }: PreparedSource,
  columns: Columns,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { connection } = await openJob(directory);
  try {
    const { may_be_sent: mark = 0, fingerprint_key: key = '' } = readFacts(connection);
    unpackFingerprints(connection);
    connection.exec(`${tables(mark)}; BEGIN`);
    const { ofValues } = createFingerprints(key);
    const find = connection.prepare(`UPDATE own SET row = ?1, score = ${score} WHERE score < ${score}
      AND (was = ?4 OR key = ?2 AND (external_id IS NULL OR ?3 IS NULL OR external_id = ?3))`);
    // Each row by itself: a duplicate may be the one.
    const accepted = new Set([...columns.accepted, ...Object.values(duplicateCodes)]);
    for await (const list of validateRows(source, { ...columns, accepted })) {
      signal?.throwIfAborted();
      for (const row of list) {
        if (!row.user) continue;
        const { values, hash = '' } = ofValues(row.user);
        const isDisabled = Number(row.isDisabled ?? false);
        find.run(
          row.row,
          rowKey(row.user) ?? null,
          row.user.external_id ?? null,
          values.slice(1),
          hash,
          isDisabled,
        );
      }
    }
    const ownRows = new Uint8Array(source.rows + 1);
    for (const { row } of connection
      .prepare('SELECT row FROM own WHERE row IS NOT NULL')
      .iterate() as Iterable<{ row: number }>)
      ownRows[row] = 1;
    return ownRows;
  } finally {
    connection.close();
  }
}
