import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Returns the stored form of a token, ticket or other secret: it identifies the secret, but cannot be used instead of it. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Generates a secret of 256 random bits. It begins with the key of its tenant, as all rows do. */
export function newSecret(tenantKey: number): string {
  return `${tenantKey}.${randomBytes(32).toString('base64url')}`;
}

/** Returns the tenant's key in a secret made by `newSecret`; `undefined` for any other text. */
export function readTenantKey(secret: string): number | undefined {
  const key = /^(\d{1,9})\.[\w-]{43}$/.exec(secret)?.[1];
  return key === undefined ? undefined : Number(key);
}

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Generates an SSO ticket: `ssoTicket-` and 32 random letters and digits. */
export function newTicket(): string {
  const letters = Array.from({ length: 32 }, () => alphanumerics[randomInt(alphanumerics.length)]);
  return `ssoTicket-${letters.join('')}`;
}
