import { expect, onTestFinished, test } from 'vitest';
import type { Database, Statement } from '../../../../src/service/storage/engine/database.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { define } from '../temporary-database.ts';
import { lastingDatabase, testDatabase } from '../test-database.ts';

const things =
  'CREATE TABLE IF NOT EXISTS things (number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE)';

async function open(location?: string): Promise<Database> {
  const database = await openWithThings(location ?? (await testDatabase()));
  onTestFinished(() => database.close());
  return database;
}

async function openWithThings(location: string): Promise<Database> {
  const database = await openDatabase(location);
  // Only its own service can change a database in memory.
  if (location === ':memory:') await database.commit([{ sql: things, values: [], optional: true }]);
  else await define(location, things);
  return database;
}

function add(number: number, name: string | null): Statement {
  return { sql: 'INSERT INTO things (number, name) VALUES (?, ?)', values: [number, name] };
}

/** An insert that can be executed together with others in one statement. */
function addTogether(number: number, name: string | null): Statement {
  const sql = 'INSERT INTO things (number, name) VALUES (?, ?) ON CONFLICT DO NOTHING';
  return { sql, values: [number, name], types: ['bigint', 'text'] };
}

function rename(number: number, name: string): Statement {
  return { sql: 'UPDATE things SET name = ? WHERE number = ?', values: [name, number] };
}

async function names(database: Database): Promise<string[]> {
  const sql = 'SELECT name FROM things ORDER BY number';
  return (await database.query<{ name: string }>(sql, [])).map(({ name }) => name);
}

test('a transaction is carried out completely', async () => {
  const database = await open();
  expect(await database.commit([add(1, 'a'), add(2, 'b'), rename(1, 'c')])).toBe(true);
  expect(await names(database)).toEqual(['c', 'b']);
});

test('a transaction that inserts an existing key changes nothing', async () => {
  const database = await open();
  await database.commit([add(1, 'a')]);
  expect(await database.commit([add(2, 'b'), add(3, 'a')])).toBe(false);
  expect(await database.commit([add(3, 'a')])).toBe(false);
  expect(await names(database)).toEqual(['a']);
});

test('a transaction that finds no row to change changes nothing, unless the statement is optional', async () => {
  const database = await open();
  expect(await database.commit([add(1, 'a'), rename(9, 'z')])).toBe(false);
  expect(await names(database)).toEqual([]);
  expect(await database.commit([{ ...rename(9, 'z'), optional: true }, add(1, 'a')])).toBe(true);
  expect(await names(database)).toEqual(['a']);
});

test('a failed transaction of a batch does not affect the others', async () => {
  const database = await open();
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
  const results = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected'));
  expect(results).toEqual([true, false, 'rejected', false, 'rejected', 'rejected', false, true, true]);
  expect(await names(database)).toEqual(['b', 'h', 'a']);
});

test('a statement with a condition changes nothing if the query of the condition finds a row, also one of the same batch', async () => {
  const database = await open();
  const unless = { sql: 'SELECT 1 FROM things WHERE name = ?', values: ['a'] };
  const [one, two, three, four] = await Promise.all([
    database.commit([{ ...add(1, 'b'), unless }]),
    database.commit([add(2, 'a')]),
    database.commit([{ ...add(3, 'c'), unless }]),
    database.commit([{ ...rename(1, 'd'), unless, optional: true }, add(4, 'e')]),
  ]);
  expect([one, two, three, four]).toEqual([true, true, false, true]);
  expect(await names(database)).toEqual(['b', 'a', 'e']);
});

test('inserts that may be executed together have the same outcomes as one by one', async () => {
  const database = await open();
  await database.commit([add(12, 'before')]);
  const outcomes = await Promise.allSettled([
    database.commit([addTogether(1, 'a')]),
    database.commit([addTogether(2, 'a')]),
    database.commit([addTogether(3, 'c'), addTogether(4, null)]),
    database.commit([addTogether(5, 'e'), addTogether(6, 'a')]),
    database.commit([addTogether(7, 'g'), rename(9, 'z')]),
    database.commit([addTogether(8, 'h'), rename(12, 'b')]),
    database.commit([{ ...addTogether(9, 'h'), optional: true }, addTogether(10, 'j')]),
    database.commit([addTogether(11, 'before')]),
  ]);
  const results = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected'));
  // SQLite ignores a row without a value; PostgreSQL fails.
  expect(results).toEqual([
    true,
    false,
    expect.toBeOneOf([false, 'rejected']),
    false,
    false,
    true,
    true,
    true,
  ]);
  expect(await names(database)).toEqual(['a', 'h', 'j', 'before', 'b']);
});

