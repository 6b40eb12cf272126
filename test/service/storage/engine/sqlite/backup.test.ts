import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../../../../src/service/storage/engine/sqlite/sqlite.ts';
import { pageAt } from '../../../../pages.ts';
import { temporaryFile } from '../../temporary-database.ts';

/** The SQL that the page gives to `sqlite3` for a backup. */
const [, sql = ''] = /sqlite3 tenant\.db "([^"]*)"/.exec(pageAt('docs/guide/operating.md').text) ?? [];

test('the backup of the page has the changes that are only in the log, and opens at once', async () => {
  const path = temporaryFile();
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  const add = 'INSERT INTO tokens (tenant, digest, client_id, expires_at) VALUES (1, ?, ?, 0)';
  await database.commit([{ sql: add, values: ['a', 'c'] }]);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);

  const other = new DatabaseSync(path);
  const target = join(dirname(path), 'copy.db');
  other.exec(sql.replace('copy.db', target));
  other.close();
  await database.commit([{ sql: add, values: ['b', 'c'] }]);
  const copy = openSqlite(target);
  onTestFinished(() => copy.close());
  expect(await copy.query('SELECT digest FROM tokens', [])).toEqual([{ digest: 'a' }]);
  const version = 'SELECT user_version FROM pragma_user_version';
  expect(await copy.query(version, [])).toEqual(await database.query(version, []));
});
