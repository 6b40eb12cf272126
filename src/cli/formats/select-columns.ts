import { valueAt } from './cell.ts';
import type { Row } from './formats.ts';

/** Keeps the named fields of a record, those it has, in the order of the names; dotted ones stay nested. */
export function selectColumns(columns: readonly string[] | undefined): (row: Row) => Row {
  if (!columns) return (row) => row;
  return (row) => {
    const kept = new Map<string, unknown>();
    for (const column of columns) {
      const value = valueAt(row, column);
      if (value === undefined) continue;
      const dot = Object.hasOwn(row, column) ? -1 : column.indexOf('.');
      if (dot < 0) kept.set(column, value);
      else if (!columns.includes(column.slice(0, dot))) nest(kept, column, dot, value);
    }
    return Object.fromEntries([...kept].map(([key, value]) => [key, plain(value)]));
  };
}

function nest(kept: Map<string, unknown>, column: string, dot: number, value: unknown): void {
  const head = column.slice(0, dot);
  const before = kept.get(head);
  const inner = before instanceof Map ? before : new Map<string, unknown>();
  kept.set(head, inner.set(column.slice(dot + 1), value));
}

function plain(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
