import { createHash, randomBytes, randomInt } from 'node:crypto';

/** What the store keeps of a token, ticket or other secret: enough to know it again, not to use it. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A secret of 256 random bits; it begins with the key of its tenant, which leads to its rows. */
export function newSecret(tenantKey: number): string {
  return `${tenantKey}.${randomBytes(32).toString('base64url')}`;
}

/** The tenant's key in a secret made by `newSecret`; `undefined` when it is none. */
export function tenantKeyOf(secret: string): number | undefined {
  const key = /^(\d{1,9})\.[\w-]{43}$/.exec(secret)?.[1];
  return key === undefined ? undefined : Number(key);
}

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An SSO ticket, `ssoTicket-` and 32 random alphanumerics. */
export function newTicket(): string {
  const letters = Array.from({ length: 32 }, () => alphanumerics[randomInt(alphanumerics.length)]);
  return `ssoTicket-${letters.join('')}`;
}