test('values that are inserted together are stored as they were given', async () => {
  const database = await open();
  const given = ['', 'null', 'NULL', '{"a":"b\\\\c"}', '{1,2}', 'ä 王静 😀', '\n\t', "'$1'", '?', ' '];
  const numbers = [
    0,
    1,
    -1,
    2 ** 31,
    2 ** 32,
    2 ** 32 - 1,
    -(2 ** 32),
    -(2 ** 32) - 1,
    2 ** 53 - 1,
    1 - 2 ** 53,
  ];
  const commits = given.map((name, index) => database.commit([addTogether(numbers[index] ?? 0, name)]));
  expect(await Promise.all(commits)).toEqual(given.map(() => true));
  const stored = await database.query<{ number: number; name: string }>('SELECT * FROM things', []);
  const byNumber = new Map(stored.map(({ number, name }) => [number, name]));
  expect(byNumber).toEqual(new Map(given.map((name, index) => [numbers[index], name])));
});

test('a condition of the batch holds for all inserts that are executed together', async () => {
  const database = await open();
  const unless = { sql: 'SELECT 1 FROM things WHERE number = ?', values: [1], isOfBatch: true };
  const addUnless = (number: number) => ({ ...addTogether(number, `t-${number}`), unless, tenantLock: 7 });
  await database.commit([{ sql: 'INSERT INTO numbers (tenant, seq, changed) VALUES (7, 0, 0)', values: [] }]);
  const commitAll = (list: number[]) =>
    Promise.all(list.map((number) => database.commit([addUnless(number)])));
  expect(await commitAll([2, 3, 4])).toEqual([true, true, true]);
  await database.commit([add(1, 'mark')]);
  expect(await commitAll([5, 6])).toEqual([false, false]);
  expect(await names(database)).toEqual(['mark', 't-2', 't-3', 't-4']);
});

test.for([{ way: 'one by one' }, { way: 'together', types: ['bigint', 'bigint', 'text'] as const }])(
  'a transaction that is rolled back uses no number of its tenant ($way)',
  async ({ types }) => {
    const database = await open();
    const numbers = 'INSERT INTO numbers (tenant, seq, changed) VALUES (7, 10, 20)';
    await database.commit([{ sql: numbers, values: [] }]);
    const numbered = (name: string): Statement => ({
      sql: 'INSERT INTO things (number, name) VALUES (? * 100 + ?, ?) ON CONFLICT DO NOTHING',
      values: [name],
      tenantLock: 7,
      numbers: 'user',
      ...(types ? { types } : {}),
    });
    const commits = [['a'], ['b', 'a'], ['a'], ['c', 'd']].map((list) => database.commit(list.map(numbered)));
    expect(await Promise.all(commits)).toEqual([true, false, false, true]);
    const sql = 'SELECT number, name FROM things ORDER BY number';
    expect(await database.query(sql, [])).toEqual([
      { number: 1121, name: 'a' },
      { number: 1222, name: 'c' },
      { number: 1323, name: 'd' },
    ]);
  },
);

test('a query with an error rejects', async () => {
  await expect((await open()).query('SELECT * FROM nothing', [])).rejects.toThrow(/nothing/);
});

test('of many transactions that insert the same key exactly one succeeds', async () => {
  const database = await open();
  const commits = Array.from({ length: 100 }, (_, number) => database.commit([add(number, 'same')]));
  expect((await Promise.all(commits)).filter((won) => won)).toHaveLength(1);
});

test('a file that is opened again contains everything that was reported as done', async () => {
  const path = await lastingDatabase();
  const first = await openWithThings(path);
  const done = await Promise.all(
    Array.from({ length: 50 }, (_, number) => first.commit([add(number, `t-${number}`)])),
  );
  expect(done).toEqual(Array(50).fill(true));
  // Opened beside the first: the data must be on disk before the database is closed.
  expect(await names(await open(path))).toHaveLength(50);
  await first.close();
  expect(await names(await open(path))).toHaveLength(50);
});

test('closing the database first carries out what is waiting', async () => {
  const path = await lastingDatabase();
  const first = await openWithThings(path);
  const waiting = first.commit([add(1, 'a')]);
  await first.close();
  expect(await waiting).toBe(true);
  expect(await names(await open(path))).toEqual(['a']);
});

test('a transaction after the close is rejected, and nothing else fails', async () => {
  const database = await openDatabase(await testDatabase());
  await database.close();
  await expect(database.commit([add(1, 'a')])).rejects.toThrow('not open');
});
