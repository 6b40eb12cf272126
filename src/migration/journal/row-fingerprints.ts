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
  /**
   * The user of this row is that of another row of the file as it was before it was corrected: what was sent is what that one
   * was. To be called after this row was recorded.
   */
  keep(row: number, earlierRow: number): void;
}

/** SQL for a journal whose file was corrected: the fingerprints of the file as it was have the numbers of their rows below zero. */
export const setFingerprintsAside =
  'DELETE FROM fingerprints WHERE row < 0; UPDATE fingerprints SET row = -row;';

const missing = ' '.repeat(fingerprintLength);
const rowLength = 2 * fingerprintLength;

interface StoredList {
  /** Number of its first row. */
  row: number;
  digests: string;
}

/** Reads the list that a row is in. Rows come in their order, most of them of one list: it is read once. */
function readLists(connection: JournalDatabase, where: string): (row: number) => StoredList | undefined {
  const select = connection.prepare(`SELECT row, digests FROM fingerprints WHERE ${where} LIMIT 1`);
  let list: StoredList | undefined;
  return (row) => {
    const place = list ? row - Math.abs(list.row) : -1;
    if (!list || place < 0 || place * rowLength >= list.digests.length)
      list = select.get(row) as StoredList | undefined;
    return list;
  };
}

/** Opens the fingerprints of a journal; `write` puts what it is given into the open transaction. */
export function storeFingerprints(
  connection: JournalDatabase,
  write: (work: () => void) => void,
): StoredFingerprints {
  const insert = connection.prepare('INSERT OR REPLACE INTO fingerprints VALUES (?, ?)');
  const now = readLists(connection, 'row BETWEEN 1 AND ? ORDER BY row DESC');
  const before = readLists(connection, 'row BETWEEN -? AND -1 ORDER BY row');
  const update = connection.prepare('UPDATE fingerprints SET digests = ? WHERE row = ?');
  return {
    keep(row, earlierRow) {
      const [list, earlier] = [now(row), before(earlierRow)];
      if (!list || !earlier) return;
      const at = rowLength * (row - list.row);
      const from = rowLength * (earlierRow + earlier.row);
      const is = list.digests.slice(at, at + rowLength);
      const was = earlier.digests.slice(from, from + rowLength);
      if (is === '' || was === '' || is === was) return;
      list.digests = list.digests.slice(0, at) + was + list.digests.slice(at + rowLength);
      write(() => update.run(list.digests, list.row));
    },
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
  const last =
    'SELECT row, length(digests) AS length FROM fingerprints WHERE row > 0 ORDER BY row DESC LIMIT 1';
  const found = connection.prepare(last).get() as { row: number; length: number } | undefined;
  return found ? found.row - 1 + found.length / rowLength : 0;
}

/** What is stored of the rows of a file that have values, in lists. */
export function* readFingerprints(
  connection: JournalDatabase,
): Generator<{ row: number; fingerprint: ValueFingerprints }[], void> {
  const all = connection.prepare('SELECT row, digests FROM fingerprints WHERE row > 0 ORDER BY row');
  for (const block of all.iterate()) {
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
