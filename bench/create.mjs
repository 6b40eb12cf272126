import { availableParallelism } from 'node:os';
import { openTenant } from './open-tenant.mjs';
import { here, runToEnd } from './processes.mjs';
import { rateOf } from './rate-of.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const users = '/api/v2/tenant/users';
/** Node computes hashes on its thread pool, which by default has four threads. */
const threads = { UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())) };

/**
 * Creates with a password, compared with the limit of the hash scheme on all cores; and look-ups (8 at the same time)
 * beside them, compared with look-ups alone.
 * @param {Options} options
 */
export async function* measure(options) {
  const { inFlight = 64, rounds, seconds = 4 } = options;
  const { pool, end } = await openTenant(options, { users: 0, connections: inFlight + 8 });
  let made = 0;
  const newUser = () => {
    made += 1;
    return JSON.stringify({ user_name: `user-${made}`, name: '张三', pwd: 'Gf4-kupz' });
  };
  const create = () => ({
    request: { method: /** @type {const} */ ('POST'), path: users, body: newUser() },
    isRight: (/** @type {{ user_id?: string }} */ answer) => answer.user_id !== undefined,
  });
  const { user_id } = await pool.ask(create().request);
  const lookUp = () => ({
    request: { method: /** @type {const} */ ('GET'), path: `${users}/${user_id}` },
    isRight: (/** @type {{ user_id: string }} */ answer) => answer.user_id === user_id,
  });
  const [creates, lookUps] = [
    { atOnce: inFlight, seconds },
    { atOnce: 8, seconds },
  ];
  await rateOf(pool, lookUps, lookUp);
  /** @type {Record<'hashes' | 'creates' | 'createsBeside' | 'lookUps' | 'lookUpsBeside', number[]>} */
  const rates = { hashes: [], creates: [], createsBeside: [], lookUps: [], lookUpsBeside: [] };
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`create: round ${round} of ${rounds}`);
    const hashing = await runToEnd([here('bare-hash.mjs'), String(seconds)], threads);
    rates.hashes.push(Number(hashing.stdout));
    rates.creates.push(await rateOf(pool, creates, create));
    rates.lookUps.push(await rateOf(pool, lookUps, lookUp));
    const [lookUpsBeside, createsBeside] = await Promise.all([
      rateOf(pool, lookUps, lookUp),
      rateOf(pool, creates, create),
    ]);
    rates.lookUpsBeside.push(lookUpsBeside);
    rates.createsBeside.push(createsBeside);
  }
  const besides = 'look-ups beside creates, against look-ups alone';
  const half = { atLeast: 0.5 };
  yield comparison('create with a password, against the hash limit', 'users/s', rates.creates, rates.hashes, {
    atLeast: 0.8,
  });
  yield comparison(besides, 'calls/s', rates.lookUpsBeside, rates.lookUps, half);
  yield comparison(
    'creates beside look-ups, against creates alone',
    'users/s',
    rates.createsBeside,
    rates.creates,
  );
  await end();
}
