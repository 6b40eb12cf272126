import { randomBytes, randomUUID } from 'node:crypto';

/** Creates a user id, `yyyyMMddHHmmssSSS-XXXX-XXXXXXXXX` (decision 6); the leading digits are the time in UTC. */
export function newUserId(time: number): string {
  if (time !== latest.time) latest = { time, digits: new Date(time).toISOString().replace(/\D/g, '') };
  // Fast, because Node draws the random bits of many UUIDs at once. Only random digits are taken, none that the format fixes.
  const uuid = randomUUID().toUpperCase();
  return `${latest.digits}-${uuid.slice(0, 4)}-${uuid.slice(4, 8)}${uuid.slice(24, 29)}`;
}

/** Cached, because an import creates many users within a millisecond. */
let latest = { time: Number.NaN, digits: '' };

/** Generates a user name for a user who is created without one (decision 22). */
export function newUserName(): string {
  const letters = Array.from(randomBytes(40)).filter((byte) => byte < 252);
  return `user_${letters
    .slice(0, 10)
    .map((byte) => (byte % 36).toString(36))
    .join('')}`;
}
