import { closeSync, openSync } from 'node:fs';
import type { Database } from './database.ts';
import { groupQueries } from './group-queries.ts';
import { missingSteps } from './migrations.ts';
import { readSqlite } from './read-sqlite.ts';
import { openConnection, type SqliteConnection } from './sqlite-connection.ts';
import { openSqliteWriter } from './sqlite-writer.ts';

/**
 * Opens a SQLite file, or `:memory:`, and brings its schema up to date. A new file is for its
 * owner's eyes only: it holds password hashes.
 */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const connection = openConnection(path);
  try {
    migrate(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  const writer = openSqliteWriter(path, connection);
  return {
    query: groupQueries((group) => readSqlite(connection, group)),
    commit: writer.commit,
    async close() {
      await writer.close();
      connection.close();
    },
  };
}

/** In one transaction: of many processes that start together one does it, and the others wait for it. */
function migrate(connection: SqliteConnection): void {
  connection.exec('BEGIN IMMEDIATE');
  const [version] = connection.rows('PRAGMA user_version', []) as { user_version: number }[];
  const applied = version?.user_version ?? 0;
  const steps = missingSteps(applied);
  for (const step of steps) connection.exec(step);
  connection.exec(`PRAGMA user_version = ${applied + steps.length}`);
  connection.exec('COMMIT');
}
