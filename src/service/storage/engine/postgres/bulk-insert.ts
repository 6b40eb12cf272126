import { type ColumnType, type Statement, storable, type Value } from '../database.ts';

/** Inserts with the same SQL into the same tenant, so that the condition is the same too, and the rows of all of them. */
interface Alike {
  statement: Statement;
  rows: (readonly Value[])[];
}

/**
 * Gathers inserts of a batch that can be combined. `add` returns whether a transaction has nothing else, and if so takes the values
 * of its statements. `statements` returns the inserts of all rows, which fail if a row breaks a unique key. One statement of
 * hundreds of rows costs either side half of what as many statements do.
 */
export function gatherInserts(takeValues: (statement: Statement) => readonly Value[]) {
  const gathered: Alike[] = [];

  function addInsert(statement: Statement): void {
    const { sql, tenantLock } = statement;
    const alike = gathered.find(
      (one) => one.statement.sql === sql && one.statement.tenantLock === tenantLock,
    );
    if (alike) alike.rows.push(takeValues(statement));
    else gathered.push({ statement, rows: [takeValues(statement)] });
  }

  return {
    add(transaction: readonly Statement[]) {
      if (!transaction.every(canBeTogether)) return false;
      transaction.forEach(addInsert);
      return true;
    },
    statements: () => gathered.map(bulkInsert),
  };
}

/** True if inserts can be combined: a condition must hold for the whole batch, and no conflict is allowed, because it fails all. */
function canBeTogether({ types, optional, unless }: Statement): boolean {
  return types !== undefined && !optional && (!unless || unless.isOfBatch === true);
}

/** Returns an insert of many rows, and the number of rows that it must insert. */
function bulkInsert({ statement: { sql, types = [], unless }, rows }: Alike) {
  const columns = types.map((type, column) => binaryArray(type, rows, column));
  return {
    sql: bulkText(sql, types, unless?.sql),
    values: unless ? [...columns, ...unless.values] : columns,
    rows: rows.length,
  };
}

/** Without `ON CONFLICT`, each unique index is searched once instead of twice, and a taken key is an error. */
function bulkText(sql: string, types: NonNullable<Statement['types']>, unless: string | undefined): string {
  const arrays = types.map((type) => `?::${type}[]`).join(', ');
  const names = types.map((_, index) => `v${index + 1}`).join(', ');
  let column = 0;
  const text = sql.replace(
    / VALUES \((.*)\) ON CONFLICT DO NOTHING$/s,
    (_, list: string) =>
      ` SELECT ${list.replaceAll('?', () => `v${++column}`)} FROM unnest(${arrays}) AS given (${names})`,
  );
  return unless === undefined ? text : `${text} WHERE NOT EXISTS (${unless})`;
}

/** Bytes before the elements: number of dimensions, "has nulls", type of the elements, their number, first index. */
const headLength = 20;

/** PostgreSQL's OIDs of the types; all engines that speak its protocol use the same. */
const oids: Readonly<Record<ColumnType, number>> = { bigint: 20, text: 25 };

/** Bytes of the length before each element. */
const lengthLength = 4;
/** Bytes of a `bigint`. */
const bigintLength = 8;
/** Maximum bytes of UTF-8 for a UTF-16 unit: three, or four if another code point replaces U+0000. */
const mostOfUnit = 4;

/**
 * Encodes one column of `rows`, which must not be empty, as a PostgreSQL array in binary form: nothing is escaped or parsed, which
 * takes the service half of the time of the text form `{…}`. Numbers must be whole.
 */
function binaryArray(type: ColumnType, rows: readonly (readonly Value[])[], column: number): Buffer {
  const longest = rows.reduce((sum, row) => sum + mostBytes(row[column]), headLength);
  const array = Buffer.allocUnsafe(longest);
  let at = 0;
  for (const number of [1, 1, oids[type], rows.length, 1]) at = array.writeInt32BE(number, at);
  for (const row of rows) at = writeElement(array, row[column] ?? null, at);
  return array.subarray(0, at);
}

function mostBytes(value: Value | undefined): number {
  return lengthLength + (typeof value === 'string' ? mostOfUnit * value.length : bigintLength);
}

/** Writes an element; returns where the next one begins. */
function writeElement(array: Buffer, value: Value, at: number): number {
  if (value === null) return array.writeInt32BE(-1, at);
  if (typeof value === 'number') return writeBigint(array, value, array.writeInt32BE(bigintLength, at));
  const length = array.write(String(storable(value)), at + lengthLength);
  return array.writeInt32BE(length, at) + length;
}

/** Writes a number in two halves: a `BigInt` for each number would cost more than all the rest. */
function writeBigint(array: Buffer, value: number, at: number): number {
  const high = Math.floor(value / 2 ** 32);
  return array.writeUInt32BE(value - high * 2 ** 32, array.writeInt32BE(high, at));
}
