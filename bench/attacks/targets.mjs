import { readFileSync } from 'node:fs';
import http from 'node:http';
import { startService } from '../processes.mjs';

/** @import { Options } from '../options.mjs' */

/** The right password of all these users. */
export const right = 'Gf4-kupz';
/** A bcrypt hash of cost 13 of another password. A login of its user makes every rejection of the process slow. */
const slowHash = '$2b$13$aWqCPHGmipzDKmpNdcncve9kF8lID7aw8KRuvh/KTt44gT6lwti2K';

const device = {
  'content-type': 'application/json',
  'x-client-id': 'bench',
  'x-device-fingerprint': 'f',
  'x-operating-sys-version': '1',
  'x-agent': 'bench',
};

/**
 * An answer: its status, its text, and when it came, in milliseconds after the request and by the clock of the process.
 * @typedef {{ status: number, text: string, took: number, at: number }} Answer
 */

/**
 * One or several services on one new database, under attack: each request has a connection of its own unless an agent is given.
 * @param {Options} options
 * @param {number} nodes
 * @param {string[]} more arguments of `serve`
 */
export async function openTargets({ databases }, nodes, ...more) {
  const location = await databases.fresh();
  /** @type {import('../processes.mjs').Server[]} */
  const servers = [];
  for (let node = 0; node < nodes; node += 1) servers.push(await startService(location, ...more));
  const bases = servers.map(({ baseUrl }) => new URL(baseUrl));

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ headers?: Record<string, string>, body?: string, node?: number, agent?: http.Agent }} [parts]
   * @returns {Promise<Answer>}
   */
  function ask(method, path, { headers = {}, body, node = 0, agent } = {}) {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const { hostname, port } = bases[node % nodes] ?? new URL('http://127.0.0.1');
      const request = http.request({ hostname, port, method, path, headers, agent: agent ?? false });
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => {
          const at = performance.now();
          resolve({ status: response.statusCode ?? 0, text, took: at - start, at });
        });
        response.on('error', reject);
      });
      request.end(body);
    });
  }

  const token = await ask(
    'POST',
    '/api/v2/tenant/token?grant_type=client_credentials&client_id=bench&client_secret=bench',
  );
  const authorization = `Bearer ${JSON.parse(token.text).access_token}`;
  const json = { authorization, 'content-type': 'application/json' };
  const users = '/api/v2/tenant/users';

  return {
    ask,
    bases,
    /** @param {string} user_name */
    async addUser(user_name) {
      const body = JSON.stringify({ user_name, pwd: right, pwd_must_modify: false });
      const { status, text } = await ask('POST', users, { headers: json, body });
      if (status !== 200) throw new Error(text);
    },
    /** Adds a user with a slow hash, and tries to log in: from then on a rejection takes as long as this hash. */
    async addSlowUser() {
      const hash = { algorithm: 'bcrypt', value: slowHash };
      const body = JSON.stringify({ user_name: 'slow', 'hash-pwd': hash });
      await ask('POST', `${users}/import-hash-pwd`, { headers: json, body });
      for (let node = 0; node < nodes; node += 1) await this.logIn('slow', 'wrong', { node });
    },
    /**
     * @param {string} user_name
     * @param {string} password
     * @param {{ node?: number, agent?: http.Agent }} [where]
     */
    logIn(user_name, password, where = {}) {
      const body = JSON.stringify({ user_name, password });
      return ask('POST', '/api/v2/sdk/login', { headers: device, body, ...where });
    },
    /** The present memory of the first service's process, in megabytes. */
    memory() {
      const status = readFileSync(`/proc/${servers[0]?.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async end() {
      for (const server of servers) await server.end();
      await databases.drop(location);
    },
  };
}
