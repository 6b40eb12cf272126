import { firstCreated, step } from './fill-users.mjs';
import { openTenant } from './open-tenant.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */
/** @import { BarePool } from './bare-pool.mjs' */
/** @import { Filled } from './lookup.mjs' */

/** Pages of each kind that a round requests. */
const pagesOfRound = 8;

/**
 * Pages of a table of a million users, and of a thousand.
 * @param {Options} options
 */
export async function* measure(options) {
  const small = await openTenant(options, { users: 1000, connections: 1 });
  const large = await openTenant(options, { users: options.users, connections: 1 });
  yield* comparePages(options, large, small);
  await Promise.all([small.end(), large.end()]);
}

/**
 * How long a page of 100 users takes over HTTP, at any depth, filtered or not, compared with page 0 of the small table.
 * @param {Options} options
 * @param {Filled} large of which no filtered page was requested before
 * @param {Filled} small
 */
export async function* comparePages(options, large, small) {
  const last = Math.floor(large.users / 100) - 1;
  const at = (/** @type {number} */ part) => time(firstCreated + large.users * step * part);
  const cases = {
    'page 0': 'offset=0',
    [`page ${last}`]: `offset=${last}`,
    '1 % by time, page 0': `offset=0&updated_at_greater=${at(0.5)}&updated_at_less=${at(0.51)}`,
    'newest tenth, last page': `offset=${Math.floor(last / 10)}&updated_at_greater=${at(0.9)}`,
    [`half, page ${Math.floor(last / 3)}`]: `offset=${Math.floor(last / 3)}&updated_at_greater=${at(0.5)}`,
    [`all by a filter, page ${last}`]: `offset=${last}&updated_at_greater=${time(0)}`,
  };
  const cold = await timeOf(large.pool, `offset=0&updated_at_greater=${at(0.5)}`);
  /** @type {number[]} */
  const bases = [];
  const times = new Map(Object.keys(cases).map((label) => [label, /** @type {number[]} */ ([])]));
  const warm = 5;
  options.say('paging: pages of both tables');
  for (let page = 0; page < warm + options.rounds * pagesOfRound; page += 1) {
    const base = await timeOf(small.pool, 'offset=0');
    if (page >= warm) bases.push(base);
    for (const [label, query] of Object.entries(cases)) {
      const taken = await timeOf(large.pool, query);
      if (page >= warm) times.get(label)?.push(taken);
    }
  }
  const size = large.users.toLocaleString('en');
  for (const [label, taken] of times) {
    yield comparison(`${label} of ${size}, against page 0 of 1,000`, 'ms', taken, bases, { atMost: 3 });
  }
  yield figure(`first filtered page of a start, ${size} users`, 'ms', [cold]);
}

/**
 * Milliseconds of one page.
 * @param {BarePool} pool
 * @param {string} query
 */
async function timeOf(pool, query) {
  const before = performance.now();
  const { users } = await pool.ask({ method: 'GET', path: `/api/v2/tenant/users?limit=100&${query}` });
  const took = performance.now() - before;
  if (users.length === 0) throw new Error(`no page: ${query}`);
  return took;
}

/** @param {number} milliseconds */
function time(milliseconds) {
  return encodeURIComponent(new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' '));
}
