import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresBinaries } from '../postgres-binaries.mjs';
import { startPostgres } from '../postgres-server.mjs';

/** Whether the programs for a PostgreSQL with a standby are installed. */
export function canHaveStandby() {
  try {
    execFileSync('pg_basebackup', ['--version'], { stdio: 'pipe' });
    return postgresBinaries() !== undefined;
  } catch {
    return false;
  }
}

/**
 * Starts a durable PostgreSQL and a standby for which its commits wait. `location` names both.
 * @param {{ flushDelay?: number }} [options] milliseconds that each of them waits before it flushes a commit
 */
export async function startPostgresPair({ flushDelay = 0 } = {}) {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('there is no PostgreSQL');
  const primary = await startPostgres(binaries, { durable: true, flushDelay });
  const standby = await startPostgres(binaries, { durable: true, follows: primary, flushDelay });
  const servers = new Set([primary, standby]);
  await waitForStandby(primary.urlOf('postgres'));
  const hosts = [primary, standby].map(({ directory }) => encodeURIComponent(directory)).join(',');
  /** Rows of the server that can be written to. @param {string} sql */
  async function query(sql) {
    const client = new pg.Client((servers.has(primary) ? primary : standby).urlOf('postgres'));
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }

  return {
    location: `postgres://postgres@${hosts}/postgres?connect_timeout=2`,
    query,
    /** Ends the primary as a crash would, and makes the standby the primary. */
    async failOver() {
      await primary.stop();
      servers.delete(primary);
      await query('SELECT pg_promote()');
    },
    async endStandby() {
      await standby.stop();
      servers.delete(standby);
    },
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}

/** @param {string} url */
async function waitForStandby(url) {
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await admin.query('SELECT pg_reload_conf()');
  const sql = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await admin.query(sql)).rowCount === 0) await sleep(20);
  await admin.end();
}
