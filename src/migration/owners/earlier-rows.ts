import { createFingerprints, type RowFingerprint } from '../actions/fingerprints.ts';
import { openJob } from '../journal/read-job.ts';
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
  /** What the row was; `undefined` where it is new, or no user came of it. */
  find(row: ValidatedRow): { userId: string; isSame: boolean; isHashChanged: boolean } | undefined;
  /** Users who have keys of a row of this file: they have not vanished. */
  keep(userIds: readonly string[]): void;
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
  const hint = 'Name the directory of an import, or of a plan that was applied.';
  const fault = (words: string, remedy = hint) => new JobDirectoryError(directory, words, remedy);
  const { job, connection: journal } = await openJob(directory, hint);
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
    const users = journal.prepare(
      `SELECT row, key, user_id FROM outcomes
       WHERE row BETWEEN ? AND ? AND key IS NOT NULL AND result IN (${results})`,
    );
    const { ofKey, ofRow } = createFingerprints(key);
    let last = 0;
    for (const block of readFingerprints(journal)) {
      const from = block[0]?.row ?? 0;
      last = block.at(-1)?.row ?? last;
      const found = users.all(from, last) as { row: number; key: string; user_id: string }[];
      const byRow = new Map(found.map((user) => [user.row, user]));
      index.exec('BEGIN');
      for (const { row, fingerprint } of block) {
        const user = byRow.get(row);
        if (user)
          insert.run(row, ofKey(user.key), fingerprint.values, fingerprint.hash ?? null, user.user_id);
      }
      index.exec('COMMIT');
    }
    index.exec('CREATE INDEX rows_by_key ON rows (key); CREATE INDEX rows_by_user ON rows (user_id)');
    const seen = new Uint8Array(last + 1);
    const byKey = index.prepare(
      'SELECT row, user_values AS "values", hash, user_id AS userId FROM rows WHERE key = ?',
    );
    const byUser = index.prepare('SELECT row FROM rows WHERE user_id = ?');
    const namesOf = journal.prepare(
      'SELECT row, user_id, user_name, external_id FROM outcomes WHERE row = ?',
    );

    function rowsOf({ key: own }: Partial<RowFingerprint>): EarlierRow[] {
      const found = own === undefined ? [] : (byKey.all(own) as EarlierRow[]);
      for (const { row } of found) seen[row] = 1;
      return found;
    }

    return {
      find(row) {
        if (row.user === undefined) {
          // Its own checks failed, but the user is in the file.
          if (row.userName !== undefined) rowsOf(ofRow({ user_name: row.userName }));
          if (row.externalId !== undefined) rowsOf(ofRow({ external_id: row.externalId }));
          return undefined;
        }
        const now = ofRow(row.user, row.isDisabled);
        const found = rowsOf(now);
        const same = found.find(({ values, hash }) => values === now.values && hash === (now.hash ?? null));
        const was = same ?? found[0];
        const isHashChanged = now.hash !== undefined && was?.hash !== now.hash;
        return was && { userId: was.userId, isSame: same !== undefined, isHashChanged };
      },
      keep(userIds) {
        for (const id of userIds) for (const { row } of byUser.all(id) as { row: number }[]) seen[row] = 1;
      },
      *vanished() {
        for (const rows of readInPages<{ row: number }>(index, 'rows', 'row', 'row')) {
          const gone = rows.filter(({ row }) => !seen[row]);
          // The columns of the statement are the members.
          yield gone.map(({ row }) => namesOf.get(row) as unknown as VanishedUser);
        }
      },
      close,
    };
  } catch (failure) {
    close();
    throw failure;
  }
}

/** As the index has it. */
type EarlierRow = Pick<RowFingerprint, 'values'> & { row: number; hash: string | null; userId: string };
