import type { HashAlgorithm } from '../../contract/attributes.ts';
import { highestCost, readBcrypt } from '../hashes/bcrypt.ts';
import { hashFormats, isHashAlgorithm } from '../hashes/formats.ts';
import type { Columns } from './columns.ts';
import type { Draft } from './fields.ts';
import type { IssueCause } from './issues.ts';
import { isNullMarker } from './validate-cell.ts';

const wrapper = /^\{([A-Za-z0-9_.@+-]{1,32})\}/;

/** Wrappers that only repeat an algorithm of the API, and may be removed. */
const sameAs: Partial<Record<HashAlgorithm, string>> = { bcrypt: 'bcrypt', md5: 'md5' };

/** Wrappers that are well known, and may be named; anything else between braces may be a secret. */
const otherWrappers =
  /^(?:argon2(?:@.+)?|bcrypt|cleartext|crypt|hmac.*|ldap|md4|md5|noop|pbkdf2(?:[@_-].+)?|plain|scrypt(?:@.+)?|sha(?:-?\d+)?|smd5|ssha(?:\d+)?|x-.*)$/i;

/**
 * Moves the password of a draft into its user, or adds what is wrong with it to the causes. A user never gets
 * no password by accident: both cells must be empty, and `allowPasswordless` set.
 */
export function validatePassword(draft: Draft, columns: Columns, causes: IssueCause[]): void {
  const { passwordNames: names, allowPasswordless } = columns;
  const { password } = draft;
  if (password.algorithm === '' && password.value === '' && allowPasswordless) return;
  if (password.algorithm === '' && columns.algorithm !== undefined) password.algorithm = columns.algorithm;
  const { algorithm, value } = password;
  if (algorithm === '') causes.push({ code: 'ALGORITHM_MISSING', column: names.algorithm });
  if (value === '') causes.push({ code: 'HASH_MISSING', column: names.value });
  if (algorithm === '') return;
  if (!isHashAlgorithm(algorithm)) {
    // The cell itself has been validated: one issue is enough for it.
    if (!causes.some(({ column }) => column === names.algorithm))
      causes.push({ code: 'ALGORITHM_UNKNOWN', column: names.algorithm });
    return;
  }
  const keyed = algorithm === 'hmacsha256_base64_key';
  const key = password.key === '' ? (columns.key ?? '') : password.key;
  if (keyed && (key === '' || isNullMarker(key))) causes.push({ code: 'KEY_MISSING', column: names.key });
  if (value === '' || causes.some(({ column }) => column === names.value)) return;
  const [sent, cause] = unwrap(algorithm, value);
  if (cause || !hashFormats[algorithm].test(sent)) {
    causes.push({ ...(cause ?? shapeIssue(algorithm, sent)), column: names.value });
    return;
  }
  const cost = algorithm === 'bcrypt' ? (readBcrypt(sent)?.cost ?? 0) : 0;
  if (cost > highestCost && !columns.accepted.has('HASH_COST')) {
    causes.push({ code: 'HASH_COST', column: names.value, detail: `${cost}; at most ${highestCost}` });
    return;
  }
  draft.user['hash-pwd'] = keyed ? { algorithm, value: sent, key } : { algorithm, value: sent };
}

function unwrap(algorithm: HashAlgorithm, value: string): [string, IssueCause?] {
  const found = wrapper.exec(value);
  const name = found?.[1];
  if (!found || name === undefined) return [value];
  if (name.toLowerCase() === sameAs[algorithm]) return [value.slice(found[0].length)];
  return [value, { code: 'WRAPPER', ...(otherWrappers.test(name) ? { detail: `{${name}}` } : {}) }];
}

/** Lengths of whole hashes, and what a beginning of one looks like. */
const wholes: Record<HashAlgorithm, readonly { length: number; part: RegExp }[]> = {
  md5: digestForms(16),
  md5_sha256: digestForms(32),
  hmacsha256_base64_key: digestForms(32),
  bcrypt: [{ length: 60, part: /^\$2[aby]\$\d\d\$[./A-Za-z0-9]*$/ }],
};

function digestForms(bytes: number) {
  return [
    { length: bytes * 2, part: /^[0-9a-fA-F]+$/ },
    { length: Math.ceil(bytes / 3) * 4, part: /^[A-Za-z0-9+/]+=?$/ },
  ];
}

/** Hex lengths of other digests: a whole hash of another algorithm was not cut. */
const otherLengths = new Set([32, 40, 64]);

function shapeIssue(algorithm: HashAlgorithm, value: string): IssueCause {
  const cut = wholes[algorithm].find(
    ({ length, part }) =>
      value.length < length &&
      value.length * 1.5 >= length &&
      !otherLengths.has(value.length) &&
      part.test(value),
  );
  if (!cut) return { code: 'HASH_SHAPE' };
  return { code: 'HASH_TRUNCATED', detail: `${value.length} of ${cut.length} characters` };
}
