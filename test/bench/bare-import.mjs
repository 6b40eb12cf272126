/**
 * The least that an import does: csv-parse, and a POST a row by a bare pool; prints how many were answered.
 * `node bare-import.mjs FILE BASE_URL IN_FLIGHT`
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { Pool } from 'undici';

const [file = '', baseUrl = '', atOnce = ''] = process.argv.slice(2);
const pool = new Pool(baseUrl, { connections: Number(atOnce) });
const headers = { 'content-type': 'application/json; charset=utf-8', authorization: 'Bearer bench' };
let inFlight = 0;
let answered = 0;
let wake = () => {};

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
    new Promise((resolve) => {
      wake = resolve;
    })
  );
}

/** @param {string} body */
function post(body) {
  inFlight += 1;
  /** @type {Buffer[]} */
  const chunks = [];
  pool.dispatch(
    { method: 'POST', path: '/api/v2/tenant/users/import-hash-pwd', headers, body },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        JSON.parse(Buffer.concat(chunks).toString());
        answered += 1;
        inFlight -= 1;
        wake();
      },
      onResponseError(_controller, error) {
        throw error;
      },
    },
  );
}
