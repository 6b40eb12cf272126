import { randomBytes, randomUUID } from 'node:crypto';

/** Makes a user id, `yyyyMMddHHmmssSSS-XXXX-XXXXXXXXX` (decision 6); the digits are the time in UTC. */
export function newUserId(time: number): string {
  const iso = new Date(time).toISOString();
  // Cut by hand, because every row of an import comes here: a regular expression takes three times as long.
  const day = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10);
  const digits = day + iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19) + iso.slice(20, 23);
  // Node draws the random bits of many UUIDs at once; the digits taken here are random ones, none is fixed by the format.
  const uuid = randomUUID().toUpperCase();
  return `${digits}-${uuid.slice(0, 4)}-${uuid.slice(4, 8)}${uuid.slice(24, 29)}`;
}

/** Makes a user name for a user who came without one (decision 22). */
export function newUserName(): string {
  const letters = Array.from(randomBytes(40)).filter((byte) => byte < 252);
  return `user_${letters
    .slice(0, 10)
    .map((byte) => (byte % 36).toString(36))
    .join('')}`;
}
