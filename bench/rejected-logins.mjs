import { createHash } from 'node:crypto';
import { openTenant } from './open-tenant.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const users = '/api/v2/tenant/users';
const pwd = 'Gf4-kupz';
const device = {
  'x-client-id': 'bench',
  'x-device-fingerprint': 'f',
  'x-operating-sys-version': '1',
  'x-agent': 'bench',
};

/** Kinds of rejected users, by the beginning of the name. */
const kinds = {
  own: 'wrong password',
  old: 'wrong password, md5 hash',
  gone: 'disabled user',
};

/**
 * How long a rejected login takes, for each kind compared with an unknown name: the time must not show which users
 * exist.
 * @param {Options} options
 */
export async function* measure(options) {
  const { pool, end } = await openTenant(options, { users: 0, connections: 1 });
  const post = (/** @type {string} */ path, /** @type {object} */ body) =>
    pool.ask({ method: 'POST', path, body: JSON.stringify(body) });
  const hash = { algorithm: 'md5', value: createHash('md5').update(pwd).digest('hex') };
  const times = new Map(
    [...Object.keys(kinds), 'nobody'].map((kind) => [kind, /** @type {number[]} */ ([])]),
  );
  options.say('rejected-logins');
  // Each user is locked after five failures, so every attempt has its own user.
  for (let number = 0; number < options.rounds * 6; number += 1) {
    await post(users, { user_name: `own-${number}`, pwd });
    await post(`${users}/import-hash-pwd`, { user_name: `old-${number}`, 'hash-pwd': hash });
    const { user_id } = await post(users, { user_name: `gone-${number}`, pwd });
    await pool.ask({ method: 'PUT', path: `${users}/${user_id}/disable` });
    for (const [kind, taken] of times) {
      const start = performance.now();
      const body = JSON.stringify({ user_name: `${kind}-${number}`, password: 'wrong' });
      await pool.ask({ method: 'POST', path: '/api/v2/sdk/login', headers: device, body }, 400);
      taken.push(performance.now() - start);
    }
  }
  const unknown = times.get('nobody') ?? [];
  for (const [kind, title] of Object.entries(kinds)) {
    yield comparison(
      `refused login, ${title}, against an unknown name`,
      'ms',
      times.get(kind) ?? [],
      unknown,
    );
  }
  await end();
}
