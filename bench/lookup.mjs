import { openBarePool } from './bare-pool.mjs';
import { filledUser } from './fill-users.mjs';
import { openTenant } from './open-tenant.mjs';
import { here, startServer } from './processes.mjs';
import { rateOf } from './rate-of.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */
/** @import { Request } from './bare-pool.mjs' */

const users = '/api/v2/tenant/users';

/**
 * The request for a user by each identifier.
 * @type {Record<keyof ReturnType<typeof filledUser>, (user: ReturnType<typeof filledUser>) => Request>}
 */
const keys = {
  user_id: ({ user_id }) => ({ method: 'GET', path: `${users}/${user_id}` }),
  user_name: ({ user_name }) => post('user-by-username', { user_name }),
  email: ({ email }) => post('user-by-email', { email }),
  mobile: ({ mobile }) => post('user-by-mobile', { mobile }),
  external_id: ({ external_id }) => post('user-by-external-id', { external_id }),
};

/**
 * @param {string} name
 * @param {Record<string, string>} body
 * @returns {Request}
 */
function post(name, body) {
  return { method: 'POST', path: `${users}/${name}`, body: JSON.stringify(body) };
}

/** @typedef {{ pool: import('./bare-pool.mjs').BarePool, users: number }} Filled A tenant of filled users. */

/**
 * Look-ups of random users by each identifier, among a million users and among a thousand.
 * @param {Options} options
 */
export async function* measure(options) {
  const connections = options.inFlight ?? 64;
  const many = await openTenant(options, { users: options.users, connections });
  const few = await openTenant(options, { users: 1000, connections });
  yield* compareLookUps(options, many, few);
  await Promise.all([many.end(), few.end()]);
}

/**
 * Compares them with the same requests to a bare server that answers with a user of the same size, and with the small
 * tenant.
 * @param {Options} options
 * @param {Filled} many
 * @param {Filled} few
 */
export async function* compareLookUps(options, many, few) {
  const { inFlight = 64, rounds, seconds = 2 } = options;
  const load = { atOnce: inFlight, seconds };
  const example = filledUser(1);
  const server = await startServer([
    here('bare-server.mjs'),
    JSON.stringify(await many.pool.ask(keys.user_id(example))),
  ]);
  const bare = { pool: openBarePool(server.baseUrl, inFlight), users: many.users, only: example.user_id };
  const tenants = [bare, many, few];
  for (const tenant of tenants) await rateOf(tenant.pool, load, randomLookUp(tenant, keys.user_name));
  for (const [key, requestOf] of Object.entries(keys)) {
    /** @type {number[][]} */
    const rates = [[], [], []];
    for (let round = 1; round <= rounds; round += 1) {
      options.say(`lookup by ${key}: round ${round} of ${rounds}`);
      for (const [index, tenant] of tenants.entries()) {
        rates[index]?.push(await rateOf(tenant.pool, load, randomLookUp(tenant, requestOf)));
      }
    }
    const [limit = [], large = [], small = []] = rates;
    const size = many.users.toLocaleString('en');
    const what = `lookup by ${key}, ${size} users`;
    yield comparison(`${what}, against the HTTP limit`, 'calls/s', large, limit, { atLeast: 0.7 });
    yield comparison(`${what}, against 1,000`, 'calls/s', large, small, { atLeast: 0.8 });
  }
  await bare.pool.close();
  await server.end();
}

/**
 * Look-ups of random users, each with a check of the answer; a server may have only one user.
 * @param {{ users: number, only?: string }} tenant
 * @param {(user: ReturnType<typeof filledUser>) => Request} requestOf
 */
function randomLookUp({ users: count, only }, requestOf) {
  return () => {
    const user = filledUser(1 + Math.floor(Math.random() * count));
    const expected = only ?? user.user_id;
    return {
      request: requestOf(user),
      isRight: (/** @type {{ user_id: string }} */ answer) => answer.user_id === expected,
    };
  };
}
