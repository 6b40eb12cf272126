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

/** Claims that only the caller knows; `token_use` distinguishes the token of an application from that of a login. */
interface Claims {
  sub: string;
  aud: string;
  token_use: 'application' | 'login';
  userName?: string;
}

/** Signs id tokens, and publishes the keys that verify them (decision 5). */
export type IdTokens = ReturnType<typeof openIdTokens>;

interface IdTokenParts {
  now(): number;
  issuer(): string;
  makeKeyPair(): Promise<KeyPair>;
  cipher: KeyCipher;
}

/**
 * Opens the id tokens of a database. The signing key is looked up each time, so that all nodes follow a rotation at once, whichever
 * node started it.
 */
export function openIdTokens(database: Database, { now, issuer, makeKeyPair, cipher }: IdTokenParts) {
  const making = new Map<number, Promise<StoredPrivateKey>>();
  const loaded = new Map<number, { kid: string; key: KeyObject }>();

  /** Creates a tenant's first key. If two nodes do so at the same time, one wins. */
  async function makeFirst(tenant: number): Promise<StoredPrivateKey> {
    // The key may have been stored since the caller's query, whose answer can be late.
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
    /** Signs a JWT that lives `lifetime` seconds with the tenant's key, which is created when it is first needed. */
    async sign(tenant: Tenant, { userName, ...claims }: Claims, lifetime: number): Promise<string> {
      const iat = Math.floor(now() / 1000);
      // `api` repeats the user name as JSON, because readers of the vendor's tokens look for it there.
      const named = userName === undefined ? {} : { userName, api: JSON.stringify({ userName }) };
      const stored = await signingKey(tenant);
      // Loaded with the first token, because many processes need none.
      const { SignJWT } = await import('jose');
      return new SignJWT({ iss: issuer(), ...claims, iat, exp: iat + lifetime, ...named })
        .setProtectedHeader({ alg: 'RS256', kid: stored.kid, typ: 'JWT' })
        .sign(await load(stored));
    },
    /** Returns the public keys of tenants as a JWK set, which is never empty for a single tenant. */
    async publicKeys(tenants: readonly Tenant[]): Promise<{ keys: JWK[] }> {
      const [only, ...others] = tenants;
      if (only && others.length === 0) await signingKey(only);
      const published = await Promise.all(tenants.map(({ key }) => findPublishedKeys(database, key, now())));
      return { keys: published.flat().map(({ public_jwk }) => JSON.parse(public_jwk) as JWK) };
    },
  };
}
