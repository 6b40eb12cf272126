import type { HashedUser } from '../../contract/wire.ts';
import {
  createFingerprints,
  type Fingerprints,
  fingerprintLength,
  newFingerprintKey,
  type ValueFingerprints,
  withOtherFlag,
} from '../actions/fingerprints.ts';
import type { Created } from '../model/outcome.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { JournalDatabase } from './database.ts';
import { readFacts, storeFact } from './read-journal.ts';

/** SQL for a journal whose file was corrected: the fingerprints of the earlier file get negative row numbers. */
export const setFingerprintsAside =
  'DELETE FROM fingerprints WHERE row < 0; UPDATE fingerprints SET row = -row;';

const missing = ' '.repeat(fingerprintLength);
/** In place of the fingerprint of the values of a row whose user is different: no values have this one. */
export const otherValues = '.'.repeat(fingerprintLength);
/** In place of the earlier row of a row whose user is different, which was found before the row passed through. */
const noRow = 0;
const rowLength = 2 * fingerprintLength;

type StoredList = {
  /** Number of its first row; negative in the file before it was corrected. */
  row: number;
  digests: string;
};

/** Returns a reader of the list that contains a row. Rows are read in order, so the last list is kept for the next row. */
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

/**
 * Opens the fingerprints of the rows of a file, with which a later file is compared. `write` runs its argument in the open
 * transaction of the journal.
 */
export function storeFingerprints(connection: JournalDatabase, write: (work: () => void) => void) {
  const insert = connection.prepare('INSERT OR REPLACE INTO fingerprints VALUES (?, ?)');
  const now = readLists(connection, 'row BETWEEN 1 AND ? ORDER BY row DESC');
  const before = readLists(connection, 'row BETWEEN -? AND -1 ORDER BY row');
  const update = connection.prepare('UPDATE fingerprints SET digests = ? WHERE row = ?');
  /** Rows that were taken over before they passed through, as a ramp does with canaries, and the rows that they were. */
  const early = new Map(readFacts(connection).kept_early);
  let opened: Fingerprints | undefined;

  /** Returns the fingerprints of a row of the file before its correction. */
  function digestsBefore(earlierRow: number): string {
    const earlier = before(earlierRow);
    const from = earlier ? rowLength * (earlierRow + earlier.row) : 0;
    return earlier?.digests.slice(from, from + rowLength) || missing + missing;
  }

  /** Changes the fingerprints of a row; if they are not stored yet, keeps for then which row of the earlier file it was. */
  function change(row: number, changed: (digests: string) => string, earlierRow: number): void {
    const list = now(row);
    const at = list ? rowLength * (row - list.row) : 0;
    const is = list?.digests.slice(at, at + rowLength);
    if (!list || !is) {
      early.set(row, earlierRow);
      write(() => storeFact(connection, 'kept_early', [...early]));
      return;
    }
    const digests = changed(is);
    if (is === digests) return;
    list.digests = list.digests.slice(0, at) + digests + list.digests.slice(at + rowLength);
    write(() => update.run(list.digests, list.row));
  }

  function openFingerprints(): Fingerprints {
    if (opened) return opened;
    const key = readFacts(connection).fingerprint_key ?? newFingerprintKey();
    write(() => storeFact(connection, 'fingerprint_key', key));
    opened = createFingerprints(key);
    return opened;
  }

  return {
    /** Returns the fingerprint of a user's key and hash; without a hash, of the values. */
    ofHash(user: HashedUser): string {
      const { values, hash = values } = openFingerprints().ofValues(user);
      return hash;
    },
    /** Returns how the user made for a row of the file before its correction, with this first key, differs from a row. */
    differenceFrom: (row: ValidRow, earlierRow: number, key: string) =>
      differenceOf(row, knownDigests(digestsBefore(earlierRow)), openFingerprints(), key),
    /**
     * True if a row says that its user is disabled, and the user may not be: the row of the file before its correction did not say so,
     * or had other values, or is not known.
     */
    isToDisable: (row: ValidRow, earlierRow: number) =>
      row.isDisabled === true &&
      isToDisable(row, knownDigests(digestsBefore(earlierRow)), openFingerprints()),
    /** True if the row of the file before its correction, with this first key, had the same values and hash, and was not disabled. */
    isElseEqual({ user }: ValidRow, earlierRow: number, key: string): boolean {
      const was = knownDigests(digestsBefore(earlierRow));
      const { ofValues, ofHash } = openFingerprints();
      return was?.values === ofValues(user).values && ofHash(user, key).includes(was.hash);
    },
    /**
     * Gives a row the fingerprints that another row had in the file before its correction, because its user was taken over from
     * that row: what was sent is what that row was. If these are not known, the row has none.
     */
    keep: (row: number, earlierRow: number) => change(row, () => digestsBefore(earlierRow), earlierRow),
    /** Notes that the user of a row was there before and is different from the row, so that the row never counts as unchanged. */
    differs: (row: number) => change(row, (digests) => otherValues + digests.slice(fingerprintLength), noRow),
    /** Stores the fingerprints of rows as they pass through, unless earlier runs have stored them. */
    async *record(lists: AsyncGenerator<readonly ValidatedRow[], void>) {
      const { ofValues } = openFingerprints();
      const digestsOf = (row: ValidatedRow): string => {
        const earlierRow = early.get(row.row);
        if (earlierRow) return digestsBefore(earlierRow);
        const { values, hash = missing } = row.user
          ? ofValues(row.user, row.isDisabled)
          : { values: missing };
        return (earlierRow === noRow ? otherValues : values) + hash;
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
        if (next > first) write(() => insert.run(first, block));
        first = next;
        yield rows;
      }
    },
  };
}

