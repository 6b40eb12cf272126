import { request } from 'undici';
import { credentials } from './start.mjs';

/**
 * Reads the whole tenant, page by page, and describes how it differs from the file.
 * @param {string} baseUrl
 * @param {Map<string, Record<string, string>>} users by their identifiers
 * @param {'user_name' | 'external_id'} key
 * @returns {Promise<string[]>}
 */
export async function compareTenant(baseUrl, users, key) {
  const token = await tokenOf(baseUrl);
  const faults = [];
  const left = new Map(users);
  for (let page = 0; ; page += 1) {
    const url = `${baseUrl}/api/v2/tenant/users?offset=${page}&limit=100`;
    const { body } = await request(url, { headers: { authorization: `Bearer ${token}` } });
    /** @type {any} */
    const answer = await body.json();
    for (const user of answer.users) {
      const wanted = left.get(user[key]);
      left.delete(user[key]);
      if (!wanted) faults.push(`${user[key]} is there twice, or is not of the file`);
      for (const [field, value] of Object.entries(wanted ?? {})) {
        if (user[field] !== value) faults.push(`${user[key]}: ${field} is not what it was`);
      }
    }
    if (answer.users.length < 100) break;
  }
  return [...faults, ...[...left.keys()].map((name) => `${name} is lost`)];
}

/** @param {string} baseUrl */
async function tokenOf(baseUrl) {
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  const { body } = await request(`${baseUrl}/api/v2/tenant/token?${query}`, { method: 'POST' });
  /** @type {any} */
  const answer = await body.json();
  return answer.access_token;
}
