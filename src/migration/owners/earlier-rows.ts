import type { User } from '../../contract/wire.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { createFingerprints, type Fingerprints, withOtherFlag } from '../actions/fingerprints.ts';
import { rowKey } from '../actions/keys.ts';
import type { KeptField } from '../actions/reasons.ts';
import { openChangedKeys } from '../carry-over/changed-keys.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { beginOf, readFacts } from '../journal/database/job-facts.ts';
import type { OutcomeRow } from '../journal/database/tables.ts';
import { countUnsent } from '../journal/reading/count-outcomes.ts';
import { openJobOfFile } from '../journal/reading/open-job.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { type InvalidRow, isAboutNobody, type ValidatedRow, type ValidRow } from '../rows/validate-rows.ts';
import { indexRows } from './index-rows.ts';
import { readInPages } from './temporary-database.ts';

/** A user whom an earlier job knew for a row. */
export interface EarlierUser {
  userId: string;
  isSame: boolean;
  /** What has changed of that which is only sent with a new user. A change of `pwd_must_modify` is seen if it is the only one. */
  changed?: KeptField;
  /** The earlier row has another external ID: it is another person, unless the user still has identifiers of the row. */
  isOther?: boolean;
}

/** Fingerprints of those rows of an earlier job's file whose users are in the tenant. */
export type EarlierRows = Awaited<ReturnType<typeof openEarlierRows>>;

/**
 * Opens the rows of an earlier job in a temporary index on disk. Throws a `JobDirectoryError` if there is no such job, it is still
 * running, its journal is damaged or has no fingerprints, or it wrote to another tenant or to none.
 */
export async function openEarlierRows(directory: string, target: Readonly<Record<string, string>>) {
  const { job, connection: journal } = await openJobOfFile(directory, target);
  try {
    // Rows without an answer are decided again.
    if (job.kind === 'plan' && countUnsent(journal, job) > 0) {
      const isUndone = readFacts(journal).undone !== undefined;
      const remedy = isUndone
        ? 'Its users were disabled by an undo, so the rest is not carried out. Make a plan without --since.'
        : `First carry out the rest: tenant-users apply ${quotePath(directory)}`;
      throw new JobDirectoryError(directory, 'its plan was applied only in part', remedy);
    }
    const { fingerprint_key: key, undone } = readFacts(journal);
    if (key === undefined) {
      const fault = 'it has no fingerprints of its rows';
      throw new JobDirectoryError(directory, fault, 'Make a plan without --since.');
    }
    const last = indexRows(journal, job.rows);
    // Whom an undo has disabled is not as the row says any more.
    if (undone !== undefined)
      journal.exec(`UPDATE rows SET user_values = '' WHERE user_values IS NOT NULL
        AND row IN (SELECT row FROM outcomes WHERE result = 'created')`);
    return {
      ...searchRows(journal, job.rows, last, createFingerprints(key)),
      begunAt: new Date(beginOf(journal) ?? 0).toISOString(),
      close: journal.close,
    };
  } catch (failure) {
    journal.close();
    throw failure;
  }
}

