import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyPair } from '../storage/access/signing-keys.ts';

/** Generates an RSA key pair off the event loop, because it takes about half a second of CPU time. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return keyPairOf(privateKey);
}

/** Returns the key pair of a private RSA key; its id is the key's thumbprint (RFC 7638). */
export async function keyPairOf(privateKey: KeyObject): Promise<KeyPair> {
  const { calculateJwkThumbprint } = await import('jose');
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicJwk: JSON.stringify({ ...jwk, kid, use: 'sig', alg: 'RS256' }),
  };
}
