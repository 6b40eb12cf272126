import type { JWK } from 'jose';
import type { Database } from '../engine/database.ts';

/** What an id token says: `token_use` tells that of an application from that of a login. */
export interface Claims {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  token_use: 'application' | 'login';
  'api.userName'?: string;
}

/** The key that signs id tokens (decision 5). It is stored in the database, so that every node uses the same. */
export interface SigningKeys {
  /** Signs a JWT: `sub` is the subject, `aud` the application; times in seconds. */
  sign(claims: Claims): Promise<string>;
  /** The public half as a JWK set. */
  publicKeys(): { keys: JWK[] };
}

/** Opens the signing key of a database, or makes its first. */
export async function openSigningKeys(database: Database, now: number): Promise<SigningKeys> {
  const find = () =>
    database.query<{ private_jwk: string }>(
      'SELECT private_jwk FROM signing_keys ORDER BY created_at LIMIT 1',
      [],
    );
  let [row] = await find();
  if (!row) {
    const { kid, jwk } = await makeKey();
    const sql = `INSERT INTO signing_keys (kid, private_jwk, created_at)
      SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM signing_keys)`;
    await database.commit([{ sql, values: [kid, JSON.stringify(jwk), now], tenantLock: 0 }]);
    [row] = await find();
  }
  if (!row) throw new Error('the signing key could not be stored');
  const jwk = JSON.parse(row.private_jwk) as JWK & { kid: string };
  const { d: _, ...publicJwk } = jwk;

  /** The library and the key are loaded with the first token: many processes need none. */
  const load = async () => {
    const { importJWK, SignJWT } = await import('jose');
    return { key: await importJWK(jwk, 'ES256'), SignJWT };
  };
  let loaded: ReturnType<typeof load> | undefined;

  return {
    async sign(claims) {
      loaded ??= load();
      const { key, SignJWT } = await loaded;
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: jwk.kid, typ: 'JWT' })
        .sign(key);
    },
    publicKeys: () => ({ keys: [publicJwk] }),
  };
}

async function makeKey() {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk: { ...jwk, kid, use: 'sig', alg: 'ES256' } };
}
