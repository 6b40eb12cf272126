/**
 * What passwords cost a served tenant (SQLite, in memory): creates with a password, look-ups beside them, and how long
 * each kind of refused login takes. `--seconds N` for each measurement.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';

const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));
const users = '/api/v2/tenant/users';
const logIn = '/api/v2/sdk/login';
const pwd = 'Gf4-kupz';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { seconds: { type: 'string', default: '4' } },
});
const seconds = Number(options.seconds);

const env = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  TENANT_USERS_CLIENT_ID: 'bench',
  TENANT_USERS_CLIENT_SECRET: 'bench-secret',
};
const args = [bin, 'serve', '--port', '0', '--database', ':memory:', '--json'];
const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
const [line] = await once(createInterface(child.stdout), 'line');
const pool = new Pool(JSON.parse(line).base_url, { connections: 128 });
try {
  const query = 'grant_type=client_credentials&client_id=bench&client_secret=bench-secret';
  const { access_token } = await call('POST', `/api/v2/tenant/token?${query}`);
  const bearer = { authorization: `Bearer ${access_token}` };
  await measureStorm(bearer);
  await measureRefusals(bearer);
} finally {
  await pool.destroy();
  child.kill();
}

/** @param {Record<string, string>} bearer */
async function measureStorm(bearer) {
  const { user_id } = await call('POST', users, bearer, { user_name: 'first', name: '张三', pwd });
  let next = 0;
  const lookUp = () => call('GET', `${users}/${user_id}`, bearer);
  const create = () => call('POST', users, bearer, { user_name: `user-${next++}`, name: '张三', pwd });
  await rates([{ task: lookUp, atOnce: 8 }]);
  print('8 look-ups and 64 creates with a password at once');
  const [alone] = await rates([{ task: lookUp, atOnce: 8 }]);
  const [creates] = await rates([{ task: create, atOnce: 64 }]);
  const both = await rates([
    { task: lookUp, atOnce: 8 },
    { task: create, atOnce: 64 },
  ]);
  print(`  alone:     ${alone} look-ups/s; ${creates} creates/s`);
  print(`  together:  ${both[0]} look-ups/s, ${both[1]} creates/s`);
}

/**
 * Runs tasks again and again, so many at once, and counts how many of each ended in a second.
 * @param {{ task: () => Promise<unknown>, atOnce: number }[]} loads
 */
async function rates(loads) {
  const end = performance.now() + seconds * 1000;
  const counts = loads.map(() => 0);
  const runs = loads.flatMap(({ task, atOnce }, index) =>
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        await task();
        counts[index] = (counts[index] ?? 0) + 1;
      }
    }),
  );
  await Promise.all(runs);
  return counts.map((count) => Math.round(count / seconds));
}

/** @param {Record<string, string>} bearer */
async function measureRefusals(bearer) {
  const value = createHash('md5').update(pwd).digest('hex');
  const device = {
    'x-client-id': 'bench',
    'x-device-fingerprint': 'f',
    'x-operating-sys-version': '1',
    'x-agent': 'bench',
  };
  /** @type {Record<string, number[]>} */
  const times = {
    'wrong password': [],
    'wrong password, md5 hash': [],
    'unknown name': [],
    'disabled user': [],
  };
  // Each user is locked after five failures: every round has its own.
  for (let round = 0; round < 30; round += 1) {
    await call('POST', users, bearer, { user_name: `own-${round}`, pwd });
    const hash = { algorithm: 'md5', value };
    await call('POST', `${users}/import-hash-pwd`, bearer, { user_name: `old-${round}`, 'hash-pwd': hash });
    const { user_id } = await call('POST', users, bearer, { user_name: `gone-${round}`, pwd });
    await call('PUT', `${users}/${user_id}/disable`, bearer);
    for (const [index, name] of ['own', 'old', 'nobody', 'gone'].entries()) {
      const start = performance.now();
      await call('POST', logIn, device, { user_name: `${name}-${round}`, password: 'wrong' });
      Object.values(times)[index]?.push(performance.now() - start);
    }
  }
  print('refused logins, median of 30');
  for (const [kind, taken] of Object.entries(times)) {
    const median = taken.sort((one, other) => one - other)[15] ?? Number.NaN;
    print(`  ${kind.padEnd(26)} ${median.toFixed(1)} ms`);
  }
}

/**
 * @param {'GET' | 'POST' | 'PUT'} method
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @param {object} [body]
 * @returns {Promise<Record<string, string>>}
 */
async function call(method, path, headers = {}, body) {
  const json = body ? { 'content-type': 'application/json' } : {};
  const sent = { method, path, headers: { ...headers, ...json }, body: body ? JSON.stringify(body) : null };
  const reply = await pool.request(sent);
  const answer = /** @type {Record<string, string>} */ (await reply.body.json());
  const expected = path === logIn ? 400 : 200;
  if (reply.statusCode !== expected) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
