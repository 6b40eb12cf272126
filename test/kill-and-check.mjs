import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { spawnServe } from './spawn-serve.mjs';

const credentials = { client_id: 'durability', client_secret: 'durability-secret' };
const writers = 32;

/**
 * What was found at the end: the number of users whose creation was answered with 200 (acknowledged), and that of
 * listed users; acknowledged users that the list or the audit log does not have, users that it has twice, and the two
 * totals of the list.
 * @typedef {{ acknowledged: number, listed: number, lost: string[], unrecorded: string[], twice: string[], total:
 * number, filtered: number }} Found
 */

/**
 * Starts `serve` on a database, creates users through 32 connections, and kills it with SIGKILL meanwhile; repeats
 * this; then starts it a last time and reads the whole list. Needs the built program.
 * @param {string} database
 * @param {number} times
 * @param {(round: number, acknowledged: number) => void} [report]
 * @returns {Promise<Found>}
 */
export async function killAndCheck(database, times, report = () => {}) {
  /** @type {string[]} */
  const acknowledged = [];
  const directory = mkdtempSync(join(tmpdir(), 'tenant-users-killed-'));
  const audit = join(directory, 'audit.jsonl');
  try {
    for (let round = 1; round <= times; round += 1) {
      const serve = await start(database, audit);
      await load(serve, round, acknowledged);
      report(round, acknowledged.length);
      await serve.end();
    }
    const serve = await start(database, audit);
    try {
      const recorded = readFileSync(audit, 'utf8');
      const unrecorded = acknowledged.filter((id) => !recorded.includes(id));
      return { ...(await check(serve, acknowledged)), unrecorded };
    } finally {
      await serve.end();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** @typedef {Awaited<ReturnType<typeof start>>} Serve */

/** @param {string} database @param {string} audit */
async function start(database, audit) {
  const serve = spawnServe(['--port', '0', '--database', database, '--audit', audit], {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    PGPASSWORD: process.env.PGPASSWORD ?? '',
    TENANT_USERS_CLIENT_ID: credentials.client_id,
    TENANT_USERS_CLIENT_SECRET: credentials.client_secret,
  });
  const pool = new Pool((await serve.ready).base_url, { connections: writers });
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  const token = await call(pool, 'POST', `/api/v2/tenant/token?${query}`);
  return {
    kill: () => serve.child.kill('SIGKILL'),
    /** @param {'GET' | 'POST'} method @param {string} path @param {object} [body] */
    call: (method, path, body) => call(pool, method, path, body, `Bearer ${token.access_token}`),
    async end() {
      await serve.end('SIGKILL');
      await pool.destroy();
    },
  };
}

/**
 * @param {Pool} pool
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [authorization]
 */
async function call(pool, method, path, body, authorization = '') {
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const reply = await pool.request({ method, path, headers, ...sent });
  if (reply.statusCode !== 200) throw new Error(`${path} was answered with ${reply.statusCode}`);
  return /** @type {Promise<Record<string, any>>} */ (reply.body.json());
}

/**
 * Creates users until the process has ended; it is killed after some hundred, while other calls are in progress.
 * @param {Serve} serve
 * @param {number} round
 * @param {string[]} acknowledged
 */
async function load(serve, round, acknowledged) {
  const killAt = acknowledged.length + 200 + Math.floor(Math.random() * 600);
  let number = 0;
  await Promise.allSettled(
    Array.from({ length: writers }, async () => {
      for (;;) {
        number += 1;
        const user_name = `user-${round}-${number}`;
        const body = { user_name, email: `${user_name}@example.com` };
        acknowledged.push((await serve.call('POST', '/api/v2/tenant/users', body)).user_id);
        if (acknowledged.length >= killAt) serve.kill();
      }
    }),
  );
}

/**
 * @param {Serve} serve
 * @param {string[]} acknowledged
 * @returns {Promise<Omit<Found, 'unrecorded'>>}
 */
async function check(serve, acknowledged) {
  const users = '/api/v2/tenant/users';
  const { total } = await serve.call('GET', `${users}?offset=0&limit=10`);
  const filter = 'updated_at_greater=2020-01-01%2000:00:00';
  const { total: filtered } = await serve.call('GET', `${users}?offset=0&limit=10&${filter}`);
  /** @type {{ user_id: string, user_name: string }[]} */
  const listed = [];
  for (let offset = 0; listed.length === offset * 100; offset += 1) {
    const page = await serve.call('GET', `${users}?offset=${offset}&limit=100`);
    if (page.users.length === 0) break;
    listed.push(...page.users);
  }
  const ids = new Set(listed.map(({ user_id }) => user_id));
  const names = listed.map(({ user_name }) => user_name);
  return {
    acknowledged: acknowledged.length,
    listed: listed.length,
    lost: acknowledged.filter((id) => !ids.has(id)),
    twice: names.filter((name, index) => names.indexOf(name) !== index),
    total,
    filtered,
  };
}
