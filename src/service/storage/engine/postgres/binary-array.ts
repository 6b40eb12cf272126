import type { ColumnType, Value } from '../database.ts';
import { storable } from '../storable.ts';

/** Bytes before the elements: number of dimensions, "has nulls", type of the elements, their number, first index. */
const headLength = 20;

/** PostgreSQL's numbers of the types; every engine that speaks its protocol keeps to them. */
const oids: Readonly<Record<ColumnType, number>> = { bigint: 20, text: 25 };

/** Bytes of a `bigint`. */
const bigintLength = 8;

/**
 * An array with values of a column, not empty, as PostgreSQL receives it in binary form: nothing is escaped, and nothing
 * parsed, which takes the service half of the time of the text `{…}`. Numbers must be whole.
 */
export function binaryArray(type: ColumnType, column: readonly Value[]): Buffer {
  const values = type === 'text' ? column.map(storable) : column;
  const lengths = values.map(type === 'text' ? textLength : numberLength);
  const size = lengths.reduce((sum, length) => sum + length, headLength + 4 * values.length);
  const array = Buffer.allocUnsafe(size);
  let at = 0;
  for (const number of [1, 1, oids[type], values.length, 1]) at = array.writeInt32BE(number, at);
  for (const [index, value] of values.entries()) {
    const length = lengths[index] ?? 0;
    at = array.writeInt32BE(value === null ? -1 : length, at);
    if (typeof value === 'string') at += array.write(value, at, length);
    else if (value !== null) at = writeBigint(array, value, at);
  }
  return array;
}

function textLength(value: Value): number {
  return value === null ? 0 : Buffer.byteLength(String(value));
}

function numberLength(value: Value): number {
  return value === null ? 0 : bigintLength;
}

/** In two halves: a `BigInt` for each number would cost more than all the rest. */
function writeBigint(array: Buffer, value: number, at: number): number {
  const high = Math.floor(value / 2 ** 32);
  return array.writeUInt32BE(value - high * 2 ** 32, array.writeInt32BE(high, at));
}
