import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadSource } from '../test/load-source.mjs';
import { refusedRows } from './import-runs.mjs';
import { bin, runToEnd, startService } from './processes.mjs';

/** @import { Options } from './options.mjs' */
/** @import { Source } from './import-runs.mjs' */

/** @typedef {Awaited<ReturnType<typeof importByNodes>>} NodesRun */

/**
 * Runs an importer for each node, at the same time, and returns what the database has at the end. `through` changes the
 * address of the database that the nodes get.
 * @param {Options} options
 * @param {Source} source
 * @param {number} nodes
 * @param {(location: string) => string} [through]
 */
export async function importByNodes(options, { file, rows }, nodes, through = (location) => location) {
  const { databases, directory, inFlight = 64 } = options;
  const location = await databases.fresh();
  const servers = [];
  for (let node = 0; node < nodes; node += 1) servers.push(await startService(through(location)));
  const jobs = servers.map((_, node) => join(directory, `node-${node}.import`));
  const flight = ['--concurrency', String(inFlight), '--json'];
  const before = coreTimes();
  const began = performance.now();
  await Promise.all(
    servers.map(({ baseUrl }, node) => {
      const share = nodes === 1 ? [] : ['--shard', `${node + 1}/${nodes}`];
      const target = ['--job', jobs[node] ?? '', '--base-url', baseUrl];
      return runToEnd([bin, 'import-hashes', file, '--yes', ...target, ...flight, ...share]);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const after = coreTimes();
  const { users, names } = await countUsers(location);
  for (const server of servers) await server.end();
  await databases.drop(location);
  for (const job of jobs) await rm(job, { recursive: true, force: true });
  const busy = 100 * (1 - (after.idle - before.idle) / (after.all - before.all));
  return {
    rate: rows / seconds,
    busy,
    missing: Math.max(0, rows - refusedRows - names),
    twice: users - names,
  };
}

/** Milliseconds of all cores since the machine was started, and idle milliseconds among them. */
function coreTimes() {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const time of Object.values(times)) all += time;
  }
  return { idle, all };
}

/**
 * The number of users in the database, and of different names among them.
 * @param {string} location
 * @returns {Promise<{ users: number, names: number }>}
 */
async function countUsers(location) {
  const { openDatabase } = await loadSource('service/storage/open-database.ts');
  const database = await openDatabase(location);
  const sql = 'SELECT count(*) AS users, count(DISTINCT user_name_key) AS names FROM users';
  const [counted] = await database.query(sql, []);
  await database.close();
  return counted;
}
