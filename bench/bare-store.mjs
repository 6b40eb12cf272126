/**
 * The least work of a store: inserts the rows of a file into a database with the schema, by one prepared statement,
 * with a given number of rows in each durable transaction. Prints rows a second of the inserts alone.
 * `node bare-store.mjs FILE DATABASE GROUP`
 */
import { createReadStream } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { parse } from 'csv-parse';

const [file = '', location = '', group = ''] = process.argv.slice(2);
const database = new DatabaseSync(location);
// The settings of `connection.ts`: with less memory or a shorter log the limit would be lower, and higher if deleted bytes stayed.
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
database.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 32000;');
const insert =
  database.prepare(`INSERT INTO users (tenant, seq, user_id, user_name_key, email_key, mobile_key,
  external_id, profile, password, pwd_must_modify, pwd_change_at, created_at, updated_at, disabled, usr_auth_times,
  usr_last_login, version, changed)
  VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, 0, NULL, 1, ?) ON CONFLICT DO NOTHING`);
let [rows, milliseconds] = [0, 0];
/** @type {(string | number | null)[][]} */
let waiting = [];
for await (const user of createReadStream(file).pipe(parse({ columns: true }))) {
  rows += 1;
  waiting.push(valuesOf(user));
  if (waiting.length === Number(group)) commit();
}
commit();
database.close();
process.stdout.write(`${(rows / milliseconds) * 1000}\n`);

/** @param {Record<string, string>} user */
function valuesOf({ algorithm, hash, key, ...user }) {
  const now = Date.now();
  const { user_name = '', email, mobile, external_id } = user;
  const keys = [user_name.toLowerCase(), email?.toLowerCase() || null, mobile || null, external_id || null];
  const password = JSON.stringify({ algorithm, value: hash, key });
  return [rows, `${now}-${rows}`, ...keys, JSON.stringify(user), password, now, now, now, rows];
}

function commit() {
  const began = performance.now();
  database.exec('BEGIN IMMEDIATE');
  for (const values of waiting) insert.run(...values);
  database.exec('COMMIT');
  milliseconds += performance.now() - began;
  waiting = [];
}
