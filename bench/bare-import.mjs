/**
 * The least work that an import needs: csv-parse, and a POST for each row over a bare pool; prints how many were
 * answered. `node bare-import.mjs FILE BASE_URL IN_FLIGHT`
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { openBarePool } from './bare-pool.mjs';

const [file = '', baseUrl = '', atOnce = ''] = process.argv.slice(2);
const pool = openBarePool(baseUrl, Number(atOnce));
let [inFlight, answered] = [0, 0];
let wake = (/** @type {Error | undefined} */ _failure) => {};

/** @type {string[] | undefined} */
let names;
for await (const cells of createReadStream(file).pipe(parse())) {
  if (!names) {
    names = /** @type {string[]} */ (cells);
    continue;
  }
  const user = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  if (inFlight >= Number(atOnce)) await someAnswer();
  post(JSON.stringify(user));
}
while (inFlight > 0) await someAnswer();
process.stdout.write(`${answered}\n`);
await pool.close();

function someAnswer() {
  return /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      wake = (failure) => (failure ? reject(failure) : resolve());
    })
  );
}

/** @param {string} body */
function post(body) {
  inFlight += 1;
  pool.send({ method: 'POST', path: '/api/v2/tenant/users/import-hash-pwd', body }, (failure) => {
    if (!failure) answered += 1;
    inFlight -= 1;
    wake(failure);
  });
}