/** Finds earlier rows. `total`: rows of the file. `last`: number of the last row; those after the file are users without one. */
function searchRows(
  journal: JournalDatabase,
  total: number,
  last: number,
  { ofValues, isHashOf }: Fingerprints,
) {
  const insert = journal.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)');
  /** Bits of each row: a current row is about its user (1), and has not changed (2); one about somebody else has keys of them (4). */
  const seen = new Uint8Array(last + 1);
  const ofOthers = journal.prepare('SELECT min(row) AS others FROM outcomes WHERE line = 0');
  const { others: firstOther } = ofOthers.get() as { others: number | null };
  const isOther = (row: number) => row > total || (firstOther !== null && row >= firstOther);
  const rows =
    'SELECT row, key, user_values AS "values", hash, user_id AS userId, external_id AS externalId FROM rows';
  const byKey = journal.prepare(`${rows} WHERE key = ?`);
  const byExternalId = journal.prepare(`${rows} WHERE external_id = ? ORDER BY row`);
  const byRow = journal.prepare('SELECT 1 FROM rows WHERE row = ?');
  const differs = journal.prepare(
    "UPDATE rows SET user_values = '' WHERE row = ? AND user_values IS NOT NULL",
  );
  const outcomeOf = journal.prepare('SELECT key, external_id, result FROM outcomes WHERE row = ?');
  const nameRow = journal.prepare('INSERT OR IGNORE INTO named VALUES (?)');
  const named = journal.prepare('SELECT 1 FROM named WHERE external_id = ?');
  const otherOf = journal.prepare('SELECT 1 FROM others WHERE key = ?');
  const byUser = journal.prepare('SELECT row FROM rows WHERE user_id = ? ORDER BY row');

  const rowsBy = (find: typeof byKey, value: string | undefined) =>
    value === undefined ? [] : (find.all(value) as EarlierRow[]);
  const rowsOf = (userId: string) => byUser.all(userId) as { row: number }[];

  function mark(rows: readonly { row: number }[], bit: number): void {
    for (const { row } of rows) seen[row] = (seen[row] ?? 0) | bit;
  }

  const hasBit = (row: number, bits: number) => ((seen[row] ?? 0) & bits) > 0;

  /** True for the first row of a user none of whose rows is left: several rows can have had the same user. */
  function isGone(userId: string, row: number): boolean {
    const rows = rowsOf(userId);
    return rows[0]?.row === row && rows.every((one) => !hasBit(one.row, 3));
  }

  /** The earlier rows about a row; `others` have its key, but another external ID, and are not marked. */
  function rowsAbout(key: string | undefined, externalId: string | undefined) {
    const found = rowsBy(byKey, key);
    const isNamed = found.some((one) => one.externalId === (externalId ?? null));
    const named = isNamed ? [] : rowsBy(byExternalId, externalId);
    const others = found.filter(({ externalId: was }) => was !== null && was !== (externalId ?? was));
    const ofKey = found.filter((one) => !others.includes(one));
    mark([...ofKey, ...named], 1);
    return { rows: ofKey.length > 0 ? ofKey : ofOnePerson(named), others };
  }

  /** The earlier rows of a row that fails the checks, but whose user is still in the file. */
  function rowsOfInvalid({ key, externalId }: InvalidRow): EarlierRow[] {
    const found = [...rowsBy(byKey, key), ...rowsBy(byExternalId, externalId)];
    mark(found, 1);
    return found;
  }

  /** Compares a row with earlier rows of one person. */
  function compare({ user, isDisabled }: ValidRow, known: readonly EarlierRow[]): EarlierUser[] {
    const found = known.filter(({ values }) => values !== null);
    const first = found[0] ?? known[0];
    if (!first) return [];
    // The person may have had other names: their hash was kept under the key of the earlier row.
    const now = ofValues(user, isDisabled);
    const isKnown = (hash: string | null) => isHashOf(hash ?? undefined, user, first.key ?? undefined);
    const same = found.find(({ values, hash }) => values === now.values && isKnown(hash));
    const isSame = same !== undefined;
    const { userId, values: was, hash } = same ?? first;
    if (same) mark([same], 2);
    if (isSame || was === null) return [{ userId, isSame }];
    if (now.hash !== undefined && !isKnown(hash)) return [{ userId, isSame, changed: 'hash' }];
    const flagged = withOtherFlag(user).map((one) => ofValues(one, isDisabled).values);
    return [flagged.includes(was) ? { userId, isSame, changed: 'pwd_must_modify' } : { userId, isSame }];
  }

  return {
    /**
     * True for a row about a person that fails the checks and has neither the first identifier of a row of the earlier file nor the
     * external ID of one of its users: it may be about any of them.
     */
    isNameless(row: ValidatedRow): boolean {
      if (row.user !== undefined || isAboutNobody(row) || rowsOfInvalid(row).length > 0) return false;
      return row.key === undefined || otherOf.get(row.key) === undefined;
    },
    /** Returns who can be the user of the row, the likeliest first; nobody if the row is new or its user is not known. */
    find(row: ValidatedRow): EarlierUser[] {
      if (row.user === undefined) {
        const [any] = rowsOfInvalid(row);
        const { userId } = rowsAbout(row.key, row.externalId).rows[0] ?? any ?? {};
        return userId === undefined ? [] : [{ userId, isSame: false }];
      }
      const { rows, others } = rowsAbout(rowKey(row.user), row.user.external_id);
      return [...compare(row, rows), ...compare(row, others).map((one) => ({ ...one, isOther: true }))];
    },
    /**
     * Adds the user of a row that the earlier job could not bring up to date, or did not (`staysDifferent`), so that the row is
     * decided again. Rows with higher numbers than those of the file are users who were in no row of it, and were not disabled.
     */
    add({ row, userId, staysDifferent }: { row: number; userId: string; staysDifferent: boolean }): void {
      if (byRow.get(row)) {
        if (staysDifferent) differs.run(row);
        return;
      }
      const known = outcomeOf.get(row) as Pick<OutcomeRow, 'key' | 'external_id' | 'result'> | undefined;
      const { key = null, external_id = null, result } = known ?? {};
      if (isOther(row) && result === 'disabled') return;
      insert.run(row, key, null, null, userId, external_id);
    },
    /** True if a row that has not changed is about this user; to be called after `find` was called for all rows. */
    isUnchanged: (userId: string) => rowsOf(userId).some(({ row }) => hasBit(row, 2)),
    /** Marks a user who has keys of a current row as not vanished, unless it `isElse`. True if the earlier job knew the user. */
    keep(userId: string, isElse: boolean): boolean {
      const rows = rowsOf(userId);
      mark(rows, isElse ? 4 : 1);
      return rows.length > 0 && !isElse;
    },
    /** Notes the external ID of a row that nobody with another of its identifiers has. */
    name(externalId: string | undefined): void {
      if (externalId !== undefined) nameRow.run(externalId);
    },
    /** True for a user who has keys of a row that is about somebody else, or an external ID that was noted. */
    isOwner: ({ user_id: id, external_id: externalId }: Pick<User, 'user_id' | 'external_id'>) =>
      rowsOf(id).some(({ row }) => hasBit(row, 4)) || named.get(externalId ?? null) !== undefined,
    /** Opens the search for rows that seem to be users of the earlier file under another key. */
    changedKeys() {
      // One transaction for all rows is several times faster than one for each; it does not lock the journal.
      journal.exec('BEGIN');
      return openChangedKeys(journal, (firstOther ?? total + 1) - 1, { isDelta: true });
    },
    /** Number of users whom the earlier job knew. */
    users: () => journal.count('SELECT count(DISTINCT user_id) FROM rows'),
    /**
     * Users who are in no row of the current file, in lists; to be called after `find` was called for all rows. `row`: in the earlier
     * file; `undefined` if the user had vanished from that one already.
     */
    *vanished() {
      const columns = 'row, user_id AS userId';
      for (const rows of readInPages<{ row: number; userId: string }>(journal, 'rows', 'row', columns)) {
        const gone = rows.filter(({ row, userId }) => !hasBit(row, 3) && isGone(userId, row));
        yield gone.map(({ row, userId }) => ({ row: isOther(row) ? undefined : row, userId }));
      }
    },
  };
}

/**
 * A row of the index. `values` is empty if the earlier job left the user different from the row, and `null` if it does not
 * know what it sent: the row is then never the same.
 */
type EarlierRow = {
  row: number;
  key: string | null;
  values: string | null;
  hash: string | null;
  userId: string;
  externalId: string | null;
};

/** Returns the rows if all are of one user, otherwise none: several people can share an external ID. */
function ofOnePerson(rows: readonly EarlierRow[]): readonly EarlierRow[] {
  return rows.every(({ userId }) => userId === rows[0]?.userId) ? rows : [];
}
