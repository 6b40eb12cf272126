import { createFingerprints, type RowFingerprint } from '../actions/fingerprints.ts';
import { journalHint, openJob } from '../journal/read-job.ts';
import { readFingerprints, storedKey } from '../journal/row-fingerprints.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { isRealJob, targetDrift } from '../model/job.ts';
import { userResults } from '../model/outcome.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';
import { openTemporaryDatabase, readInPages } from './temporary-database.ts';

/** A user of the file of an earlier job who is in no row any more. */
export interface VanishedUser {
  /** In the earlier file. */
  row: number;
  user_id: string;
  user_name: string | null;
  external_id: string | null;
}

/** The rows of the file of an earlier job that are users, as fingerprints. */
export interface EarlierRows {
  /** What the row was; `undefined` where it is new, or no user is known of it. */
  find(row: ValidatedRow): { userId: string; isSame: boolean; isHashChanged: boolean } | undefined;
  /** Adds the user of a row that the earlier job could not bring up to date: the row is decided again. */
  add(row: number, userId: string): void;
  /** A user who has keys of a row of this file has not vanished. True for one whom the earlier job knew. */
  keep(userId: string): boolean;
  /** Users of whom no row of this file is, in lists; to be called when all rows were found. */
  vanished(): Generator<VanishedUser[], void>;
  close(): void;
}

/**
 * Opens the rows of an earlier job of this tenant, in a temporary index on disk. Throws a `JobDirectoryError` where there is no
 * such job, it is still running, its journal is damaged, or it wrote to another tenant.
 */
export async function openEarlierRows(
  directory: string,
  target: Readonly<Record<string, string>>,
): Promise<EarlierRows> {
  const fault = (words: string, remedy = journalHint) => new JobDirectoryError(directory, words, remedy);
  const { job, connection: journal } = await openJob(directory);
  const index = await openTemporaryDatabase(
    'CREATE TABLE rows (row INTEGER PRIMARY KEY, key TEXT, user_values TEXT, hash TEXT, user_id TEXT)',
  );
  const close = () => {
    index.close();
    journal.close();
  };
  try {
    if (!isRealJob(job.kind)) throw fault('its job wrote nothing to a tenant');
    const [drift] = targetDrift(job, { ...job, target });
    if (drift !== undefined)
      throw fault(
        `its job was for another tenant: ${drift}`,
        'Select the profile of that job with --profile.',
      );
    const key = storedKey(journal);
    if (key === undefined) throw fault('it has no fingerprints of its rows', 'Make a plan without --since.');
    const insert = index.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?)');
    const results = userResults.map((result) => `'${result}'`).join(', ');
    // Users of a plan who were in no row of its file have no line.
    const users = journal.prepare(
      `SELECT row, key, user_id FROM outcomes
       WHERE row BETWEEN ? AND ? AND key IS NOT NULL AND line > 0 AND result IN (${results})`,
    );
    const { ofKey, ofRow } = createFingerprints(key);
    let last = 0;
    for (const block of readFingerprints(journal)) {
      const from = block[0]?.row ?? 0;
      last = block.at(-1)?.row ?? last;
      const found = users.all(from, last) as { row: number; key: string; user_id: string }[];
      const ofRows = new Map(found.map((user) => [user.row, user]));
      index.exec('BEGIN');
      for (const { row, fingerprint } of block) {
        const user = ofRows.get(row);
        if (user)
          insert.run(row, ofKey(user.key), fingerprint.values, fingerprint.hash ?? null, user.user_id);
      }
      index.exec('COMMIT');
    }
    index.exec('CREATE INDEX rows_by_key ON rows (key); CREATE INDEX rows_by_user ON rows (user_id)');
    const seen = new Uint8Array(Math.max(last, job.rows) + 1);
    const byKey = index.prepare(
      'SELECT row, user_values AS "values", hash, user_id AS userId FROM rows WHERE key = ?',
    );
    const byRow = index.prepare('SELECT 1 FROM rows WHERE row = ?');
    const keyOf = journal.prepare('SELECT key FROM outcomes WHERE row = ?');
    const byUser = index.prepare('SELECT row FROM rows WHERE user_id = ? ORDER BY row');
    const namesOf = journal.prepare('SELECT user_name, external_id FROM outcomes WHERE row = ?');

    function rowsOf({ key: own }: Partial<RowFingerprint>): EarlierRow[] {
      const found = own === undefined ? [] : (byKey.all(own) as EarlierRow[]);
      for (const { row } of found) seen[row] = 1;
      return found;
    }

    /** Two rows may have had one user: nobody has vanished of whom one is left, and nobody does twice. */
    function isGone(userId: string, row: number): boolean {
      const rows = byUser.all(userId) as { row: number }[];
      return rows[0]?.row === row && rows.every((one) => !seen[one.row]);
    }

    return {
      find(row) {
        if (row.user === undefined) {
          // Its own checks failed, but the user is in the file.
          const known = row.key === undefined ? [] : rowsOf({ key: ofKey(row.key) });
          const others = row.externalId === undefined ? [] : rowsOf(ofRow({ external_id: row.externalId }));
          const [was] = [...known, ...others];
          return was && { userId: was.userId, isSame: false, isHashChanged: false };
        }
        const now = ofRow(row.user, row.isDisabled);
        const known = rowsOf(now);
        const found = known.filter(({ values }) => values !== null);
        if (found.length === 0)
          return known[0] && { userId: known[0].userId, isSame: false, isHashChanged: false };
        const same = found.find(({ values, hash }) => values === now.values && hash === (now.hash ?? null));
        const was = same ?? found[0];
        const isHashChanged = now.hash !== undefined && was?.hash !== now.hash;
        return was && { userId: was.userId, isSame: same !== undefined, isHashChanged };
      },
      add(row, userId) {
        if (byRow.get(row)) return;
        const { key = null } = (keyOf.get(row) ?? {}) as { key?: string | null };
        insert.run(row, key === null ? null : ofKey(key), null, null, userId);
      },
      keep(userId) {
        const rows = byUser.all(userId) as { row: number }[];
        for (const { row } of rows) seen[row] = 1;
        return rows.length > 0;
      },
      *vanished() {
        for (const rows of readInPages<{ row: number; user_id: string }>(
          index,
          'rows',
          'row',
          'row, user_id',
        )) {
          const gone = rows.filter(({ row, user_id: id }) => !seen[row] && isGone(id, row));
          // The columns of the statements are the members.
          yield gone.map((one) => ({ ...(namesOf.get(one.row) as unknown as VanishedUser), ...one }));
        }
      },
      close,
    };
  } catch (failure) {
    close();
    throw failure;
  }
}

/** As the index has it; without values where the row is not as the tenant has its user. */
type EarlierRow = { row: number; values: string | null; hash: string | null; userId: string };
