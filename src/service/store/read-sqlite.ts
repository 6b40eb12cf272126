import type { WaitingQuery } from './group-queries.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Carries out queries one after the other, several in one view of the database, and answers them. */
export function readSqlite(connection: SqliteConnection, group: readonly WaitingQuery[]): void {
  const isShared = group.length > 1;
  try {
    if (isShared) connection.exec('BEGIN');
    for (const query of group) read(connection, query);
    if (isShared) connection.exec('COMMIT');
  } catch (error) {
    if (connection.isOpen() && connection.isTransaction()) connection.exec('ROLLBACK');
    for (const { reject } of group) reject(error);
  }
}

function read(connection: SqliteConnection, { sql, values, resolve, reject }: WaitingQuery): void {
  try {
    resolve(connection.rows(sql, values));
  } catch (error) {
    reject(error);
  }
}
