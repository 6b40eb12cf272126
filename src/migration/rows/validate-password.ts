import { bcryptCosts, type HashAlgorithm, isHashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import {
  acceptedDigests,
  digestBytes,
  digestMatches,
  readBcrypt,
  readHmacKey,
} from '../../text/hash-forms.ts';
import { foreignHash, isLockedHash, noPasswordFormat, ofEmptyPassword } from '../hashes/foreign-schemes.ts';
import { hashFormats, looksLikeHash, lostForm } from '../hashes/formats.ts';
import { bytesRemedy, foreignKind, kindsOf } from '../hashes/identify.ts';
import { inferHash, mayBeOfKind } from '../hashes/infer.ts';
import { isCutBcrypt } from '../hashes/verify.ts';
import type { Columns } from './columns.ts';
import type { Draft } from './fields/fields.ts';
import { isNullMarker } from './fields/validate-cell.ts';
import { saltedDigest } from './ignored-columns.ts';
import { mayBeOwn } from './issues/count-issues.ts';
import type { IssueCause } from './issues/issues.ts';
import { algorithmOf, unwrap, wrapper } from './unwrap.ts';

/**
 * Moves the password of a draft into its user, or adds its issues to `causes`. A user is never left without a password by accident:
 * that takes two empty cells and `allowPasswordless`, or a foreign hash and `foreignHashes: 'passwordless'`.
 */
export function validatePassword(draft: Draft, columns: Columns, causes: IssueCause[], salt?: string): void {
  const { passwordNames: names, allowPasswordless } = columns;
  const { password } = draft;
  const isBlank = password.algorithm === '' && password.value === '';
  if (isBlank && allowPasswordless) return;
  if (isLockedHash(password.value)) {
    causes.push({ code: 'HASH_LOCKED', column: names.value });
    return;
  }
  const isSpoilt = causes.some(({ column }) => column === names.value);
  if (columns.algorithm === 'infer' && password.algorithm === '' && !isSpoilt)
    Object.assign(password, inferHash(password.value));
  password.algorithm = algorithmOf(password, columns.algorithm);
  const { algorithm, value } = password;
  const salted = salt !== undefined && isDigest(password) ? saltedDigest(salt) : undefined;
  const foreign = foreignOf(password, columns, isSpoilt) ?? salted;
  if (foreign && columns.foreignHashes === 'passwordless') {
    password.algorithm = '';
    // The recipe does not list the algorithm, which does not matter without a password.
    const unlisted = causes.findIndex(({ code }) => code === 'ALGORITHM_UNKNOWN');
    if (unlisted !== -1) causes.splice(unlisted, 1);
    return;
  }
  if (foreign) {
    const { format: detail, remedy } = foreign;
    causes.push({ code: 'HASH_FOREIGN', column: names.value, detail, remedy });
    if (algorithm === '' || isHashAlgorithm(algorithm)) return;
  }
  if (isBlank) {
    causes.push({ code: 'PASSWORD_MISSING', column: names.value });
    return;
  }
  if (algorithm === '') causes.push(missingAlgorithm(columns, value));
  if (value === '') causes.push({ code: 'HASH_MISSING', column: names.value });
  if (algorithm === '') return;
  if (isHashAlgorithm(algorithm)) {
    const hash = validateHash(algorithm, password, columns, causes);
    if (hash) draft.user['hash-pwd'] = hash;
    return;
  }
  const name = nameOfAlgorithm(algorithm);
  if (columns.foreignHashes === 'passwordless' && name !== undefined && !isMisspelt(password)) {
    password.algorithm = '';
  } else if (!causes.some(({ column }) => column === names.algorithm)) {
    // The cell has been checked before, and one issue is enough for it.
    const detail = name === undefined ? {} : { detail: name };
    causes.push({ code: 'ALGORITHM_UNKNOWN', column: names.algorithm, ...detail });
  }
}

/** Returns the password as it is sent, and adds issues of hash and key to `causes`; `undefined` if the password cannot be sent. */
function validateHash(
  algorithm: HashAlgorithm,
  { value, key: ownKey }: Draft['password'],
  columns: Columns,
  causes: IssueCause[],
): HashedPassword | undefined {
  const { passwordNames: names } = columns;
  const isKeyed = algorithm === 'hmacsha256_base64_key';
  const key = ownKey === '' ? (columns.key ?? '') : ownKey;
  const keyIssue = isKeyed ? issueOfKey(key, columns) : undefined;
  if (keyIssue) causes.push({ ...keyIssue, column: names.key });
  const hasIssue = causes.some(({ column }) => column === names.value);
  if (hasIssue || keyIssue?.code === 'KEY_FORM') return undefined;
  const [sent, wrapperIssue] = unwrap(algorithm, value);
  const hashIssue = wrapperIssue ?? issueOfHash(algorithm, sent, columns);
  if (hashIssue) {
    causes.push({ ...hashIssue, column: names.value });
    return undefined;
  }
  return isKeyed ? { algorithm, value: sent, key } : { algorithm, value: sent };
}

function issueOfKey(key: string, { accepted }: Columns): IssueCause | undefined {
  if (key === '' || isNullMarker(key)) return { code: 'KEY_MISSING' };
  const otherForm = accepted.has('KEY_FORM') ? undefined : otherFormOf(key);
  return otherForm === undefined ? undefined : { code: 'KEY_FORM', detail: otherForm };
}

function issueOfHash(algorithm: HashAlgorithm, value: string, { accepted }: Columns): IssueCause | undefined {
  const lost = lostForm(algorithm, value);
  if (lost !== undefined) return { code: 'HASH_SHAPE', detail: lost.reason, remedy: lost.remedy };
  if (!hashFormats[algorithm].test(value)) return shapeIssue(algorithm, value);
  const cost = algorithm === 'bcrypt' ? (readBcrypt(value)?.cost ?? 0) : 0;
  if (cost <= bcryptCosts.accepted || accepted.has('HASH_COST')) return undefined;
  return { code: 'HASH_COST', detail: `${cost}; at most ${bcryptCosts.accepted}` };
}

/** True for a hash without a salt in itself, unlike bcrypt. An unknown algorithm is reported as such. */
function isDigest({ algorithm, value }: Draft['password']): boolean {
  if (value === '' || algorithm === 'bcrypt' || (algorithm !== '' && !isHashAlgorithm(algorithm)))
    return false;
  return kindsOf(value).every((kind) => kind.algorithm !== 'bcrypt');
}

/**
 * True for a hash of the API under another name, such as `blowfish` or `HMAC-SHA256`: once the name is corrected, the user keeps the
 * password. Not for bcrypt over a digest of the password, nor for a hash with a salt of its own or a pepper.
 */
function isMisspelt({ algorithm: name, value }: Draft['password']): boolean {
  if (!mayBeOwn(name) || /salt|pepper/i.test(name)) return false;
  const isDigestName = /sha|md-?5|hmac/i.test(name);
  const kinds = [inferHash(value)?.algorithm ?? null, ...kindsOf(value).map(({ algorithm }) => algorithm)];
  return kinds.some((algorithm) => algorithm !== null && (algorithm === 'bcrypt') !== isDigestName);
}

/**
 * Describes a hash that the API does not accept; `undefined` for any other. A recipe's word that all hashes are foreign does not
 * count for bcrypt of another system: the user would lose the password.
 */
function foreignOf(
  { algorithm, value, key: ownKey }: Draft['password'],
  { foreignKind: named, key = '' }: Columns,
  isSpoilt: boolean,
) {
  if (named !== undefined && value !== '' && mayBeOfKind(named, value)) return { format: named };
  if (isSpoilt) return undefined;
  // A digest under the name of an algorithm of the API may be cut, or in the wrong row.
  if (!hasOwnForm(algorithm, value)) return algorithm === '' ? foreignKind(value) : foreignHash(value);
  return algorithm === 'hmacsha256_base64_key' && isOfNothing(value, ownKey || key)
    ? ofEmptyPassword
    : undefined;
}

/** The digest of an empty password by the key of the last row: in most files, all rows have the same. */
let ofNothing: { key: string; digest: Buffer } | undefined;

function isOfNothing(value: string, key: string): boolean {
  if (ofNothing?.key !== key)
    ofNothing = { key, digest: acceptedDigests.hmacsha256_base64_key(Buffer.alloc(0), readHmacKey(key)) };
  return digestMatches(ofNothing.digest, value);
}

/** Words in names of algorithms: a text without one may be a password in the wrong column. */
const algorithmWords =
  /md-?[245]|sha-?\d|ssha|^sha|crypt|blowfish|pbkdf|argon|hmac|phpass|^des$|3des|aes|sm3|ntlm|^nt$|^lm$|ripemd|whirlpool|tiger|crc32|base64|plain|clear|^none$|salt|legacy/i;

/** Returns the text if it is the name of an algorithm, and so may be shown; otherwise `undefined`. */
export function nameOfAlgorithm(text: string): string | undefined {
  const isName = /^[A-Za-z0-9][\w .()+/@-]{0,31}$/.test(text) && algorithmWords.test(text);
  return isName && !looksLikeHash(text) && kindsOf(text).length === 0 ? text : undefined;
}

function missingAlgorithm(
  { algorithm, passwordNames: names, foreignKind }: Columns,
  value: string,
): IssueCause {
  if (algorithm === 'infer' && isCutBcrypt(value)) return { ...cut(value, 60), column: names.value };
  if (foreignKind !== undefined && value !== '')
    return { code: 'ALGORITHM_MISSING', column: names.value, detail: `bcrypt, not ${foreignKind}` };
  if (algorithm !== 'infer' || value === '') return { code: 'ALGORITHM_MISSING', column: names.algorithm };
  const kinds = kindsOf(value).map(({ format }) => format);
  const remedy = 'Name the algorithm, with --algorithm or in the recipe, and verify it with --canary.';
  if (kinds.length === 0) return { code: 'HASH_SHAPE', column: names.value, remedy: bytesRemedy(value) };
  return {
    code: 'ALGORITHM_MISSING',
    column: names.value,
    detail: `it can be ${kinds.join(' or ')}`,
    remedy,
  };
}

/**
 * True for a hash in the form of its algorithm, as nearly all are: it cannot be foreign. Also true for an API algorithm with a
 * wrapper before the hash: the wrapper is the issue, and may be all that is wrong.
 */
function hasOwnForm(algorithm: string, value: string): boolean {
  if (!isHashAlgorithm(algorithm) || noPasswordFormat(value) !== undefined) return false;
  return hashFormats[algorithm].test(value) || wrapper.test(value);
}

/** Lengths in hex of other digests: a value of such a length is a whole hash of another algorithm, not one cut short. */
const otherLengths = new Set([16, 32, 40, 64]);

function shapeIssue(algorithm: HashAlgorithm, value: string): IssueCause {
  if (algorithm === 'bcrypt') {
    const bare = value.replace(/^bcrypt\$(?=\$2)/, '');
    if (bare !== value && hashFormats.bcrypt.test(bare))
      return { code: 'HASH_SHAPE', detail: 'bcrypt with a prefix', remedy: 'Remove the prefix bcrypt$.' };
    if (isCutBcrypt(value)) return cut(value, 60);
  } else {
    const bytes = digestBytes[algorithm];
    const base64 = Math.ceil(bytes / 3) * 4;
    if (/^[0-9a-f]+$/i.test(value)) {
      if (value.length < bytes * 2 && value.length >= bytes && !otherLengths.has(value.length))
        return cut(value, bytes * 2);
    } else if (value.length < base64 && value.length * 1.5 >= base64 && /^[A-Za-z0-9+/]+=?$/.test(value)) {
      return cut(value, base64);
    }
  }
  const kind = kindsOf(value).find((one) => one.algorithm !== algorithm);
  return kind ? { code: 'HASH_SHAPE', detail: `it looks like ${kind.format}` } : { code: 'HASH_SHAPE' };
}

function cut(value: string, whole: number): IssueCause {
  return { code: 'HASH_TRUNCATED', detail: `${value.length} of ${whole} characters` };
}

/** Key forms that the API decodes to the wrong bytes, recognized by how 16 or more random bytes look in them. */
const otherForms: readonly { form: string; shape: RegExp }[] = [
  { form: 'it looks like hex', shape: /^(?:[0-9a-f]{2}){16,}$/i },
  {
    form: 'it looks like base64 without its padding',
    shape: /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?:[A-Za-z0-9+/]{4}){5,}[A-Za-z0-9+/]{2,3}$/,
  },
  {
    form: 'it looks like base64url',
    shape:
      /^(?=.*[a-z])(?=.*[A-Z])(?=.*[-_])(?:[\w-]{22}|[\w-]{32}|[\w-]{43}|[\w-]{64}|[\w-]{86}|(?=.*\d)(?:[\w-]{4}){5,}[\w-]{2,3})={0,2}$/,
  },
  {
    form: 'it has blanks or quotes around its base64',
    shape:
      /^(?=.*[\s"'`])[\s"'`]*(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)[\s"'`]*$/,
  },
];

/** Describes the form of a key that the API decodes to the wrong bytes; `undefined` for any other key. */
function otherFormOf(key: string): string | undefined {
  return otherForms.find(({ shape }) => shape.test(key))?.form;
}
