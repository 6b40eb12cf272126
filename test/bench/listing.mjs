/**
 * How fast `list --all -o jsonl` is against a bare loop of GETs and JSON.parse over the same pages, and how much memory it
 * takes with a million users (or `--users N`) against ten thousand. The service runs in a process of its own, on SQLite.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSource } from '../load-source.mjs';
import { tellMemory } from './tell-memory.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { users: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
});
const sizes = { few: 10_000, many: Number(options.users) };
const goals = { rate: 0.8, memory: 1.3 };
const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
const credentials = { TENANT_USERS_CLIENT_ID: 'bench', TENANT_USERS_CLIENT_SECRET: 'bench' };
const env = { ...process.env, ...credentials, TENANT_USERS_CONFIG: join(directory, 'config.json') };

const fill = `INSERT INTO users (tenant, seq, user_id, user_name_key, email_key, mobile_key, external_id, profile,
  password, pwd_must_modify, pwd_change_at, created_at, updated_at, disabled, usr_auth_times, usr_last_login, version,
  changed)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
  SELECT 1, n, '20250101000000000-' || n, 'user-' || n, 'user-' || n || '@example.com', '86/' || n, NULL,
  '{"user_name":"user-' || n || '","name":"User ' || n || '","email":"user-' || n || '@example.com","industry":"IT"}',
  NULL, 0, NULL, 1735689600000 + n, 1735689600000 + n, 0, 0, NULL, 1, n FROM numbers`;

/** The least that a program does which reads all pages; prints its users. */
const bareLoop = `
  import { request } from 'undici';
  const base = process.env.TENANT_USERS_BASE_URL + '/api/v2/tenant/';
  const reply = await request(base + 'token?grant_type=client_credentials&client_id=bench&client_secret=bench', { method: 'POST' });
  const headers = { authorization: 'Bearer ' + (await reply.body.json()).access_token };
  let users = 0;
  for (let offset = 0, total = 1; offset * 100 < total; offset += 1) {
    const page = await request(base + 'users?offset=' + offset + '&limit=100', { headers });
    const body = JSON.parse(await page.body.text());
    total = body.total;
    users += body.users.length;
  }
  console.log(users);`;

try {
  const few = await measure(sizes.few, 1);
  const many = await measure(sizes.many, Number(options.rounds));
  const [rate, bare] = [median(many.listed.map(({ rate }) => rate)), median(many.bare)];
  const [small, large] = [few, many].map(({ listed }) => median(listed.map(({ peak }) => peak)));
  const ratios = { rate: rate / bare, memory: (large ?? 0) / (small ?? 1) };
  print(`${sizes.many.toLocaleString('en')} users, ${options.rounds} rounds, medians`);
  print(`  bare loop of GETs      ${Math.round(bare).toLocaleString('en').padStart(9)} users/s`);
  print(`  list --all -o jsonl    ${Math.round(rate).toLocaleString('en').padStart(9)} users/s`);
  print(`  ratio                  ${ratios.rate.toFixed(2).padStart(9)}   goal ≥ ${goals.rate}`);
  print(`  peak, ${sizes.few.toLocaleString('en')} users     ${megabytes(small)}`);
  print(`  peak, all users        ${megabytes(large)}`);
  print(`  ratio                  ${ratios.memory.toFixed(2).padStart(9)}   goal ≤ ${goals.memory}`);
  if (ratios.rate < goals.rate || ratios.memory > goals.memory) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

/**
 * @param {number} users
 * @param {number} rounds
 */
async function measure(users, rounds) {
  const database = join(directory, `${users}.db`);
  const { startService } = await loadSource('service/start-service.ts');
  const { openDatabase } = await loadSource('service/store/open-database.ts');
  await (await startService({ database })).close();
  const open = await openDatabase(database);
  await open.commit([{ sql: fill, values: [users] }]);
  await open.close();
  const serve = spawn(process.execPath, [bin, 'serve', '--port', '0', '--database', database, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(createInterface(serve.stdout), 'line');
    const TENANT_USERS_BASE_URL = JSON.parse(line).base_url;
    const bare = [];
    const listed = [];
    for (let round = 0; round < rounds; round += 1) {
      const loop = await timed(['--input-type=module', '-e', bareLoop], TENANT_USERS_BASE_URL);
      bare.push(users / loop.seconds);
      const list = await timed(
        ['--import', tellMemory, bin, 'list', '--all', '-o', 'jsonl', '-q'],
        TENANT_USERS_BASE_URL,
      );
      if (list.lines !== users) throw new Error(`${list.lines} users came instead of ${users}`);
      listed.push({ rate: users / list.seconds, peak: list.peak });
    }
    return { bare, listed };
  } finally {
    serve.kill();
  }
}

/**
 * Runs Node to its end; its output is read as fast as it comes.
 * @param {string[]} args
 * @param {string} TENANT_USERS_BASE_URL
 */
async function timed(args, TENANT_USERS_BASE_URL) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env: { ...env, TENANT_USERS_BASE_URL } });
  let [lines, said] = [0, ''];
  child.stdout.on('data', (/** @type {Buffer} */ piece) => {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`exit code ${code}: ${said}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, lines, peak: Number(/peak (\d+)/.exec(said)?.[1]) };
}

/** @param {number | undefined} kilobytes */
function megabytes(kilobytes = Number.NaN) {
  return `${(kilobytes / 1024).toFixed(0).padStart(9)} MB`;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
