/** Sends bodies to the login of a service, again and again, in a thread: `workerData` is `{ base, bodies }`. */
import http from 'node:http';
import { workerData } from 'node:worker_threads';

const { base, bodies } = workerData;
const headers = { 'content-type': 'application/json', 'x-client-id': 'unknown' };

/** @param {number} number */
function send(number) {
  const request = http.request(new URL('/api/v2/sdk/login', base), { method: 'POST', headers, agent: false });
  request.on('response', (response) => response.resume());
  request.on('close', () => send(number + 1));
  // The service does not read a rejected body to its end.
  request.on('error', () => {});
  request.end(bodies[number % bodies.length]);
}

for (let number = 0; number < 8; number += 1) send(number);
