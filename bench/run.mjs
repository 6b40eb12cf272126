/**
 * Measures the built program, and prints one table: `npm run bench -- all`, `npm run bench -- import --rows 20000`.
 * Exits with 1 if a goal is missed, and with 2 after wrong usage.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabases } from './databases.mjs';
import { optionLines, readOptions, UsageError } from './options.mjs';
import { killAll } from './processes.mjs';
import { tableLine, titles } from './table.mjs';

/** @import { Options } from './options.mjs' */
/** @import { Row } from './rows.mjs' */

/** @type {Record<string, () => Promise<{ measure(options: Options): AsyncGenerator<Row> }>>} */
const benches = {
  startup: () => import('./startup.mjs'),
  import: () => import('./import.mjs'),
  list: () => import('./list.mjs'),
  paging: () => import('./paging.mjs'),
  create: () => import('./create.mjs'),
  lookup: () => import('./lookup.mjs'),
  login: () => import('./login.mjs'),
  memory: () => import('./memory.mjs'),
  nodes: () => import('./nodes.mjs'),
  tenants: () => import('./tenants.mjs'),
  proxies: () => import('./proxies.mjs'),
  recipes: () => import('./recipes.mjs'),
  decisions: () => import('./decisions.mjs'),
  failover: () => import('./failover.mjs'),
  cluster: () => import('./cluster.mjs'),
  durability: () => import('./durability.mjs'),
  'rate-limit': () => import('./rate-limit.mjs'),
  'rejected-logins': () => import('./rejected-logins.mjs'),
  attacks: () => import('./attacks/attacks.mjs'),
  scale: () => import('./scale.mjs'),
  soak: () => import('./soak/soak.mjs'),
};
const ofAll = ['startup', 'import', 'list', 'paging', 'create', 'lookup', 'memory', 'nodes'];

const usage = `Benches: all, ${Object.keys(benches).join(', ')}\n${optionLines}\n`;

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else process.exitCode = (await run(chosen(options.names), options)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

/** @param {string[]} names */
function chosen([name, ...others]) {
  if (name === undefined || others.length > 0) throw new UsageError('Name one bench, or all');
  if (name === 'all') return ofAll;
  if (!Object.hasOwn(benches, name)) throw new UsageError(`There is no bench "${name}"`);
  return [name];
}

/**
 * Returns whether all goals are reached. All processes and files are removed at the end, also after a failure or an
 * interruption.
 * @param {string[]} names
 * @param {ReturnType<typeof readOptions>} asked
 */
async function run(names, asked) {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
  try {
    const databases = await openDatabases(asked.database, directory);
    try {
      const say = (/** @type {string} */ text) => void process.stderr.write(`… ${text}\n`);
      return await Promise.race([measureAll(names, { ...asked, databases, directory, say }), interrupted()]);
    } finally {
      await killAll();
      await databases.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Resolves to `false` (no success) when the caller interrupts the run. */
async function interrupted() {
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  process.stderr.write('interrupted\n');
  return false;
}

/**
 * Prints the rows as they arrive. Without any row there is no success.
 * @param {string[]} names
 * @param {Options} options
 */
async function measureAll(names, options) {
  const { databases, json } = options;
  /** @type {Row[]} */
  const rows = [];
  if (!json) print(`${databases.kind}, Node ${process.version}, ${machine()}\n${titles}`);
  for (const name of names) {
    const { measure } = (await benches[name]?.()) ?? {};
    for await (const row of measure?.(options) ?? []) {
      rows.push(row);
      if (!json) print(tableLine(row));
    }
  }
  if (json) print(JSON.stringify(documentOf(options, rows), null, 2));
  return rows.length > 0 && rows.every(({ holds }) => holds !== false);
}

/**
 * Does not contain the URL of a database, which may have a password.
 * @param {Options} options
 * @param {Row[]} rows
 */
function documentOf({ names, databases, rows: asked, users, rounds, runs, inFlight }, rows) {
  const options = { rows: asked, users, rounds, runs, in_flight: inFlight };
  return { bench: names[0], options, node: process.version, cpus: machine(), database: databases.kind, rows };
}

function machine() {
  return `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
