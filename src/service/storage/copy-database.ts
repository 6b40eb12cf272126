import { createHash } from 'node:crypto';
import type { Database, Statement, Value } from './engine/database.ts';
import { tablesOfSchema } from './engine/migrations.ts';
import { StoreError } from './engine/store-error.ts';

type Row = Record<string, Value>;

/** Rows that are read at once, and written by one statement. Users with the largest pictures must fit into memory. */
const pageSize = 20;
/** Rows that are committed together, unless their texts are longer. */
const batchSize = 1000;
const batchLength = 8 * 1024 * 1024;

type Table = ReturnType<typeof tablesOfSchema>[number];

const tables = tablesOfSchema();
const named = (...names: string[]) => tables.filter(({ name }) => names.includes(name));
const [tenants, numbers] = [named('tenants'), named('numbers')];
/** The tables of users: each change of these takes a number, so that numbers which are read last tell of it. */
const users = named('users', 'unique_extensions', 'password_history');
const others = tables.filter((table) => ![...tenants, ...numbers, ...users].includes(table));
/**
 * The parts of a copy, in their order: what is written, and compared then. A service starts on a database that has the second one, and
 * knows by the numbers without it that a copy was not finished. Nothing tells that an application was revoked or a session ended while
 * the users were compared, which takes long: what takes no number is compared again at the end.
 */
const parts = [
  { written: [...numbers, ...others, ...users], compared: [...others, ...users, ...numbers] },
  { written: tenants, compared: [...tenants, ...others, ...numbers] },
];

/** Returns the number of rows in all tables of a database. */
export async function countRows(database: Database): Promise<number> {
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await database.query<{ n: number }>(`SELECT count(*) AS n FROM ${name}`, []);
      return Number(row?.n ?? 0);
    }),
  );
  return counts.reduce((sum, n) => sum + n, 0);
}

/**
 * Writes every row of a database into an empty one, then reads both again and compares them. False if they differ: no service starts on
 * the copy then. `onRows`: called with the number of rows written so far.
 */
export async function copyRows(
  from: Database,
  to: Database,
  onRows: (done: number) => void,
): Promise<boolean> {
  let done = 0;
  for (const { written, compared } of parts) {
    for (const table of written) {
      for await (const { statements, rows } of batchesOf(from, table)) {
        if (!(await to.commit(statements)))
          throw new StoreError(`somebody else writes to the table ${table.name}`);
        done += rows;
        onRows(done);
      }
    }
    // The first database is read last, because a service may still change it.
    const copied = await digest(to, compared);
    if ((await digest(from, compared)) === copied) continue;
    await to.commit([{ sql: 'DELETE FROM tenants', values: [], optional: true }]);
    return false;
  }
  return true;
}

/** Reads a table as the statements that write it elsewhere. */
async function* batchesOf(from: Database, table: Table) {
  let [statements, rows, length]: [Statement[], number, number] = [[], 0, 0];
  for await (const page of pagesOf(from, table)) {
    const columns = Object.keys(page[0] ?? {});
    const places = page.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
    const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES ${places}`;
    const values = page.flatMap((row) => columns.map((column) => row[column] ?? null));
    statements.push({ sql, values });
    rows += page.length;
    length += values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (rows < batchSize && length < batchLength) continue;
    yield { statements, rows };
    [statements, rows, length] = [[], 0, 0];
  }
  if (rows > 0) yield { statements, rows };
}

/** A digest of all rows of tables, which does not depend on their order. */
async function digest(database: Database, part: readonly Table[]): Promise<string> {
  const sum = Buffer.alloc(32);
  for (const table of part) {
    for await (const rows of pagesOf(database, table)) {
      for (const row of rows) {
        const text = JSON.stringify([table.name, Object.entries(row)]);
        for (const [at, byte] of createHash('sha256').update(text).digest().entries())
          sum[at] = (sum[at] ?? 0) ^ byte;
      }
    }
  }
  return sum.toString('hex');
}

/** Reads a table in the order of its primary key, which no two rows share. */
async function* pagesOf(database: Database, { name, key }: Table): AsyncGenerator<Row[]> {
  const columns = key.join(', ');
  const after = ` WHERE (${columns}) > (${key.map(() => '?').join(', ')})`;
  let last: Row | undefined;
  do {
    const values = last ? key.map((column) => last?.[column] ?? null) : [];
    const sql = `SELECT * FROM ${name}${last ? after : ''} ORDER BY ${columns} LIMIT ${pageSize}`;
    const rows = await database.query<Row>(sql, values);
    if (rows.length > 0) yield rows;
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last);
}
