import type { QueryConfig } from 'pg';
import type { Value } from '../database.ts';
import { storable } from '../storable.ts';

/** Statements of the service in PostgreSQL's notation. There are some dozens, so none is ever removed. */
const texts = new Map<string, { name: string; text: string }>();

/** A statement for PostgreSQL: `?` becomes `$1`, `$2`, …, and each connection prepares a text once. */
export function postgresStatement(sql: string, values: readonly Value[]): QueryConfig {
  let known = texts.get(sql);
  if (!known) {
    let number = 0;
    known = { name: `s${texts.size}`, text: sql.replaceAll('?', () => `$${++number}`) };
    texts.set(sql, known);
  }
  return { ...known, values: values.map(storable) };
}
