import type { QueryConfig } from 'pg';
import { type Statement, storable, type Value } from '../database.ts';

/** Statements in PostgreSQL's notation, by their text and that of `unless`. There are some dozens, so none is ever removed. */
const texts = new Map<string, Map<string, { name: string; text: string }>>();
let prepared = 0;

/** A parameter of a statement; bytes are an array in binary form. */
export type Parameter = Value | Buffer;

/** Returns a statement for PostgreSQL: `?` becomes `$1`, `$2`, …, and a connection prepares a named text only once. */
export function postgresStatement(
  { sql, unless }: Pick<Statement, 'sql' | 'unless'>,
  values: readonly Parameter[],
  isNamed: boolean,
): QueryConfig {
  const all = unless ? [...values, ...unless.values] : values;
  const { name, text } = knownText(sql, unless?.sql ?? '');
  const given = all.map((value) => (typeof value === 'object' ? value : storable(value)));
  return { ...(isNamed ? { name } : {}), text, values: given };
}

function knownText(sql: string, unless: string): { name: string; text: string } {
  const alike = texts.get(sql) ?? new Map<string, { name: string; text: string }>();
  const known = alike.get(unless);
  if (known) return known;
  let number = 0;
  const text = withCondition(sql, unless).replaceAll('?', () => `$${++number}`);
  prepared += 1;
  const made = { name: `s${prepared}`, text };
  texts.set(sql, alike.set(unless, made));
  return made;
}

/** Adds the condition to the statement, because one statement that checks and writes takes half the time of two. */
function withCondition(sql: string, unless: string): string {
  if (unless === '') return sql;
  const condition = `NOT EXISTS (${unless})`;
  if (!sql.startsWith('INSERT')) return `${sql} AND ${condition}`;
  return sql.replace(/ VALUES \((.*)\)/s, (_, list: string) => ` SELECT ${list} WHERE ${condition}`);
}
