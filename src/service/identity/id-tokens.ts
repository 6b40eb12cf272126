import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import {
  findPublishedKeys,
  findSigningKey,
  insertFirstKey,
  type KeyPair,
  type StoredPrivateKey,
} from '../storage/access/signing-keys.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Tenant } from '../tenant/definition.ts';
import type { KeyCipher } from './key-cipher.ts';

/** What an id token says: `token_use` tells that of an application from that of a login. */
export interface Claims {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  token_use: 'application' | 'login';
  userName?: string;
  /** JSON text with the user name once more: readers of the vendor's tokens look for it there. */
  api?: string;
}

/** Signs id tokens, and publishes the keys that verify them (decision 5). */
export interface IdTokens {
  /** Signs a JWT with the tenant's key, which is made when it is first needed. */
  sign(tenant: Tenant, claims: Claims): Promise<string>;
  /** The public keys of tenants as a JWK set. That of a single tenant is never empty. */
  publicKeys(tenants: readonly Tenant[]): Promise<{ keys: JWK[] }>;
}

/**
 * Opens the id tokens of a database. Which key signs is read from it each time, so that all nodes follow a rotation at
 * once, whoever started it.
 */
export function openIdTokens(
  database: Database,
  { now, makeKeyPair, cipher }: { now(): number; makeKeyPair(): Promise<KeyPair>; cipher: KeyCipher },
): IdTokens {
  const making = new Map<number, Promise<StoredPrivateKey>>();
  const loaded = new Map<number, { kid: string; key: KeyObject }>();

  /** Of two nodes that make the first key at the same time one wins. */
  async function makeFirst(tenant: number): Promise<StoredPrivateKey> {
    // Stored since the caller looked, perhaps: an answer can be late.
    const there = await findSigningKey(database, tenant, now());
    if (there) return there;
    const pair = await makeKeyPair();
    const privateKey = await cipher.seal(tenant, pair.kid, pair.privateKey);
    await database.commit([insertFirstKey(tenant, { ...pair, privateKey }, now())]);
    const stored = await findSigningKey(database, tenant, now());
    if (!stored) throw new Error('the signing key could not be stored');
    return stored;
  }

  async function signingKey({ key }: Tenant): Promise<StoredPrivateKey> {
    const stored = await findSigningKey(database, key, now());
    if (stored) return stored;
    const made = making.get(key) ?? makeFirst(key).finally(() => making.delete(key));
    making.set(key, made);
    return made;
  }

  async function load({ tenant, kid, private_key }: StoredPrivateKey): Promise<KeyObject> {
    const known = loaded.get(tenant);
    if (known?.kid === kid) return known.key;
    const key = createPrivateKey(await cipher.open(tenant, kid, private_key));
    loaded.set(tenant, { kid, key });
    return key;
  }

  return {
    async sign(tenant, claims) {
      const stored = await signingKey(tenant);
      // Loaded with the first token: many processes need none.
      const { SignJWT } = await import('jose');
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: stored.kid, typ: 'JWT' })
        .sign(await load(stored));
    },
    async publicKeys(tenants) {
      const [only, ...others] = tenants;
      if (only && others.length === 0) await signingKey(only);
      const published = await Promise.all(tenants.map(({ key }) => findPublishedKeys(database, key, now())));
      return { keys: published.flat().map((jwk) => JSON.parse(jwk) as JWK) };
    },
  };
}
