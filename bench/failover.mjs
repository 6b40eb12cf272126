import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { canHaveStandby, startPostgresPair } from '../test/cluster/postgres-pair.mjs';
import { credentials, startService } from './processes.mjs';
import { figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const writers = 16;
const usersBefore = 2000;
const usersAfter = 500;
const none = { atMost: 0 };

/**
 * Two nodes with a primary and its synchronous standby in their address. Users are created through both nodes; the
 * primary is killed, the standby is promoted, and the creates continue. Every user that was acknowledged must exist,
 * and numbers have no gap.
 * @param {Options} options
 */
export async function* measure({ say }) {
  if (!canHaveStandby()) {
    say('failover: skipped, since no initdb, postgres and pg_basebackup were found');
    return;
  }
  const pair = await startPostgresPair();
  try {
    const nodes = await Promise.all([1, 2].map(() => startService(pair.location, '--audit', 'off')));
    const load = await startLoad(nodes.map(({ baseUrl }) => baseUrl));
    await load.until(usersBefore);
    const began = performance.now();
    await pair.failOver();
    const before = load.acknowledged.size;
    await load.until(before + 1);
    const away = (performance.now() - began) / 1000;
    await load.until(before + usersAfter);
    await load.end();
    const rows = await pair.query('SELECT user_name_key AS name, seq FROM users');
    const names = new Set(rows.map(({ name }) => name));
    const lost = [...load.acknowledged].filter((name) => !names.has(name)).length;
    const gaps = Math.max(...rows.map(({ seq }) => Number(seq))) - rows.length;
    for (const node of nodes) await node.end();
    yield figure('users acknowledged before and after a failover, two nodes', 'users', [
      load.acknowledged.size,
    ]);
    yield figure('from the end of the primary to the next user', 's', [away]);
    yield figure('lost after a failover', 'users', [lost], none);
    yield figure('gaps in the numbers after a failover', 'numbers', [gaps], none);
  } finally {
    await pair.stop();
  }
}

/**
 * Creates users through several services until it is ended. If a creation fails, another user is created.
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
