import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { postgresBinaries } from '../test/postgres-binaries.mjs';
import { startPostgres } from '../test/postgres-server.mjs';
import { credentials, startService } from './processes.mjs';
import { figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const writers = 16;
const usersBefore = 2000;
const usersAfter = 500;
const none = { atMost: 0 };

/**
 * Two nodes whose address has a primary and its synchronous standby. Users are created through both; the primary is
 * killed, the standby promoted, and it goes on. Every user that was acknowledged must be there, and numbers have no gap.
 * @param {Options} options
 */
export async function* measure({ say }) {
  const binaries = postgresBinaries();
  if (!binaries || !hasBaseBackup()) {
    say('failover: skipped, since no initdb, postgres and pg_basebackup were found');
    return;
  }
  const primary = await startPostgres(binaries, { durable: true });
  const standby = await startPostgres(binaries, { durable: true, follows: primary });
  let isPrimaryUp = true;
  const hosts = [primary, standby].map(({ directory }) => encodeURIComponent(directory)).join(',');
  try {
    await waitForStandby(primary.urlOf('postgres'));
    const address = `postgres://postgres@${hosts}/postgres?connect_timeout=2`;
    const nodes = await Promise.all([1, 2].map(() => startService(address, '--audit', 'off')));
    const load = await startLoad(nodes.map(({ baseUrl }) => baseUrl));
    await load.until(usersBefore);
    await primary.stop();
    isPrimaryUp = false;
    const began = performance.now();
    const admin = new pg.Client(standby.urlOf('postgres'));
    await admin.connect();
    await admin.query('SELECT pg_promote()');
    const before = load.acknowledged.size;
    await load.until(before + 1);
    const away = (performance.now() - began) / 1000;
    await load.until(before + usersAfter);
    await load.end();
    const { rows } = await admin.query('SELECT user_name_key AS name, seq FROM users');
    const names = new Set(rows.map(({ name }) => name));
    const lost = [...load.acknowledged].filter((name) => !names.has(name)).length;
    const gaps = Math.max(...rows.map(({ seq }) => Number(seq))) - rows.length;
    await admin.end();
    for (const node of nodes) await node.end();
    yield figure('users acknowledged before and after a failover, two nodes', 'users', [
      load.acknowledged.size,
    ]);
    yield figure('from the end of the primary to the next user', 's', [away]);
    yield figure('lost after a failover', 'users', [lost], none);
    yield figure('gaps in the numbers after a failover', 'numbers', [gaps], none);
  } finally {
    await standby.stop();
    if (isPrimaryUp) await primary.stop();
  }
}

function hasBaseBackup() {
  try {
    execFileSync('pg_basebackup', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
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

/**
 * Creates users through several services, until it is ended; a user whose creation fails is left, and another one made.
 * @param {string[]} baseUrls
 */
async function startLoad(baseUrls) {
  /** @type {Set<string>} */
  const acknowledged = new Set();
  const pools = baseUrls.map((url) => new Pool(url, { connections: writers }));
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.TENANT_USERS_CLIENT_ID,
    client_secret: credentials.TENANT_USERS_CLIENT_SECRET,
  });
  let isEnded = false;
  let number = 0;
  /** @param {Pool} pool */
  const write = async (pool) => {
    const answer = await pool.request({ method: 'POST', path: `/api/v2/tenant/token?${query}` });
    const token = /** @type {{ access_token: string }} */ (await answer.body.json());
    const headers = { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' };
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (!isEnded) {
          number += 1;
          const user_name = `user-${number}`;
          const body = JSON.stringify({ user_name, email: `${user_name}@example.com` });
          const reply = await pool.request({ method: 'POST', path: '/api/v2/tenant/users', headers, body });
          await reply.body.dump();
          if (reply.statusCode === 200) acknowledged.add(user_name);
          else await sleep(20);
        }
      }),
    );
  };
  const writing = Promise.all(pools.map(write));
  return {
    acknowledged,
    /** @param {number} users */
    async until(users) {
      while (acknowledged.size < users) await Promise.race([sleep(10), writing]);
    },
    async end() {
      isEnded = true;
      await writing;
      for (const pool of pools) await pool.close();
    },
  };
}
