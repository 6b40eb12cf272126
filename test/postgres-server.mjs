import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryDirectory } from './memory-directory.mjs';
import { unprivileged } from './unprivileged.mjs';

/**
 * A PostgreSQL server for tests, and the directory of its socket; `urlOf` returns the URL of one of its databases.
 * @typedef {{ directory: string, urlOf(database: string): string, stop(): Promise<void> }} PostgresServer
 */

/**
 * Starts a server in a temporary directory, with a socket in it, from the binaries alone. PostgreSQL refuses to run as
 * root, so root's server runs as another user. A server that is not `durable` is faster, uses memory if there is
 * enough, and loses data only if the machine crashes. A server that follows another one is its standby; one with a port
 * can be reached by TCP on the loopback address, too. `flushDelay` are the milliseconds that a durable server waits
 * before it flushes a commit, as a slow disk would.
 * @param {string} binaries
 * @param {{ durable: boolean, follows?: PostgresServer, port?: number, flushDelay?: number }} options
 * @returns {Promise<PostgresServer>}
 */
export async function startPostgres(binaries, { durable, follows, port, flushDelay = 0 }) {
  const place = durable ? tmpdir() : (memoryDirectory() ?? tmpdir());
  const directory = mkdtempSync(join(place, 'tu-pg-'));
  const user = unprivileged();
  // Every user may use the socket: vitest may run as root while the server does not.
  chmodSync(directory, 0o755);
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const init = ['-D', data, '-A', 'trust', '-U', 'postgres', '-N', '--locale=C', '-E', 'UTF8'];
  const make = { ...user, stdio: /** @type {const} */ ('pipe'), cwd: directory };
  if (follows) {
    const copy = ['-D', data, '-h', follows.directory, '-U', 'postgres', '-R', '-X', 'stream', '-c', 'fast'];
    execFileSync('pg_basebackup', copy, make);
  } else execFileSync(join(binaries, 'initdb'), init, make);
  const settings = {
    unix_socket_directories: directory,
    listen_addresses: port === undefined ? '' : '127.0.0.1',
    port: String(port ?? 5432),
    max_connections: '200',
    shared_buffers: '128MB',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    commit_delay: String(flushDelay * 1000),
    commit_siblings: '0',
    autovacuum_naptime: '10s',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...args], { ...user, cwd: directory });
  const ended = once(server, 'exit');
  await ready(server.stderr);
  server.stderr.resume();
  return {
    directory,
    urlOf: (database) =>
      `postgres://postgres@${encodeURIComponent(directory)}${port === undefined ? '' : `:${port}`}/${database}`,
    async stop() {
      server.kill('SIGQUIT');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** @param {import('node:stream').Readable} log */
async function ready(log) {
  let said = '';
  for await (const chunk of log.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (/ready to accept (?:read-only )?connections/.test(said)) return;
  }
  throw new Error(`PostgreSQL did not start:\n${said}`);
}
