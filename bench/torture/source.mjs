import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/**
 * Writes a file of users, each with a password hash of its own, and gives the users back by their names.
 * @param {string} file
 * @param {number} rows
 */
export async function writeSource(file, rows) {
  /** @type {Map<string, Record<string, string>>} */
  const users = new Map();
  const lines = ['user_name,name,email,mobile,external_id,algorithm,hash'];
  for (let row = 1; row <= rows; row += 1) {
    const user = {
      user_name: `user${row}`,
      name: `User "${row}", the Second`,
      email: `user${row}@example.com`,
      mobile: `86-152${String(row).padStart(8, '0')}`,
      external_id: `x-${row}`,
    };
    users.set(user.user_name, user);
    const hash = createHash('md5').update(`secret ${row}`).digest('hex');
    const cells = Object.values(user).map((value) => `"${value.replaceAll('"', '""')}"`);
    lines.push([...cells, 'md5', hash].join(','));
  }
  await writeFile(file, `${lines.join('\n')}\n`);
  return users;
}
