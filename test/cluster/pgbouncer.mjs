import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../find-program.mjs';
import { makeServerDirectory, startForeignServer } from './start-server.mjs';

/** The installed PgBouncer; `undefined` if there is none. */
export const pgbouncer = findProgram('pgbouncer');

/**
 * Starts the real PgBouncer in front of a PostgreSQL. `through` changes an address of the PostgreSQL into that of the
 * pooler.
 * @param {string} url of the PostgreSQL; its host is the directory of a socket
 * @param {{ mode: 'session' | 'transaction', connections: number }} options `connections`: to PostgreSQL at most
 */
export async function startPgBouncer(url, { mode, connections }) {
  const place = makeServerDirectory('bouncer');
  const { directory } = place;
  const settings = {
    listen_addr: '',
    unix_socket_dir: directory,
    listen_port: 5432,
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: connections,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const postgres = decodeURIComponent(new URL(url).hostname);
  const file = join(directory, 'pgbouncer.ini');
  const databases = `[databases]\n* = host=${postgres} user=postgres\n`;
  writeFileSync(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
  const server = await startForeignServer(pgbouncer ?? 'pgbouncer', [file], place, async (said) =>
    said().includes('process up'),
  );
  return {
    /** @param {string} location an address of the PostgreSQL */
    through: (location) => location.replace(/@[^/]*\//, `@${encodeURIComponent(directory)}/`),
    stop: server.stop,
  };
}
