import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/**
 * Writes a file of users, each with its own password hash, and returns the users by their names, or by their external
 * IDs if they have no other identifier.
 * @param {string} file
 * @param {number} rows
 * @param {boolean} isByExternalId
 */
export async function writeSource(file, rows, isByExternalId) {
  /** @type {Map<string, Record<string, string>>} */
  const users = new Map();
  /** @type {string[]} */
  const lines = [];
  for (let row = 1; row <= rows; row += 1) {
    /** @type {Record<string, string>} */
    const keys = isByExternalId
      ? {}
      : {
          user_name: `user${row}`,
          email: `user${row}@example.com`,
          mobile: `86-152${String(row).padStart(8, '0')}`,
        };
    const user = { ...keys, name: `User "${row}", the Second`, external_id: `x-${row}` };
    if (row === 1) lines.push([...Object.keys(user), 'algorithm', 'hash'].join(','));
    users.set(keys.user_name ?? user.external_id, user);
    const hash = createHash('md5').update(`secret ${row}`).digest('hex');
    const cells = Object.values(user).map((value) => `"${value.replaceAll('"', '""')}"`);
    lines.push([...cells, 'md5', hash].join(','));
  }
  await writeFile(file, `${lines.join('\n')}\n`);
  return users;
}
