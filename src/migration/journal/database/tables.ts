import type { HashAlgorithm } from '../../../contract/attributes.ts';
import type { ValueFingerprints } from '../../actions/fingerprints.ts';
import { useOtherDirectory } from '../../directory/own-directory.ts';
import { JobDirectoryError } from '../../model/errors.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import { requireWhole } from './commit-count.ts';
import { damagedJournal, type JournalDatabase } from './database.ts';

/** Version of the journal's tables; a journal of another version is refused. */
export const journalVersion = 7;

/** A row of `outcomes` or `earlier`. */
export interface OutcomeRow {
  row: number;
  line: number;
  result: FinalOutcome['result'];
  algorithm: HashAlgorithm | null;
  key: string | null;
  user_name: string | null;
  external_id: string | null;
  user_id: string | null;
  found_by_look_up: 'true' | null;
  code: string | null;
  message: string | null;
  hint: string | null;
  sent_values: string | null;
  sent_hash: string | null;
}

const outcomes: Record<keyof OutcomeRow, string> = {
  row: 'INTEGER NOT NULL',
  line: 'INTEGER NOT NULL',
  result: 'TEXT NOT NULL',
  algorithm: 'TEXT',
  key: 'TEXT',
  user_name: 'TEXT',
  external_id: 'TEXT',
  user_id: 'TEXT',
  found_by_look_up: 'TEXT',
  code: 'TEXT',
  message: 'TEXT',
  hint: 'TEXT',
  sent_values: 'TEXT',
  sent_hash: 'TEXT',
};

/**
 * The columns of each table, and its primary key. `job`: facts about the job and its progress, one per row. `outcomes`: the outcome
 * of each row, with the fingerprints of what was sent for its user, if these are not those of the row. `earlier`: outcomes from files
 * before the last correction, identified by their key, with the fingerprints of what was sent, whose users no row has now; or only a
 * row of that `line`, which must not be sent: its user was there before, and it says something else. Otherwise `line` is 0.
 * `fingerprints`: those of the rows of the file, in lists. `exact_intents`: rows that may have been sent, one by one, and until when
 * (epoch milliseconds) their requests can still arrive.
 */
const tables: Readonly<Record<string, { columns: Readonly<Record<string, string>>; key: string }>> = {
  job: { columns: { name: 'TEXT NOT NULL', value: 'TEXT NOT NULL' }, key: 'name' },
  outcomes: { columns: outcomes, key: 'row' },
  earlier: { columns: outcomes, key: 'key' },
  fingerprints: { columns: { row: 'INTEGER NOT NULL', digests: 'TEXT NOT NULL' }, key: 'row' },
  exact_intents: {
    columns: { row: 'INTEGER NOT NULL', arrives_until: 'INTEGER NOT NULL', kind: 'INTEGER NOT NULL' },
    key: 'row',
  },
  runs: {
    columns: {
      run: 'INTEGER NOT NULL',
      started_at: 'INTEGER NOT NULL',
      seconds: 'REAL',
      source: 'TEXT NOT NULL',
      note: 'TEXT NOT NULL',
    },
    key: 'run',
  },
};

const namesIn = (columns: object) => Object.keys(columns).join(', ');

/** Returns the columns of `outcomes` or `earlier` for a copy in which some have other values (SQL expressions, by column). */
export function outcomeColumnsWith(values: { [Name in keyof OutcomeRow]?: string }): string {
  return Object.entries({ ...outcomes, ...values })
    .map(([name, value]) => (name in values ? `${value} AS ${name}` : name))
    .join(', ');
}

/** SQL for the checksum of a row: SQLite has none for stored data. It covers the values as text; STRICT ensures the types. */
const checksumOf = (columns: object) => `checksum(concat_ws(char(31), ${namesIn(columns)}))`;

/** True for a key that is the row ID; with any other, WITHOUT ROWID avoids a separate index that could be damaged on its own. */
const isRowid = (key: string) => key === 'row' || key === 'run';

const definitionsOf = (columns: object) =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

const statements = Object.entries(tables).map(
  ([table, { columns, key }]) =>
    `CREATE TABLE ${table} (${definitionsOf(columns)}, checksum INTEGER AS (${checksumOf(columns)}) STORED, PRIMARY KEY (${key})) STRICT${isRowid(key) ? '' : ', WITHOUT ROWID'}`,
);

