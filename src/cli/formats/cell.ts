import type { Row } from './formats.ts';

/** The value of a column as text; `extension.age` reaches into an object, an absent value is empty. */
export function cellOf(row: Row, column: string): string {
  const [head = '', ...rest] = column.split('.');
  const outer = (row as Record<string, unknown>)[head];
  const value =
    rest.length > 0 && isRecord(outer) ? outer[rest.join('.')] : rest.length > 0 ? undefined : outer;
  if (value === undefined || value === null) return '';
  return isRecord(value) ? JSON.stringify(value) : String(value);
}

/** Makes text harmless for a terminal: control, direction and other invisible characters become `�`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\uFFFD');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
