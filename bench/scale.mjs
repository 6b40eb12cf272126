import { readFileSync } from 'node:fs';
import { openBarePool } from './bare-pool.mjs';
import { fillUsers } from './fill-users.mjs';
import { forgetJob, importIntoServe, importOf, makeSource, refusedRows } from './import-runs.mjs';
import { compareLookUps } from './lookup.mjs';
import { openTenant } from './open-tenant.mjs';
import { comparePages } from './paging.mjs';
import { runToEnd, startService } from './processes.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */
/** @import { Server } from './processes.mjs' */

const megabyte = 1024 * 1024;

/**
 * The effects of a database of many users (`--users`): its size, the start, look-ups, pages, memory, and an import of
 * more rows (`--rows`), compared with an empty database or one of a thousand users.
 * @param {Options} options
 */
export async function* measure(options) {
  const { databases, users, inFlight = 64, rows = 100_000, say } = options;
  const size = users.toLocaleString('en');
  const location = await databases.fresh();
  say(`makes ${size} users`);
  await fillUsers(location, users);
  const { database } = await databases.sizes(location);
  yield figure(`database of ${size} users`, 'MB', [database / megabyte]);
  yield figure('a user of it', 'bytes', [database / users]);
  yield* compareStarts(options, location);

  const server = await startService(location);
  const pool = openBarePool(server.baseUrl, inFlight);
  await pool.logIn();
  const few = await openTenant(options, { users: 1000, connections: inFlight });
  yield figure(`memory of the service at the start, ${size} users`, 'MB', [memoryOf(server)]);
  yield* compareLookUps(options, { pool, users }, few);
  yield figure(`memory of the service after look-ups, ${size} users`, 'MB', [memoryOf(server)]);
  yield* comparePages(options, { pool, users }, few);
  yield figure(`memory of the service after pages by time, ${size} users`, 'MB', [memoryOf(server)]);
  await Promise.all([few.end(), pool.close()]);

  const importing = { ...options, inFlight: options.inFlight ?? 512 };
  const source = await makeSource(options, rows);
  say('scale: imports');
  const empty = await importIntoServe(importing, source);
  const into = importOf(importing, source, '--base-url', server.baseUrl);
  const { seconds, stdout } = await runToEnd(into);
  await forgetJob(importing);
  const { created, existing } = JSON.parse(stdout);
  const what = `import of ${rows.toLocaleString('en')} rows beside ${size} users`;
  yield comparison(`${what}, against an empty database`, 'rows/s', [rows / seconds], [empty.rate]);
  yield figure('rows of it that are users', 'rows', [created + existing], { atLeast: rows - refusedRows });
  const after = await databases.sizes(location);
  yield figure('log of the database after it', 'MB', [after.log / megabyte]);
  yield figure(`memory of the service, the most, ${size} users`, 'MB', [await server.end()]);
  await databases.drop(location);
}

/**
 * The time from the command to the first answer, which needs a token.
 * @param {Options} options
 * @param {string} location
 */
async function* compareStarts({ databases, rounds, users }, location) {
  const empty = await databases.fresh();
  await (await startService(empty)).end();
  /** @type {Record<'large' | 'small', number[]>} */
  const times = { large: [], small: [] };
  for (let round = 1; round <= rounds; round += 1) {
    times.small.push(await timeOfStart(empty));
    times.large.push(await timeOfStart(location));
  }
  const what = `start on a database of ${users.toLocaleString('en')} users, against an empty one`;
  yield comparison(what, 'ms', times.large, times.small, { atMost: 1.5 });
  await databases.drop(empty);
}

/** @param {string} location */
async function timeOfStart(location) {
  const began = performance.now();
  const server = await startService(location);
  const pool = openBarePool(server.baseUrl, 1);
  await pool.logIn();
  const took = performance.now() - began;
  await pool.close();
  await server.end();
  return took;
}

/** The present memory in megabytes. @param {Server} server */
function memoryOf({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