/**
 * Removes the fingerprints of the users among the rows. For merged shards of a corrected file: one shard does not know what the
 * others sent for the users whom they took over.
 */
export function forgetUsers(connection: JournalDatabase): void {
  // One list at a time: all of a large file would take hundreds of megabytes, and a reader must not change what it reads.
  const next = connection.prepare('SELECT row, digests FROM fingerprints WHERE row > ? ORDER BY row LIMIT 1');
  const users = connection.prepare(
    'SELECT row FROM outcomes WHERE user_id IS NOT NULL AND row BETWEEN ? AND ?',
  );
  const update = connection.prepare('UPDATE fingerprints SET digests = ? WHERE row = ?');
  for (let last = 0; ; ) {
    const list = next.get(last) as StoredList | undefined;
    if (!list) return;
    const { row: first, digests } = list;
    last = first;
    const left = digests.match(/.{32}/g) ?? [];
    for (const { row } of users.all(first, first + left.length - 1) as { row: number }[])
      left[row - first] = missing + missing;
    update.run(left.join(''), first);
  }
}

/** Notes in the journal of the whole file which rows of an attached shard have users who are different. */
export function attachDifferences(connection: JournalDatabase): void {
  const { differs } = storeFingerprints(connection, (work) => work());
  const listed = `shard.fingerprints WHERE row > 0 AND instr(digests, '${otherValues}') > 0`;
  for (const block of readFingerprints(connection, listed))
    for (const { row, fingerprint } of block) if (fingerprint?.values === otherValues) differs(row);
}

/** Returns the number of rows whose fingerprints are stored; they follow each other without a gap. */
function recordedRows(connection: JournalDatabase): number {
  const last =
    'SELECT row, length(digests) AS length FROM fingerprints WHERE row > 0 ORDER BY row DESC LIMIT 1';
  const found = connection.prepare(last).get() as { row: number; length: number } | undefined;
  return found ? found.row - 1 + found.length / rowLength : 0;
}

/** Reads the stored fingerprints of the rows, in lists; some rows have none. `listed`: SQL, which lists. */
export function* readFingerprints(
  connection: JournalDatabase,
  listed = 'fingerprints WHERE row > 0',
): Generator<{ row: number; fingerprint: ValueFingerprints | undefined }[], void> {
  const all = connection.prepare(`SELECT row, digests FROM ${listed} ORDER BY row`);
  for (const block of all.iterate()) {
    const { row: first, digests } = block as { row: number; digests: string };
    const found: { row: number; fingerprint: ValueFingerprints | undefined }[] = [];
    for (let at = 0; at < digests.length; at += rowLength) {
      const fingerprint = knownDigests(digests.slice(at, at + rowLength));
      found.push({ row: first + at / rowLength, fingerprint });
    }
    yield found;
  }
}

function knownDigests(digests: string): ValueFingerprints | undefined {
  const values = digests.slice(0, fingerprintLength);
  const hash = digests.slice(fingerprintLength);
  if (values === missing) return undefined;
  return hash === missing ? { values } : { values, hash };
}

/** Reads what was sent for the rows of the file of the last run. */
export function readSent(connection: JournalDatabase): (row: number) => ValueFingerprints | undefined {
  const lists = readLists(connection, 'row BETWEEN 1 AND ? ORDER BY row DESC');
  return (row) => {
    const list = lists(row);
    const from = list ? rowLength * (row - list.row) : 0;
    const digests = list?.digests.slice(from, from + rowLength);
    return digests ? knownDigests(digests) : undefined;
  };
}

/**
 * Returns how a user whom the job created differs from a row, where the API cannot change it. `was`: what was sent for the user; if it
 * is not known, nothing counts as different. A user who is no longer disabled is noticed if no other value but `pwd_must_modify` has
 * changed. One who is disabled needs no hash. `key`: the first key of the row that was sent.
 */
export function differenceOf(
  { user, isDisabled }: ValidRow,
  was: ValueFingerprints | undefined,
  { ofValues, ofHash }: Fingerprints,
  key?: string,
): Created['differsBy'] {
  if (was === undefined || isDisabled) return undefined;
  const disabled = [user, ...withOtherFlag(user)].map((one) => ofValues(one, true).values);
  if (disabled.includes(was.values)) return 'ENABLE';
  const hashes = ofHash(user, key);
  return user['hash-pwd'] && !hashes.includes(was.hash) ? 'HASH_CHANGED' : undefined;
}

/** True if a row says that its user is disabled, and what was sent for the user does not say so, or is not known. */
export function isToDisable(
  { user, isDisabled }: ValidRow,
  was: ValueFingerprints | undefined,
  { ofValues }: Fingerprints,
): boolean {
  if (!isDisabled) return false;
  return [user, ...withOtherFlag(user)].every((one) => ofValues(one, true).values !== was?.values);
}
