import { openBarePool } from './bare-pool.mjs';
import { forgetJob, importOf, makeSource } from './import-runs.mjs';
import { percentile } from './percentile.mjs';
import { runToEnd, startService } from './processes.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */
/** @import { BarePool } from './bare-pool.mjs' */

const people = 50;
const password = 'Gf4-kupz';
const headers = {
  'x-client-id': 'bench',
  'x-device-fingerprint': 'f',
  'x-operating-sys-version': '1',
  'x-agent': 'bench',
};

/**
 * How long logins take beside an import (`--rows`, 512 in flight), compared with the same number of logins alone. They
 * follow one after the other, of different people.
 * @param {Options} options
 */
export async function* measure(options) {
  const { databases, rounds, rows = 50_000, say } = options;
  const importing = { ...options, inFlight: options.inFlight ?? 512 };
  const source = await makeSource(options, rows);
  /** @type {Record<'alone' | 'beside', number[][]>} */
  const times = { alone: [], beside: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const location = await databases.fresh();
    const server = await startService(location, '--address-limit', '100000/s');
    const pool = openBarePool(server.baseUrl, 1);
    await pool.logIn();
    await addPeople(pool);
    await logInWhile(pool, (count) => count < people);
    let isImporting = true;
    const into = importOf(importing, source, '--base-url', server.baseUrl);
    const imported = runToEnd(into).finally(() => {
      isImporting = false;
    });
    const beside = await logInWhile(pool, () => isImporting);
    await imported;
    const alone = await logInWhile(pool, (count) => count < beside.length);
    times.beside.push(beside);
    times.alone.push(alone);
    say(`login: round ${round} of ${rounds}, ${beside.length} logins beside the import`);
    await forgetJob(importing);
    await pool.close();
    await server.end();
    await databases.drop(location);
  }
  for (const part of [0.5, 0.99]) {
    const [beside, alone] = [times.beside, times.alone].map((all) =>
      all.map((some) => percentile(some, part)),
    );
    const what = `login beside an import, against one alone, p${part * 100}`;
    yield comparison(what, 'ms', beside ?? [], alone ?? [], { atMost: 3 });
  }
}

/** @param {BarePool} pool */
async function addPeople(pool) {
  for (let number = 0; number < people; number += 1) {
    const user = { user_name: `member-${number}`, pwd: password, pwd_must_modify: false };
    await pool.ask({ method: 'POST', path: '/api/v2/tenant/users', body: JSON.stringify(user) });
  }
}

/**
 * Milliseconds of each login.
 * @param {BarePool} pool
 * @param {(count: number) => boolean} goesOn gets the number of logins so far
 */
async function logInWhile(pool, goesOn) {
  const times = [];
  while (goesOn(times.length)) {
    const body = JSON.stringify({ user_name: `member-${times.length % people}`, password });
    const began = performance.now();
    const { status } = await pool.ask({ method: 'POST', path: '/api/v2/sdk/login', headers, body });
    times.push(performance.now() - began);
    if (status !== 'SUCCESS') throw new Error(`a login came to ${status}`);
  }
  return times;
}
