import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** @typedef {'look-up' | 'create' | 'login'} Kind */

const api = '/api/v2';
const workers = { 'look-up': 4, create: 4, login: 1 };
const login = { user_name: 'traffic', pwd: 'Gf4-kupz' };

/** Milliseconds that a worker of a kind pauses after an answer. @typedef {Partial<Record<Kind, number>>} Pauses */

/**
 * Creates users, looks them up and logs one in at one address, without retries, until it is ended. The users have a
 * name and no unique value, so a request that is sent twice creates two users.
 * @param {string} baseUrl
 * @param {{ client_id: string, client_secret: string }} application
 * @param {Pauses} [pauses]
 */
export async function startTraffic(baseUrl, application, pauses = {}) {
  const pool = new Pool(baseUrl, { connections: 16 });
  /** Ids by name of the users whose creation was acknowledged. @type {Map<string, string>} */
  const acknowledged = new Map();
  /** @type {Map<string, number>} */
  let answers = new Map();
  let isEnded = false;
  let made = 0;
  let authorization = '';

  /**
   * @param {'GET' | 'POST'} method
   * @param {string} path
   * @param {object} [body]
   * @param {Record<string, string>} [more] headers
   * @returns {Promise<{ status: number | string, body: any }>}
   */
  async function call(method, path, body, more) {
    const headers = { authorization, 'content-type': 'application/json', ...more };
    try {
      const request = { method, path: api + path, headers, body: body ? JSON.stringify(body) : null };
      const reply = await pool.request(request);
      const said = await reply.body.text();
      return { status: reply.statusCode, body: reply.statusCode === 200 ? JSON.parse(said) : undefined };
    } catch {
      return { status: 'no answer', body: undefined };
    }
  }

  const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
  const { body: token } = await call('POST', `/tenant/token?${query}`);
  authorization = `Bearer ${token.access_token}`;
  const device = {
    'x-client-id': application.client_id,
    'x-device-fingerprint': 'f',
    'x-operating-sys-version': '1',
    'x-agent': 'traffic',
  };

  /** @type {Record<Kind, () => ReturnType<typeof call>>} */
  const requests = {
    async create() {
      made += 1;
      const name = `Traffic ${made}`;
      const answer = await call('POST', '/tenant/users', { name });
      if (answer.status === 200) acknowledged.set(name, answer.body.user_id);
      return answer;
    },
    async 'look-up'() {
      const ids = [...acknowledged.values()].slice(-50);
      const id = ids[Math.floor(Math.random() * ids.length)];
      return call('GET', id === undefined ? '/tenant/users?offset=0&limit=10' : `/tenant/users/${id}`);
    },
    login: () => call('POST', '/sdk/login', { user_name: login.user_name, password: login.pwd }, device),
  };

  /** @param {Kind} kind */
  async function work(kind) {
    while (!isEnded) {
      const { status } = await requests[kind]();
      const key = `${kind}: ${status}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      const pause = status === 200 ? pauses[kind] : 20;
      if (pause !== undefined) await sleep(pause);
    }
  }

  await call('POST', '/tenant/users', { ...login, pwd_must_modify: false });
  const working = Promise.all(
    Object.entries(workers).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => work(/** @type {Kind} */ (kind))),
    ),
  );
  return {
    acknowledged,
    /** The answers since the last call, by kind and status. */
    take() {
      const taken = Object.fromEntries([...answers].sort());
      answers = new Map();
      return taken;
    },
    /** Waits for this number of further acknowledged users. @param {number} users */
    async more(users) {
      const wanted = acknowledged.size + users;
      while (acknowledged.size < wanted) await Promise.race([sleep(10), working]);
    },
    async end() {
      if (isEnded) return;
      isEnded = true;
      await working;
      await pool.close();
    },
  };
}
