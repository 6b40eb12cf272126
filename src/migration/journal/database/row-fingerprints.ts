import type { HashedUser } from '../../../contract/wire.ts';
import {
  asDisabled,
  createFingerprints,
  type Fingerprints,
  fingerprintLength,
  isOfDisabled,
  knownFingerprints,
  newFingerprintKey,
  type ValueFingerprints,
} from '../../actions/fingerprints.ts';
import type { ValidatedRow } from '../../rows/validate-rows.ts';
import type { JournalDatabase } from './database.ts';
import { readFacts, storeFact } from './job-facts.ts';
import { type OutcomeRow, outcomeColumnsWith } from './tables.ts';

const missing = ' '.repeat(fingerprintLength);
const rowLength = 2 * fingerprintLength;

/** The columns of an outcome that say what was sent; in `outcomes` only if that is not what the row says. */
export type SentColumns = Pick<OutcomeRow, 'sent_values' | 'sent_hash'>;

/**
 * Opens the fingerprints of the rows of a file, with which a later file is compared. `write` runs its argument in the open
 * transaction of the journal.
 */
export function storeFingerprints(connection: JournalDatabase, write: (work: () => void) => void) {
  const insert = connection.prepare('INSERT INTO fingerprints VALUES (?, ?)');
  // A row that a ramp has sent early has its own, until they are here.
  const leaveOut = connection.prepare(`UPDATE outcomes SET sent_values = NULL, sent_hash = NULL
    WHERE row >= ? AND row < ? AND sent_values || sent_hash = substr(?, ${rowLength} * (row - ?) + 1, ${rowLength})`);
  let opened: Fingerprints | undefined;

  function open(): Fingerprints {
    if (opened) return opened;
    const key = readFacts(connection).fingerprint_key ?? newFingerprintKey();
    write(() => storeFact(connection, 'fingerprint_key', key));
    opened = createFingerprints(key);
    return opened;
  }

  return {
    /** Returns the fingerprints under the key of the job, which is made at the first need. */
    open,
    /** Returns the fingerprint of a user's key and hash; without a hash, of the values. */
    ofHash(user: HashedUser): string {
      const { values, hash = values } = open().ofValues(user);
      return hash;
    },
    /** Stores the fingerprints of rows as they pass through, unless earlier runs have stored them. */
    async *record(lists: AsyncGenerator<readonly ValidatedRow[], void>) {
      const { ofValues } = open();
      const digestsOf = (row: ValidatedRow): string => {
        const known = row.user ? ofValues(row.user, row.isDisabled) : { values: missing };
        const { values, hash = missing } = known;
        return values + hash;
      };
      let first = recordedRows(connection) + 1;
      for await (const rows of lists) {
        let block = '';
        let next = first;
        for (const row of rows) {
          if (row.row < first) continue;
          block += digestsOf(row);
          next += 1;
        }
        // A list is one text, because an insert for each row would cost more than its fingerprints.
        if (next > first)
          write(() => {
            insert.run(first, block);
            leaveOut.run(first, next, block, first);
          });
        first = next;
        yield rows;
      }
    },
  };
}

/** Returns the number of rows whose fingerprints are stored; they follow each other without a gap. */
export function recordedRows(connection: JournalDatabase): number {
  const last = 'SELECT row, length(digests) AS length FROM fingerprints ORDER BY row DESC LIMIT 1';
  const found = connection.row<{ row: number; length: number }>(last);
  return found ? found.row - 1 + found.length / rowLength : 0;
}

const sentValuesSql = 'coalesce(sent_values, unpacked.user_values)';
const sentHashSql = 'coalesce(sent_hash, unpacked.hash)';

/**
 * SQL: the outcomes, with what was sent for each. `sent_values` is NULL if that is not known, and `sent_hash` is empty if there was no
 * hash. The fingerprints of the rows must be unpacked before, since SQLite would take each list apart for every one of its rows.
 */
export const outcomesWithSent = `(SELECT ${outcomeColumnsWith({
  sent_values: `CASE WHEN ${sentValuesSql} || ${sentHashSql} <> '' THEN ${sentValuesSql} END`,
  sent_hash: sentHashSql,
})} FROM outcomes LEFT JOIN temp.unpacked USING (row))`;

/** Copies the fingerprints of the rows that have some into the temporary table `unpacked`. */
export function unpackFingerprints(connection: JournalDatabase): void {
  // One transaction for all rows is several times faster than one for each.
  connection.exec(`PRAGMA temp.cache_size = -8000; SAVEPOINT unpack;
    CREATE TEMP TABLE unpacked (row INTEGER PRIMARY KEY, user_values TEXT, hash TEXT)`);
  const insert = connection.prepare('INSERT INTO unpacked VALUES (?, ?, ?)');
  for (const list of connection.prepare('SELECT row, digests FROM fingerprints').iterate()) {
    const { row, digests } = list as { row: number; digests: string };
    for (let at = 0; at < digests.length; at += rowLength) {
      const of = (from: number) => digests.slice(from, from + fingerprintLength);
      const [values, hash] = [of(at), of(at + fingerprintLength)];
      if (values !== missing) insert.run(row + at / rowLength, values, hash === missing ? '' : hash);
    }
  }
  connection.exec('RELEASE unpack');
}

/** Returns what was sent for the user of an outcome, from `outcomesWithSent` or `earlier`; `undefined` if it is not known. */
export function sentFor({
  sent_values: values,
  sent_hash: hash,
}: SentColumns): ValueFingerprints | undefined {
  return knownFingerprints(values, hash);
}

/** SQL: true for a fingerprint of values with which a user was disabled. */
export const wasDisabledSql = `sent_values LIKE '${asDisabled('')}%'`;

/** SQL: true for an outcome whose user the job disabled. For `outcomes`, `noteDisabledRows` must have been called. */
export const disabledByJob = {
  outcomes: `(result = 'disabled' OR (result = 'created' AND
    (${wasDisabledSql} OR (sent_values IS NULL AND row IN (SELECT row FROM temp.disabled_rows)))))`,
  earlier: `(result = 'created' AND ${wasDisabledSql})`,
} as const;

/** Makes a temporary table of the rows whose users are disabled, as their fingerprints say. */
export function noteDisabledRows(connection: JournalDatabase): void {
  connection.exec('SAVEPOINT note; CREATE TEMP TABLE IF NOT EXISTS disabled_rows (row INTEGER PRIMARY KEY)');
  const insert = connection.prepare('INSERT OR IGNORE INTO disabled_rows VALUES (?)');
  for (const list of connection.prepare('SELECT row, digests FROM fingerprints').iterate()) {
    const { row, digests } = list as { row: number; digests: string };
    for (let at = 0; at < digests.length; at += rowLength)
      if (isOfDisabled(digests.charAt(at))) insert.run(row + at / rowLength);
  }
  connection.exec('RELEASE note');
}