export const schema = [...statements, `PRAGMA user_version = ${journalVersion};`].join('; ');

/** SQL for temporary copies of the tables, which all statements mean from then on: they leave the journal itself as it is. */
export const copyTables = Object.entries(tables)
  .map(([table, { columns }], at) => {
    const create = statements[at]?.replace('TABLE', 'TEMP TABLE');
    return `${create}; INSERT INTO ${table} (${namesIn(columns)}) SELECT ${namesIn(columns)} FROM main.${table};`;
  })
  .join(' ');

export const dropTables = Object.keys(tables)
  .map((table) => `DROP TABLE IF EXISTS ${table};`)
  .join(' ');

/** Returns the version of the tables, 0 if there are none. Throws a `JobDirectoryError` if they are of another version. */
function versionOf(directory: string, connection: JournalDatabase): number {
  const version = connection.count('PRAGMA user_version');
  if (version === 0 || version === journalVersion) return version;
  throw new JobDirectoryError(
    directory,
    'its journal was written by another version of this program',
    `Finish with that version, or begin again: users created before are found by their user name, e-mail or mobile number, and those without any would be created a second time. ${useOtherDirectory(directory)}`,
  );
}

/** True if there are tables of this version, false if there are none. Throws a `JobDirectoryError` if there are others. */
export function isBegun(directory: string, connection: JournalDatabase): boolean {
  const version = versionOf(directory, connection);
  const tables = connection.rows<{ name: string }>('SELECT name FROM sqlite_master');
  if (version === 0 ? tables.length > 0 : tables.every((table) => table.name !== 'job')) {
    throw new JobDirectoryError(
      directory,
      'its journal.db is the database of another program',
      useOtherDirectory(directory),
    );
  }
  return version !== 0;
}

/** Throws a `JobDirectoryError` unless the tables are of this version, every row is as it was written, and none is lost. */
export function requireUndamaged(directory: string, connection: JournalDatabase): void {
  versionOf(directory, connection);
  const made = connection.rows<{ sql: string }>("SELECT sql FROM sqlite_master WHERE type = 'table'");
  if (made.map(({ sql }) => sql).join() !== statements.join())
    throw damagedJournal(directory, 'its tables are not those of a journal');
  const [found] = connection.rows<{ quick_check: string }>('PRAGMA quick_check(1)');
  if (found?.quick_check !== 'ok')
    throw damagedJournal(directory, String(found?.quick_check).replace(/\s+/g, ' '));
  for (const [table, { columns }] of Object.entries(tables)) {
    const rows = connection.count(
      `SELECT count(*) FROM ${table} WHERE checksum IS NOT ${checksumOf(columns)}`,
    );
    if (rows > 0) throw damagedJournal(directory, `wrong checksums in ${table}: ${rows}`);
  }
  requireWhole(directory, connection);
}

/** SQL: true for an outcome of a row whose user the job created, and could not disable. A plan also names users of other outcomes. */
export const leftEnabledSql = "(code IS 'NOT_DISABLED' AND user_id IS NOT NULL)";

/** SQL: true for an outcome of a row that created a user. */
export const hasCreatedUserSql = `(result = 'created' OR ${leftEnabledSql})`;

/** SQL: the key in `earlier` of what is only kept for the record, by an expression that tells it from others. No row has such a key. */
export const keyOfRecord = (what: string) => `'run=' || (SELECT max(run) FROM runs) || ' ' || ${what}`;

/**
 * The key in `earlier` of a row that may have been sent and has no outcome is this and the fingerprint of its values. If these are not
 * known, as for a row that only another shard has read, its number stands for them.
 */
export const keyOfUnanswered = 'values=';

/** The key of a user whose row has no identifier, if no other such row was sent with these values and this hash. */
export function keyOfValues({ values, hash = '' }: ValueFingerprints): string {
  return `${keyOfUnanswered}${values} ${hash}`;
}

/** True for such a key of any form: it is no identifier. */
export function isKeyOfRecord(key: string): boolean {
  return key.startsWith('run=') || key.startsWith(keyOfUnanswered);
}
