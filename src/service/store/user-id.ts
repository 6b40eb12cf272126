import { randomBytes } from 'node:crypto';

/** Makes a user id, `yyyyMMddHHmmssSSS-XXXX-XXXXXXXXX` (decision 6); the digits are the time in UTC. */
export function newUserId(time: number): string {
  const digits = new Date(time).toISOString().replace(/\D/g, '');
  const hex = randomBytes(7).toString('hex').toUpperCase();
  return `${digits}-${hex.slice(0, 4)}-${hex.slice(4, 13)}`;
}

/** Makes a user name for a user who came without one (decision 22). */
export function newUserName(): string {
  const letters = Array.from(randomBytes(40)).filter((byte) => byte < 252);
  return `user_${letters
    .slice(0, 10)
    .map((byte) => (byte % 36).toString(36))
    .join('')}`;
}
