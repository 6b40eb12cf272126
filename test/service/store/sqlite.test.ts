import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Database, Statement } from '../../../src/service/store/database.ts';
import { openSqlite } from '../../../src/service/store/sqlite.ts';
import { temporaryDatabase } from './temporary-database.ts';

function open(path = ':memory:'): Database {
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  return database;
}

function add(tenant: number, name: string | null): Statement {
  return { sql: 'INSERT INTO tenants (tenant, tenant_id) VALUES (?, ?)', values: [tenant, name] };
}

function rename(tenant: number, name: string): Statement {
  return { sql: 'UPDATE tenants SET tenant_id = ? WHERE tenant = ?', values: [name, tenant] };
}

async function names(database: Database): Promise<string[]> {
  const sql = 'SELECT tenant_id FROM tenants ORDER BY tenant';
  return (await database.query<{ tenant_id: string }>(sql, [])).map(({ tenant_id }) => tenant_id);
}

test('a unit is carried out whole', async () => {
  const database = open();
  expect(await database.commit([add(1, 'a'), add(2, 'b'), rename(1, 'c')])).toBe(true);
  expect(await names(database)).toEqual(['c', 'b']);
});

test('a unit with a taken key changes nothing', async () => {
  const database = open();
  await database.commit([add(1, 'a')]);
  expect(await database.commit([add(2, 'b'), add(3, 'a')])).toBe(false);
  expect(await database.commit([add(3, 'a')])).toBe(false);
  expect(await names(database)).toEqual(['a']);
});

test('a unit that finds no row to change changes nothing, unless it may', async () => {
  const database = open();
  expect(await database.commit([add(1, 'a'), rename(9, 'z')])).toBe(false);
  expect(await names(database)).toEqual([]);
  expect(await database.commit([{ ...rename(9, 'z'), optional: true }, add(1, 'a')])).toBe(true);
  expect(await names(database)).toEqual(['a']);
});

test('units of one turn that fail do not harm the others', async () => {
  const database = open();
  const nonsense: Statement = { sql: 'INSERT INTO nothing VALUES (?)', values: [1] };
  const outcomes = await Promise.allSettled([
    database.commit([add(1, 'a')]),
    database.commit([add(2, 'a')]),
    database.commit([add(3, 'c'), add(4, null)]),
    database.commit([add(5, 'e'), add(6, 'a')]),
    database.commit([nonsense]),
    database.commit([add(7, 'g'), nonsense]),
    database.commit([rename(9, 'z')]),
    database.commit([add(8, 'h'), rename(1, 'b')]),
    database.commit([add(9, 'a')]),
  ]);
  const told = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected'));
  expect(told).toEqual([true, false, 'rejected', false, 'rejected', 'rejected', false, true, true]);
  expect(await names(database)).toEqual(['b', 'h', 'a']);
});

test('a statement with values that SQLite cannot hold fails alone', async () => {
  const database = open();
  const broken = { sql: add(1, 'a').sql, values: [1, { no: 'text' } as unknown as string] };
  const outcomes = await Promise.allSettled([database.commit([broken]), database.commit([add(2, 'b')])]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await names(database)).toEqual(['b']);
});

test('a query that is wrong rejects', async () => {
  await expect(open().query('SELECT * FROM nothing', [])).rejects.toThrow(/nothing/);
});

test('of many units that compete for a key exactly one wins', async () => {
  const database = open();
  const units = Array.from({ length: 100 }, (_, number) => database.commit([add(number, 'same')]));
  expect((await Promise.all(units)).filter((won) => won)).toHaveLength(1);
});

test('a file that is opened again has everything that was told to be done', async () => {
  const path = temporaryDatabase();
  const first = openSqlite(path);
  const done = await Promise.all(
    Array.from({ length: 50 }, (_, number) => first.commit([add(number, `t-${number}`)])),
  );
  expect(done).toEqual(Array(50).fill(true));
  // Opened beside the first: what is on disk does not wait for a tidy end.
  expect(await names(open(path))).toHaveLength(50);
  await first.close();
  expect(await names(open(path))).toHaveLength(50);
});

test('closing carries out what is waiting', async () => {
  const path = temporaryDatabase();
  const first = openSqlite(path);
  const waiting = first.commit([add(1, 'a')]);
  await first.close();
  expect(await waiting).toBe(true);
  expect(await names(open(path))).toEqual(['a']);
});

test('a unit after the end is refused, and nothing else fails', async () => {
  const database = openSqlite(':memory:');
  await database.close();
  await expect(database.commit([add(1, 'a')])).rejects.toThrow('not open');
});

test('a new file is for the eyes of its owner only', async () => {
  const path = temporaryDatabase();
  await open(path).commit([add(1, 'a')]);
  const files = readdirSync(dirname(path));
  expect(files).toContain(`${basename(path)}-wal`);
  for (const file of files) expect(statSync(join(dirname(path), file)).mode & 0o777).toBe(0o600);
});

test('a directory that is not there cannot be opened', () => {
  expect(() => openSqlite('/nowhere/at/all/users.db')).toThrow();
});
