import {
  createFingerprints,
  fingerprintLength,
  newFingerprintKey,
  type ValueFingerprints,
} from '../actions/fingerprints.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';
import type { JournalDatabase } from './database.ts';
import { readFact, storeFact } from './read-journal.ts';

/** What the rows of the file were, as fingerprints: a later file is held against them. */
export interface StoredFingerprints {
  /** Stores those of rows, on their way, which earlier runs have not stored. */
  record(lists: AsyncGenerator<readonly ValidatedRow[], void>): AsyncGenerator<readonly ValidatedRow[], void>;
}

const missing = ' '.repeat(fingerprintLength);
const rowLength = 2 * fingerprintLength;

/** Opens the fingerprints of a journal; `write` puts what it is given into the open transaction. */
export function storeFingerprints(
  connection: JournalDatabase,
  write: (work: () => void) => void,
): StoredFingerprints {
  const insert = connection.prepare('INSERT OR REPLACE INTO fingerprints VALUES (?, ?)');
  return {
    async *record(lists) {
      const key = storedKey(connection) ?? newFingerprintKey();
      write(() => storeFact(connection, 'fingerprint_key', key));
      const { ofValues } = createFingerprints(key);
      let first = recordedRows(connection) + 1;
      for await (const rows of lists) {
        let block = '';
        let next = first;
        for (const row of rows) {
          if (row.row < first) continue;
          const { values, hash = missing } = row.user
            ? ofValues(row.user, row.isDisabled)
            : { values: missing };
          block += values + hash;
          next += 1;
        }
        // A list is one text: an insert for each row would cost more than its fingerprints.
        if (next > first) write(() => insert.run(first, block));
        first = next;
        yield rows;
      }
    },
  };
}

/** Rows whose fingerprints are stored: they follow each other without a gap. */
function recordedRows(connection: JournalDatabase): number {
  const last = 'SELECT row, length(digests) AS length FROM fingerprints ORDER BY row DESC LIMIT 1';
  const found = connection.prepare(last).get() as { row: number; length: number } | undefined;
  return found ? found.row - 1 + found.length / rowLength : 0;
}

/** What is stored of the rows of a file that have values, in lists. */
export function* readFingerprints(
  connection: JournalDatabase,
): Generator<{ row: number; fingerprint: ValueFingerprints }[], void> {
  for (const block of connection.prepare('SELECT row, digests FROM fingerprints ORDER BY row').iterate()) {
    const { row: first, digests } = block as { row: number; digests: string };
    const found: { row: number; fingerprint: ValueFingerprints }[] = [];
    for (let at = 0; at < digests.length; at += rowLength) {
      const values = digests.slice(at, at + fingerprintLength);
      const hash = digests.slice(at + fingerprintLength, at + rowLength);
      if (values === missing) continue;
      const fingerprint = hash === missing ? { values } : { values, hash };
      found.push({ row: first + at / rowLength, fingerprint });
    }
    yield found;
  }
}

/** The key of the fingerprints; `undefined` where none are stored. */
export function storedKey(connection: JournalDatabase): string | undefined {
  return readFact(connection, 'fingerprint_key');
}
