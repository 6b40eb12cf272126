import type { HashAlgorithm } from '../../contract/attributes.ts';
import { noPasswordFormat } from './foreign-schemes.ts';
import { hashFormats } from './formats.ts';

/** Prefixes that systems write before a hash that the API accepts, with the algorithm of the hash that must follow. */
const wrappers: readonly { prefix: RegExp; algorithm: HashAlgorithm }[] = [
  // Spring, Dovecot, OpenLDAP (its crypt takes bcrypt), Django.
  { prefix: /^\{(?:bcrypt|blf-crypt|crypt)\}/i, algorithm: 'bcrypt' },
  { prefix: /^bcrypt\$(?=\$2)/, algorithm: 'bcrypt' },
  { prefix: /^\{(?:md5|plain-md5)\}/i, algorithm: 'md5' },
  // Django, with an empty salt.
  { prefix: /^md5\$\$/, algorithm: 'md5' },
];

const wholeBcrypt = /^\$2[aby]\$/;
/** MD5 in hex or in padded base64; without padding, too many other texts have 22 characters. */
const md5 = /^(?:[0-9a-fA-F]{32}|[A-Za-z0-9+/]{21}[AQgw]==)$/;

/** Name of the column in which Meteor has bcrypt over the SHA-256 of the password, which looks like any bcrypt. */
const ofMeteor = /(?:^|\.)services\.password\.bcrypt$/;

/** What the hashes of a column are, if its name shows that the API does not take them. */
export function foreignByName(column: string): string | undefined {
  return ofMeteor.test(column) ? 'bcrypt over the SHA-256 of the password (Meteor)' : undefined;
}

/** True for a hash that can be of a foreign kind: bcrypt, whose form is certain, only if the kind itself is one of bcrypt. */
export function mayBeOfKind(kind: string, hash: string): boolean {
  return /^bcrypt\b/i.test(kind) || inferHash(hash)?.algorithm !== 'bcrypt';
}

/**
 * Infers the algorithm of a hash from its form, and removes a known prefix. Returns `undefined` if the form is ambiguous: 32 bytes
 * can be three algorithms, two of them of the API, and nothing is guessed.
 */
export function inferHash(text: string): { algorithm: HashAlgorithm; value: string } | undefined {
  const found = wrappers.find(({ prefix }) => prefix.test(text));
  const value = found ? text.replace(found.prefix, '') : text;
  if (wholeBcrypt.test(value) && hashFormats.bcrypt.test(value)) {
    return !found || found.algorithm === 'bcrypt' ? { algorithm: 'bcrypt', value } : undefined;
  }
  if (!md5.test(value) || noPasswordFormat(value) !== undefined || (found && found.algorithm !== 'md5'))
    return undefined;
  return { algorithm: 'md5', value };
}
