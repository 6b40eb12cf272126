import { type HashAlgorithm, isHashAlgorithm } from '../../contract/attributes.ts';
import { isHexDigest } from '../../text/hash-forms.ts';
import { foreignHash } from '../hashes/foreign-schemes.ts';
import { hashFormats } from '../hashes/formats.ts';
import type { Draft } from './fields/fields.ts';
import type { IssueCause } from './issues/issues.ts';

/** A name in braces before a hash. */
export const wrapper = /^\{([A-Za-z0-9_.@+-]{1,32})\}/;

/** Wrappers, such as `{md5}`, that only repeat an algorithm of the API and may be removed. */
const sameAs: Partial<Record<HashAlgorithm, string>> = { bcrypt: 'bcrypt', md5: 'md5' };

/** Well-known wrappers, whose names may be shown; anything else in braces may be a secret. */
const otherWrappers =
  /^(?:argon2(?:@.+)?|bcrypt|cleartext|crypt|hmac.*|ldap|md4|md5|noop|pbkdf2(?:[@_-].+)?|plain|sasl|scrypt(?:@.+)?|sha(?:-?\d+)?|smd5|ssha(?:\d+)?|x-.*)$/i;

type Cells = Pick<Draft['password'], 'algorithm' | 'value'>;

/** Returns the cell, in lower case if the API knows it; for an empty cell the default, or what the wrapper of the hash names. */
export function algorithmOf({ algorithm, value }: Cells, given: HashAlgorithm | 'infer' | undefined): string {
  const lower = algorithm.toLowerCase();
  if (isHashAlgorithm(lower)) return lower;
  if (algorithm !== '') return algorithm;
  if (given === 'infer') return '';
  if (given !== undefined) return given;
  const named = wrapper.exec(value)?.[1]?.toLowerCase();
  return Object.values(sameAs).find((name) => name === named) ?? '';
}

/** Returns hex in lower case, as the API describes it (decisions 31 to 33): a tenant may compare texts. Other hashes stay as they are. */
function inLowerHex(value: string): string {
  return isHexDigest(value) ? value.toLowerCase() : value;
}

/**
 * Returns the hash without a wrapper that only repeats its algorithm, and hex in lower case; for any other wrapper, the value and the
 * issue.
 */
export function unwrap(algorithm: HashAlgorithm, value: string): [string, IssueCause?] {
  const found = wrapper.exec(value);
  const name = found?.[1];
  if (!found || name === undefined) return [inLowerHex(value)];
  if (name.toLowerCase() === sameAs[algorithm]) return [inLowerHex(value.slice(found[0].length))];
  if (!otherWrappers.test(name)) return [value, { code: 'WRAPPER' }];
  const isWhole =
    hashFormats[algorithm].test(value.slice(found[0].length)) && /^(?:crypt|hmac.*|x-.*)$/i.test(name);
  const remedy = isWhole
    ? `Remove the prefix if the old system made ${algorithm} hashes: what follows has their form.`
    : foreignHash(value)?.remedy;
  return [value, { code: 'WRAPPER', remedy, detail: `{${name}}` }];
}

/**
 * The algorithm and the hash that an import would send for these cells, if it takes them: a wrapper such as `{md5}` names the
 * algorithm, and is removed. Anything else stays as it is. `given`: the algorithm of rows without one.
 */
export function asSent(password: Cells, given: HashAlgorithm | 'infer' | undefined) {
  const algorithm = algorithmOf(password, given);
  const { value } = password;
  return { algorithm, value: isHashAlgorithm(algorithm) ? unwrap(algorithm, value)[0] : value };
}
