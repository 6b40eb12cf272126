/**
 * The least work of a service: parses the JSON of a request and answers immediately, in a process of its own. It
 * returns a token, so that an import can use it too. `node bare-server.mjs [ANSWER]` answers always with the same text.
 */
import { createServer } from 'node:http';

const [, , answer] = process.argv;
const token = JSON.stringify({
  access_token: 'bench',
  token_type: 'Bearer',
  expires_in: 36_000,
  scope: 'all',
});
let users = 0;
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const isToken = request.url?.includes('/token') === true;
    if (!isToken && chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    users += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(isToken ? token : (answer ?? JSON.stringify({ user_id: `20260101000000000-${users}` })));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`{"base_url":"http://127.0.0.1:${address?.port}"}\n`);
});
process.on('SIGTERM', () => process.exit());
