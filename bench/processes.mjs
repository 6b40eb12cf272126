import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { tellMemory } from './tell-memory.mjs';

/** The built program. */
export const bin = fileURLToPath(new URL('../bin/tenant-users.js', import.meta.url));

/**
 * A file beside this one, or below it.
 * @param {string} name
 */
export function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Kills all processes that still run after a bench has failed or was interrupted. */
export async function killAll() {
  const killed = [...running].map((child) => {
    child.kill('SIGKILL');
    return once(child, 'exit');
  });
  await Promise.all(killed);
}

/** The application of the services, as variables of the program. */
export const credentials = { TENANT_USERS_CLIENT_ID: 'bench', TENANT_USERS_CLIENT_SECRET: 'bench' };

/**
 * A minimal environment, with nothing from the caller. NODE_EXTRA_CA_CERTS would double the start of Node, which hides
 * how long the program takes, and NODE_OPTIONS and proxies would change what is measured.
 */
export const bareEnvironment = { PATH: process.env.PATH ?? '', HOME: tmpdir() };

const env = { ...bareEnvironment, TENANT_USERS_CONFIG: '/nonexistent/config.json', ...credentials };

/**
 * A server in a process of its own, and the first application of each of its tenants; `end` ends it regularly and
 * resolves to its peak memory in megabytes.
 * @typedef {{ client_id: string, client_secret?: string }} Application
 * @typedef {{ baseUrl: string, tenants: Application[], metricsUrl?: string, pid: number | undefined, end():
 * Promise<number> }} Server
 */

/**
 * Starts the built service on a database.
 * @param {string} database
 * @param {string[]} more arguments
 */
export function startService(database, ...more) {
  return startServer([bin, 'serve', '--port', '0', '--database', database, '--json', ...more]);
}

/**
 * Starts a process of Node that prints where it listens: a line of JSON with `base_url`. Throws if it ends before.
 * @param {string[]} args
 * @returns {Promise<Server>}
 */
export async function startServer(args) {
  const { child, ended } = start(args);
  const early = ended.then(({ code, stderr }) => {
    throw new Error(`a server ended with exit code ${code}: ${stderr}`);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), early]);
  // From here on an end is expected.
  early.catch(() => {});
  const { base_url, metrics_url, tenants = [] } = JSON.parse(line);
  return {
    baseUrl: String(base_url),
    tenants,
    ...(metrics_url ? { metricsUrl: String(metrics_url) } : {}),
    pid: child.pid,
    async end() {
      child.kill('SIGTERM');
      return (await ended).peak;
    },
  };
}

/**
 * Runs Node to its end: seconds of the whole process, megabytes of its peak memory, and its stdout.
 * @param {string[]} args
 * @param {Record<string, string>} [more] environment
 */
export function runToEnd(args, more) {
  return runAndRead(args, text, more);
}

/**
 * Runs Node to its end, and reads its output as it arrives.
 * @template T
 * @param {string[]} args
 * @param {(output: import('node:stream').Readable) => Promise<T>} read
 * @param {Record<string, string>} [more] environment
 */
export async function runAndRead(args, read, more) {
  const began = performance.now();
  const { child, ended } = start(args, more);
  const [stdout, { code, peak, stderr }] = await Promise.all([read(child.stdout), ended]);
  const seconds = (performance.now() - began) / 1000;
  // Exit code 7 is right, since the files of fixtures/ have twelve invalid rows.
  if (code !== 0 && code !== 7) throw new Error(`exit code ${code}: ${stderr}`);
  return { seconds, peak, stdout };
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [more]
 */
function start(args, more) {
  const child = spawn(process.execPath, ['--import', tellMemory, ...args], {
    // The driver of PostgreSQL reads the password, if there is one, from here.
    env: { ...env, PGPASSWORD: process.env.PGPASSWORD ?? '', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = text(child.stderr);
  const ended = once(child, 'exit').then(async ([code]) => {
    running.delete(child);
    const stderr = await said;
    return { code, stderr, peak: Number(/peak (\d+)\n$/.exec(stderr)?.[1]) / 1024 };
  });
  return { child, ended };
}
