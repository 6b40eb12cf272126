import type { HashedPassword } from '../../contract/wire.ts';
import { diagnoseBcrypt, findBcrypt } from './diagnose-bcrypt.ts';
import { digestVariants } from './digest-variants.ts';
import { foreignScheme } from './foreign-schemes.ts';
import { matchers, passwordVariants, valueTexts } from './input-variants.ts';
import { hashMistakes, type MistakeCode, type MistakeEntry } from './mistakes.ts';
import { byMistakes, combine, simplest, type Variant } from './variants.ts';
import { isCutBcrypt } from './verify.ts';

/** Why a password does not match a hash that was made from it. Contains no part of either. */
export interface Diagnosis extends MistakeEntry {
  /** A code of `hashMistakes`, or two joined by a plus. */
  code: string;
}

/**
 * Finds the one or two known mistakes that explain why a password does not match a hash; `undefined` if none do, or if the password
 * matches. The same input gives the same result. Takes milliseconds; with bcrypt up to twelve comparisons, fewer above cost 12,
 * four seconds in all on a usual machine. Rejects with the signal's reason if aborted between two comparisons.
 */
export async function diagnose(
  password: Uint8Array | string,
  hash: HashedPassword,
  signal?: AbortSignal,
): Promise<Diagnosis | undefined> {
  const codes = await findMistakes(password, hash, signal);
  if (codes === undefined || codes.length === 0) return undefined;
  const entries = codes.map((code): MistakeEntry => hashMistakes[code]);
  return {
    code: codes.join('+'),
    message: entries.map(({ message }) => message).join('; and '),
    remedy: [...new Set(entries.map(({ remedy }) => remedy))].join(' '),
  };
}

async function findMistakes(
  password: Uint8Array | string,
  { algorithm, value, key = '' }: HashedPassword,
  signal: AbortSignal | undefined,
): Promise<readonly MistakeCode[] | undefined> {
  if (value === '') return undefined;
  if (Buffer.from(password).equals(Buffer.from(value))) return ['PASSWORD_PLAIN'];
  const texts = valueTexts(value);
  const bcrypt = findBcrypt(algorithm, texts);
  if (bcrypt) return diagnoseBcrypt(password, algorithm, bcrypt, signal);
  if (texts.some(({ value: text }) => isCutBcrypt(text))) {
    return algorithm === 'bcrypt' ? ['VALUE_CUT'] : ['ALGORITHM_BCRYPT', 'VALUE_CUT'];
  }
  const digests = simplest(
    combine(await passwordVariants(password), digestVariants(algorithm, key), (bytes, digest) =>
      digest(bytes),
    ),
    (digest) => digest.toString('hex'),
  );
  const found = findMatch(
    digests,
    combine(matchers, texts, (matches, text) => (digest: Buffer) => matches(digest, text)),
  );
  if (found) return found;
  return texts.some(({ value: text }) => foreignScheme(text) !== undefined) ? ['SCHEME_FOREIGN'] : undefined;
}

/** Returns the mistakes of the first pair that matches, trying those with the fewest mistakes first. */
function findMatch(
  digests: readonly Variant<Buffer>[],
  readings: readonly Variant<(digest: Buffer) => boolean>[],
): readonly MistakeCode[] | undefined {
  const pairs = combine(digests, readings, (digest, matches) => ({ digest, matches }));
  return byMistakes(pairs).find(({ value: { digest, matches } }) => matches(digest))?.mistakes;
}
