import { verify } from '@node-rs/bcrypt';
import { type BcryptParts, highestCost } from './read-bcrypt.ts';

/** Compares a password with a bcrypt text; costs above `highestCost` never match. */
export async function verifyBcrypt(password: Uint8Array, hash: BcryptParts | undefined): Promise<boolean> {
  if (hash === undefined || hash.cost > highestCost) return false;
  return verify(password, `$2b$${String(hash.cost).padStart(2, '0')}$${hash.body}`);
}
