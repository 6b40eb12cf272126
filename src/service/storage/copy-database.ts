import { createHash } from 'node:crypto';
import type { Database, Value } from './engine/database.ts';
import { tablesOfSchema } from './engine/migrations.ts';
import { StoreError } from './engine/store-error.ts';

type Row = Record<string, Value>;

/** Rows that are read at once; as many values as they have fit into one statement of both databases. */
const pageSize = 500;

/** Tables in the order of a copy: a service starts on a database with a row in the last one. */
const tables = tablesOfSchema().sort((a, b) => Number(a.name === 'tenants') - Number(b.name === 'tenants'));

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

/** Writes every row of a database into an empty one. `onRows`: called with the number of rows written so far. */
export async function copyRows(from: Database, to: Database, onRows: (done: number) => void): Promise<void> {
  let done = 0;
  for (const table of tables) {
    for await (const rows of pagesOf(from, table)) {
      const columns = Object.keys(rows[0] ?? {});
      const places = rows.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
      const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES ${places}`;
      const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
      if (!(await to.commit([{ sql, values }])))
        throw new StoreError(`somebody else writes to the table ${table.name}`);
      done += rows.length;
      onRows(done);
    }
  }
}

/** Returns a digest of all that a database stores, which does not depend on the order of the rows. */
export async function digestRows(database: Database): Promise<string> {
  const sum = Buffer.alloc(32);
  for (const table of tables) {
    for await (const rows of pagesOf(database, table)) {
      for (const row of rows) {
        const digest = createHash('sha256')
          .update(JSON.stringify([table.name, Object.entries(row)]))
          .digest();
        for (const [at, byte] of digest.entries()) sum[at] = (sum[at] ?? 0) ^ byte;
      }
    }
  }
  return sum.toString('hex');
}

/** Reads a table in the order of its primary key, which no two rows share. */
async function* pagesOf(database: Database, { name, key }: (typeof tables)[number]): AsyncGenerator<Row[]> {
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
