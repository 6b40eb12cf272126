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

/** Yields the records of a result page by page. An array is a single page, which may be empty. */
export async function* pagesOf({ rows }: Result): AsyncGenerator<readonly Row[]> {
  if (Symbol.asyncIterator in rows) yield* rows;
  else yield rows;
}
