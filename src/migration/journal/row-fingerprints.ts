import {
  createFingerprints,
  fingerprintLength,
  newFingerprintKey,
  type RowFingerprint,
} from '../actions/fingerprints.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';
import type { JournalDatabase } from './database.ts';
import { readFact } from './read-job.ts';

/** What the rows of the file were, as fingerprints: a later file is held against them. */
export interface StoredFingerprints {
  /** Stores those of rows, on their way, which earlier runs have not stored. */
  record(lists: AsyncGenerator<readonly ValidatedRow[], void>): AsyncGenerator<readonly ValidatedRow[], void>;
}

/** Rows of a block, which is one text: an insert for each row would cost more than its fingerprint. */
const blockLength = 1024;
const missing = ' '.repeat(fingerprintLength);
const parts = ['key', 'values', 'hash'] as const;
const rowLength = parts.length * fingerprintLength;
const keyFact = 'fingerprint_key';

/** Opens the fingerprints of a journal; `write` puts what it is given into the open transaction. */
export function storeFingerprints(
  connection: JournalDatabase,
  write: (work: () => void) => void,
): StoredFingerprints {
  const insert = connection.prepare('INSERT OR REPLACE INTO fingerprints VALUES (?, ?)');
  return {
    async *record(lists) {
      const key = storedKey(connection) ?? newFingerprintKey();
      write(() =>
        connection.prepare('INSERT OR REPLACE INTO job VALUES (?, ?)').run(keyFact, JSON.stringify(key)),
      );
      const { ofRow } = createFingerprints(key);
      let first = recordedRows(connection) + 1;
      let block: string[] = [];
      const save = () => {
        write(() => insert.run(first, block.join('')));
        first += block.length;
        block = [];
      };
      for await (const rows of lists) {
        for (const row of rows) {
          if (row.row < first) continue;
          const found: Partial<RowFingerprint> = row.user ? ofRow(row.user, row.isDisabled) : {};
          const { key: own = missing, values = missing, hash = missing } = found;
          block.push(own + values + hash);
          if (block.length === blockLength) save();
        }
        yield rows;
      }
      if (block.length > 0) save();
    },
  };
}

/** Rows whose fingerprints are stored: the last block is shorter only where the file was read to its end. */
function recordedRows(connection: JournalDatabase): number {
  const last = 'SELECT row, length(digests) AS length FROM fingerprints ORDER BY row DESC LIMIT 1';
  const found = connection.prepare(last).get() as { row: number; length: number } | undefined;
  return found ? found.row - 1 + found.length / rowLength : 0;
}

/** What is stored of the rows of a file that have a key, in lists. */
export function* readFingerprints(
  connection: JournalDatabase,
): Generator<{ row: number; fingerprint: RowFingerprint }[], void> {
  for (const block of connection.prepare('SELECT row, digests FROM fingerprints ORDER BY row').iterate()) {
    const { row: first, digests } = block as { row: number; digests: string };
    const found: { row: number; fingerprint: RowFingerprint }[] = [];
    for (let at = 0; at < digests.length; at += rowLength) {
      const [key = missing, values = missing, hash = missing] = parts.map((_, part) =>
        digests.slice(at + part * fingerprintLength, at + (part + 1) * fingerprintLength),
      );
      if (key === missing) continue;
      const fingerprint = { key, values, ...(hash === missing ? {} : { hash }) };
      found.push({ row: first + at / rowLength, fingerprint });
    }
    yield found;
  }
}

/** The key of the fingerprints; `undefined` where none are stored. */
export function storedKey(connection: JournalDatabase): string | undefined {
  return readFact<string>(connection, keyFact);
}
