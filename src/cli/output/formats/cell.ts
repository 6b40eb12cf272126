import { setImmediate } from 'node:timers/promises';
import type { Result, Row } from './format.ts';

/** The value of a column; `extension.age` reaches into an object. */
export function valueAt(row: Row, column: string): unknown {
  const own = field(row, column);
  const dot = column.indexOf('.');
  if (own !== undefined || dot < 0) return own;
  return field(field(row, column.slice(0, dot)), column.slice(dot + 1));
}

/** The value of a column as text; an absent value is empty. */
export function cellOf(row: Row, column: string): string {
  const value = valueAt(row, column);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns an own property; what every object inherits is not a field of a record. */
function field(value: unknown, name: string): unknown {
  const isRecord = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isRecord ? (value as Record<string, unknown>)[name] : undefined;
}

/** Maximum rows that are formatted at once: a text has a maximum length, and the time of a table grows with the square of its rows. */
const mostRows = 200;

/**
 * Yields the records of a result in pages of at most `mostRows`. Between two parts of a longer page, or of an array, signals are
 * handled. An empty page stays one.
 */
export async function* pagesOf({ rows }: Result): AsyncGenerator<readonly Row[]> {
  for await (const page of Symbol.asyncIterator in rows ? rows : [rows]) {
    yield page.slice(0, mostRows);
    for (let at = mostRows; at < page.length; at += mostRows) {
      await setImmediate();
      yield page.slice(at, at + mostRows);
    }
  }
}
