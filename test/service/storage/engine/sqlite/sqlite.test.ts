import { readdirSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Database, Value } from '../../../../../src/service/storage/engine/database.ts';
import { openSqlite } from '../../../../../src/service/storage/engine/sqlite/sqlite.ts';
import { temporaryFile } from '../../temporary-database.ts';

function open(path = ':memory:'): Database {
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  return database;
}

const add = {
  sql: 'INSERT INTO tokens (tenant, digest, client_id, expires_at) VALUES (?, ?, ?, 0)',
  values: [1, 'a', 'c'],
};

test('a statement with values that SQLite cannot store fails alone', async () => {
  const database = open();
  const values: Value[] = JSON.parse('[2, { "no": "text" }, "c"]');
  const broken = { sql: add.sql, values };
  const outcomes = await Promise.allSettled([database.commit([broken]), database.commit([add])]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await database.query('SELECT tenant FROM tokens', [])).toEqual([{ tenant: 1 }]);
});

test('only its owner can read a new file', async () => {
  const path = temporaryFile();
  await open(path).commit([add]);
  const files = readdirSync(dirname(path));
  expect(files).toContain(`${basename(path)}-wal`);
  for (const file of files) expect(statSync(join(dirname(path), file)).mode & 0o777).toBe(0o600);
});

test('a commit waits for the disk itself, on macOS too', async () => {
  const database = open(temporaryFile());
  expect(
    await database.query('SELECT synchronous, fullfsync FROM pragma_synchronous, pragma_fullfsync', []),
  ).toEqual([{ synchronous: 2, fullfsync: 1 }]);
});

test('a file in a directory that does not exist cannot be opened', () => {
  expect(() => openSqlite('/nowhere/at/all/users.db')).toThrow();
});

test('a file that was created by a newer version is refused, and not changed', () => {
  const path = temporaryFile();
  const file = new DatabaseSync(path);
  file.exec('CREATE TABLE tenants (tenant_id, definition); PRAGMA user_version = 999');
  file.close();
  expect(() => openSqlite(path)).toThrow('newer version of tenant-users (schema 999');
  const again = new DatabaseSync(path);
  onTestFinished(() => again.close());
  expect(again.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'tenants' }]);
});

test.each([
  ['without a version', 'CREATE TABLE users (a)'],
  ['with a version of ours', 'CREATE TABLE users (a); PRAGMA user_version = 12'],
  ['with our newest version', 'CREATE TABLE users (a); PRAGMA user_version = 19'],
  ['with a version above ours', 'CREATE TABLE users (a); PRAGMA user_version = 200'],
  ['with tenants of its own', 'CREATE TABLE tenants (id, name); PRAGMA user_version = 15'],
])('the database of another program %s is refused, and not changed', async (_, sql) => {
  const path = temporaryFile();
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
  const before = await readFile(path);
  expect(() => openSqlite(path)).toThrow('it is the database of another program');
  expect((await readFile(path)).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

test('a hash that was replaced in a row with a picture is not left in the file', async () => {
  const path = temporaryFile();
  const database = open(path);
  const secret = 'fast-hash-1d0258c2440a8d19e716292b231e3190';
  const insert = `INSERT INTO users (tenant, seq, user_id, user_name_key, profile, password, pwd_must_modify, created_at,
    updated_at, disabled, usr_auth_times, version, changed) VALUES (1, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, ?)`;
  for (let user = 1; user <= 40; user += 1) {
    const profile = 'p'.repeat(1000 * user);
    await database.commit([{ sql: insert, values: [user, `${user}`, `${user}`, profile, secret, user] }]);
  }
  const readWhole = async () => {
    await database.query('PRAGMA wal_checkpoint(TRUNCATE)', []);
    return readFile(path);
  };
  expect((await readWhole()).includes(secret)).toBe(true);
  // A profile without its picture leaves pages free, and so does a row that moves.
  await database.commit([{ sql: "UPDATE users SET profile = '{}' WHERE seq % 2 = 0", values: [] }]);
  await database.commit([{ sql: 'UPDATE users SET password = ?', values: [`wrapped-${'w'.repeat(120)}`] }]);
  expect((await readWhole()).includes(secret)).toBe(false);
});

test('a lock of another process stops no reads, and the commit waits for it', async () => {
  const path = temporaryFile();
  const database = open(path);
  const other = new DatabaseSync(path);
  other.exec('BEGIN EXCLUSIVE');
  let isDone = false;
  const done = database.commit([add]).then((outcome) => {
    isDone = true;
    return outcome;
  });
  for (let look = 0; look < 5; look += 1) {
    expect(await database.query('SELECT tenant FROM tokens', [])).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(isDone).toBe(false);
  other.exec('COMMIT');
  other.close();
  expect(await done).toBe(true);
});

test('nothing is acknowledged while the file is deleted or replaced', async () => {
  const path = temporaryFile();
  const database = open(path);
  const insert = (digest: string) => database.commit([{ ...add, values: [1, digest, 'c'] }]);
  expect(await insert('a')).toBe(true);
  await rename(path, `${path}.old`);
  await expect(insert('b')).rejects.toThrow('the database file was deleted or replaced');
  await writeFile(path, '');
  await expect(insert('c')).rejects.toThrow('the database file was deleted or replaced');
  await rename(`${path}.old`, path);
  expect(await insert('d')).toBe(true);
  expect(await database.query('SELECT digest FROM tokens', [])).toEqual([{ digest: 'a' }, { digest: 'd' }]);
});

test('the write-ahead log of a small database stays small', async () => {
  const path = temporaryFile();
  const database = open(path);
  await database.commit([add]);
  const sql = 'UPDATE tokens SET client_id = ? WHERE tenant = 1';
  for (let change = 0; change < 80; change += 1)
    await database.commit([{ sql, values: [String(change).repeat(300_000)] }]);
  // The test has written 45 MB.
  expect(statSync(`${path}-wal`).size).toBeLessThan(20_000_000);
});
