/**
 * The main job, from an empty directory to logins that work, with the real command line: `npm run demo`. Exits with 0
 * only if every step succeeded; the directory is removed in any case.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'tenant-users.js');
const source = join('fixtures', 'legacy-users.csv');
const device = ['--os-version', '14', '--device-ip', '10.0.0.7', '--device-fingerprint', 'demo'];

const directory = await mkdtemp(join(tmpdir(), 'tenant-users-demo-'));
const env = { ...process.env, TENANT_USERS_CONFIG: join(directory, 'config.json'), NO_COLOR: '1' };
for (const name of ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'LOCAL', 'PROFILE'])
  Reflect.deleteProperty(env, `TENANT_USERS_${name}`);

/** @typedef {{ user_name: string, email: string, algorithm: string, password: string }} Account */

/** @type {string[]} */
const verified = [];
/** @type {(() => unknown)[]} */
const ends = [() => rm(directory, { recursive: true, force: true })];

try {
  await demonstrate();
  print(`\nVerified:\n${verified.map((line) => `  ✓ ${line}`).join('\n')}`);
} catch (failure) {
  print(`\nFailed: ${failure instanceof Error ? failure.message : failure}`);
  process.exitCode = 1;
} finally {
  for (const end of ends.reverse()) await end();
}

async function demonstrate() {
  const { base_url, tenants } = await serve();
  const { client_id, client_secret } = tenants[0];
  await run(['login', '--base-url', base_url, '--client-id', client_id, '--client-secret-stdin'], {
    input: client_secret,
  });

  const job = join(directory, 'import');
  await run(['import-hashes', source, '--job', job, '--yes'], { exitCode: 7 });
  const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
  const rejected = await readRows(join(job, 'failures.csv'));
  expect(summary.created > 0 && summary.pending === 0, 'rows were left');
  expect(summary.created + rejected.length === summary.rows, 'the counts do not add up');
  verified.push(
    `${summary.rows} rows = ${summary.created} users + ${rejected.length} rows rejected, each with its reason`,
  );

  await run(['list', '--limit', '10']);
  const listed = JSON.parse(await run(['list', '--limit', '10', '--json'], { quiet: true }));
  expect(listed.total === summary.created, `the tenant has ${listed.total} users`);
  verified.push(`the tenant lists ${listed.total} users`);

  const accounts = await accountsByAlgorithm();
  expect(accounts.length === 4, `the fixture has passwords for ${accounts.length} algorithms`);
  const [first] = accounts;
  if (!first) return;
  await run(['get', '--by-email', first.email]);
  for (const account of accounts) await verifyLogin(account);

  await run(['sso', 'ticket', first.user_name, '--password-stdin'], {
    input: 'not the password',
    exitCode: 6,
  });
  verified.push('a wrong password is refused');
}

/** @param {Account} account */
async function verifyLogin({ user_name, algorithm, password }) {
  const login = ['sso', 'ticket', user_name, '--password-stdin', ...device, '--json'];
  const { sso_ticket } = JSON.parse(await run(login, { input: password, note: algorithm }));
  const user = JSON.parse(await run(['sso', 'verify', sso_ticket, ...device, '--json']));
  expect(user.userName === user_name, `the ticket of ${user_name} stands for ${user.userName}`);
  verified.push(`${algorithm}: ${user_name} logged in with the old password, and the ticket says so`);
}

/**
 * One account of each algorithm whose password is known.
 * @returns {Promise<Account[]>}
 */
async function accountsByAlgorithm() {
  const passwords = await readRows(join(root, 'fixtures', 'legacy-passwords.csv'));
  const known = new Map(passwords.map(({ user_name, password }) => [user_name, password]));
  const rows = await readRows(join(root, source));
  const withPassword = rows.filter((row) => known.has(row.user_name) && row.email !== '');
  const byAlgorithm = new Map(withPassword.map((row) => [row.algorithm, row]));
  return [...byAlgorithm.values()].map(({ user_name = '', email = '', algorithm = '' }) => {
    return { user_name, email, algorithm, password: known.get(user_name) ?? '' };
  });
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, string>[]>}
 */
async function readRows(file) {
  return parse(await readFile(file), { columns: true });
}

/** Starts the service and resolves to its first line. */
async function serve() {
  const args = ['serve', '--port', '0', '--database', join(directory, 'tenant.db'), '--json'];
  print(`$ tenant-users ${args.join(' ')} &`);
  const service = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(service, 'exit');
  ends.push(() => service.kill('SIGTERM') && exit);
  for await (const line of createInterface(service.stdout)) return JSON.parse(line);
  throw new Error('the service did not start');
}

/**
 * Runs a command as a person would type it, shows it, and resolves to its stdout.
 * @param {string[]} args
 * @param {{ input?: string, exitCode?: number, note?: string, quiet?: boolean }} [how]
 */
async function run(args, { input, exitCode = 0, note, quiet = false } = {}) {
  const shown = args.map((arg) => (/^[\w./:@+-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ');
  if (!quiet)
    print(`\n$ tenant-users ${shown}${input === undefined ? '' : ' < secret'}${note ? `   # ${note}` : ''}`);
  const command = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  command.stdin.end(input);
  let [stdout, stderr] = ['', ''];
  command.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  command.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code] = await once(command, 'close');
  if (!quiet) print((stdout + stderr).trimEnd());
  expect(code === exitCode, `tenant-users ${args[0]} ended with ${code} instead of ${exitCode}`);
  return stdout;
}

/** @param {boolean} held @param {string} otherwise */
function expect(held, otherwise) {
  if (!held) throw new Error(otherwise);
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
