import type { HashAlgorithm } from '../../contract/attributes.ts';
import { noPasswordFormat } from './foreign-schemes.ts';
import { hashFormats } from './formats.ts';

/** A hash that tells its own algorithm. */
export interface InferredHash {
  algorithm: HashAlgorithm;
  /** Without what its system wrote before it. */
  value: string;
}

/** Systems that write a word before a hash that the API takes: who they are, and the hash that must follow. */
const wrappers: readonly { prefix: RegExp; algorithm: HashAlgorithm }[] = [
  // Spring, Dovecot, OpenLDAP (its crypt takes bcrypt), Django.
  { prefix: /^\{(?:bcrypt|blf-crypt|crypt)\}/i, algorithm: 'bcrypt' },
  { prefix: /^bcrypt\$(?=\$2)/, algorithm: 'bcrypt' },
  { prefix: /^\{(?:md5|plain-md5)\}/i, algorithm: 'md5' },
];

const wholeBcrypt = /^\$2[aby]\$/;
/** MD5 in hex or in padded base64: other texts of 22 letters are too many. */
const md5 = /^(?:[0-9a-fA-F]{32}|[A-Za-z0-9+/]{21}[AQgw]==)$/;

/**
 * The algorithm of a hash by its own form, with known prefixes removed. `undefined` where the form does not tell: 32 bytes can
 * be three algorithms of which two are the API's, and nothing is guessed.
 */
export function inferHash(text: string): InferredHash | undefined {
  const found = wrappers.find(({ prefix }) => prefix.test(text));
  const value = found ? text.replace(found.prefix, '') : text;
  if (wholeBcrypt.test(value) && hashFormats.bcrypt.test(value)) {
    return !found || found.algorithm === 'bcrypt' ? { algorithm: 'bcrypt', value } : undefined;
  }
  if (!md5.test(value) || noPasswordFormat(value) !== undefined || (found && found.algorithm !== 'md5'))
    return undefined;
  return { algorithm: 'md5', value };
}
