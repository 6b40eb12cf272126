import type { HashedPassword } from '../../contract/wire.ts';
import { acceptedDigests, keyBytes } from './accepted-digests.ts';
import { readBcrypt } from './read-bcrypt.ts';
import { valueMatches } from './value-matches.ts';
import { verifyBcrypt } from './verify-bcrypt.ts';

/**
 * Will the API take this password for this hash (decisions 31 to 35)? A text is taken as UTF-8. Compares in constant
 * time. An HMAC without a key never matches, since the API refuses it; nor does bcrypt above cost 16.
 */
export async function verifyHash(password: Uint8Array | string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key = '' } = hash;
  const bytes = Buffer.from(password);
  if (algorithm === 'bcrypt') return verifyBcrypt(bytes, readBcrypt(value));
  if (algorithm === 'hmacsha256_base64_key' && key === '') return false;
  return valueMatches(acceptedDigests[algorithm](bytes, keyBytes(key)), value);
}
