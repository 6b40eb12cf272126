/**
 * The least work of a program that reads all pages: GETs and JSON.parse; prints the number of users.
 * `node bare-list.mjs BASE_URL`
 */
import { request } from 'undici';

const base = `${process.argv[2]}/api/v2/tenant`;
const query = 'grant_type=client_credentials&client_id=bench&client_secret=bench';
const reply = await request(`${base}/token?${query}`, { method: 'POST' });
const { access_token } = /** @type {{ access_token: string }} */ (await reply.body.json());
const headers = { authorization: `Bearer ${access_token}` };
let users = 0;
for (let offset = 0, total = 1; offset * 100 < total; offset += 1) {
  const page = await request(`${base}/users?offset=${offset}&limit=100`, { headers });
  const body = JSON.parse(await page.body.text());
  total = body.total;
  users += body.users.length;
}
process.stdout.write(`${users}\n`);
