import { createHmac } from 'node:crypto';
import type { HashAlgorithm } from '../../../src/contract/attributes.ts';
import type { MistakeCode } from '../../../src/migration/hashes/mistakes.ts';
import { bcrypt, hex, hmac, key, keyBytes, makeHash, raw } from './make-hash.ts';

/** A hash with a mistake, as an old system or an export makes it. */
export interface MadeMistake {
  code: MistakeCode;
  algorithm: HashAlgorithm;
  password: string;
  value: string;
  key?: string;
}

const password = 'Geheim 123!';
const algorithms = Object.keys(makeHash) as HashAlgorithm[];

/** The password that is given, and the text that was hashed. */
const ofPasswords: [MistakeCode, string, string | Buffer][] = [
  ['PASSWORD_LF', password, `${password}\n`],
  ['PASSWORD_CRLF', password, `${password}\r\n`],
  ['PASSWORD_BLANK_AFTER', password, `${password} `],
  ['PASSWORD_BLANK_BEFORE', password, ` ${password}`],
  ['PASSWORD_TRIMMED', ` ${password}  `, password],
  ['PASSWORD_SLASHED', 'O\'Neil "1\\', 'O\\\'Neil \\"1\\\\'],
  ['PASSWORD_HTML', 'a&b<"c">', 'a&amp;b&lt;&quot;c&quot;&gt;'],
  ['PASSWORD_LOWER', password, 'geheim 123!'],
  ['PASSWORD_NFC', 'Mu\u0308ll', 'M\u00fcll'],
  ['PASSWORD_NFD', 'M\u00fcll', 'Mu\u0308ll'],
  ['PASSWORD_UTF16LE', password, Buffer.from(password, 'utf16le')],
  ['PASSWORD_UTF16BE', 'Ab1', Buffer.from('\0A\0b\x001', 'latin1')],
  ['PASSWORD_LATIN1', 'Müll€', Buffer.from('M\xfcll\x80', 'latin1')],
  ['PASSWORD_GBK', '密码1', Buffer.from('c3dcc2eb31', 'hex')],
];

/** These mistakes are not tried with bcrypt, which is slow. */
const ofPasswordsInDigests: typeof ofPasswords = [
  ['PASSWORD_UPPER', password, 'GEHEIM 123!'],
  ['PASSWORD_NUL', password, `${password}\0`],
];

/** Wrong values, whatever algorithm was declared. The HMAC key is known. */
const ofDigests: [MistakeCode, string][] = [
  ['NESTED_RAW', hex('sha256', raw('md5', password))],
  ['NESTED_UPPER', hex('sha256', hex('md5', password).toUpperCase())],
  ['NESTED_BASE64', hex('sha256', raw('md5', password).toString('base64'))],
  ['NESTED_ORDER', hex('md5', hex('sha256', password))],
  ['NESTED_ORDER', hex('md5', raw('sha256', password))],
  ['MD5_TWICE', hex('md5', hex('md5', password))],
  ['SHA256_TWICE', hex('sha256', hex('sha256', password))],
  ['MD5_HALF', hex('md5', password).slice(8, 24)],
  ['PLAIN_SHA1', hex('sha1', password)],
  ['PLAIN_SHA224', hex('sha224', password)],
  ['PLAIN_SHA256', raw('sha256', password).toString('base64')],
  ['PLAIN_SHA384', hex('sha384', password)],
  ['PLAIN_SHA512', hex('sha512', password)],
  ['PLAIN_SM3', hex('sm3', password)],
  ['HMAC_SWAPPED', hmac(password, keyBytes)],
  ['HMAC_MD5', createHmac('md5', keyBytes).update(password).digest('hex')],
  ['HMAC_SHA1', createHmac('sha1', keyBytes).update(password).digest('base64')],
  ['HMAC_SHA512', createHmac('sha512', keyBytes).update(password).digest('hex')],
  ['PASSWORD_PLAIN', password],
  ['PASSWORD_ENCODED', Buffer.from(password).toString('base64')],
  ['PASSWORD_ENCODED', Buffer.from(password).toString('hex')],
  ['SCHEME_FOREIGN', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'],
];

const really = {
  ALGORITHM_MD5: 'md5',
  ALGORITHM_MD5_SHA256: 'md5_sha256',
  ALGORITHM_HMAC: 'hmacsha256_base64_key',
  ALGORITHM_BCRYPT: 'bcrypt',
} as const satisfies { [Code in MistakeCode]?: HashAlgorithm };

const urlKey = Buffer.from('fbffbf6669', 'hex');
/** The HMAC key that is given, and the bytes that were used. */
const ofKeys: [MistakeCode, string, Buffer | string][] = [
  ['KEY_NOT_DECODED', 'sixteen1letters2', 'sixteen1letters2'],
  ['KEY_DECODED_TWICE', Buffer.from(key).toString('base64'), keyBytes],
  ['KEY_HEX', keyBytes.toString('hex'), keyBytes],
  ['KEY_HEX', 'ABCDEF', Buffer.from('abcdef', 'hex')],
  ['KEY_BASE64URL', urlKey.toString('base64url'), urlKey],
  ['KEY_BASE64URL', `${urlKey.toString('base64url')}=`, urlKey],
  ['KEY_UNPADDED', 'c2VjcmV0MQ', 'secret1'],
  ['KEY_BLANKS', `${key}\n`, keyBytes],
  ['KEY_BLANKS', `"${key}"`, keyBytes],
  ['KEY_EMPTY', '', ''],
];

type Damage = [MistakeCode, (value: string) => string];

/** Damage that can happen to any text. */
const ofTexts: Damage[] = [
  ['VALUE_BLANKS', (value) => ` ${value}\u00a0`],
  ['VALUE_BLANKS', (value) => `${value.slice(0, 9)}\n${value.slice(9)}`],
  ['VALUE_QUOTED', (value) => `"${value}"`],
  ['VALUE_QUOTED', (value) => `'${value}'`],
  ['VALUE_CUT', (value) => value.slice(0, 20)],
  ['VALUE_LABEL', (value) => `{CRYPT}${value}`],
];

const bytesOf = (value: string) => Buffer.from(value, /^[0-9a-f]+$/.test(value) ? 'hex' : 'base64');

/** Damage that can happen to digests. */
const ofDigestTexts: Damage[] = [
  ['VALUE_LABEL', (value) => `md5:${value}`],
  ['VALUE_LABEL', (value) => `0x${bytesOf(value).toString('hex')}`],
  ['VALUE_LABEL', (value) => `\\x${bytesOf(value).toString('hex')}`],
  [
    'VALUE_SEPARATORS',
    (value) =>
      bytesOf(value)
        .toString('hex')
        .replace(/..(?!$)/g, '$&:'),
  ],
  ['VALUE_HEX_IN_BASE64', (value) => Buffer.from(bytesOf(value).toString('hex')).toString('base64')],
  ['VALUE_TEXT_IN_HEX', (value) => Buffer.from(bytesOf(value).toString('base64')).toString('hex')],
  ['VALUE_HEX_AS_BASE64', (value) => Buffer.from(bytesOf(value).toString('hex'), 'base64').toString('hex')],
  ['VALUE_CASE', (value) => bytesOf(value).toString('base64').toLowerCase()],
  ['VALUE_ESCAPED', (value) => encodeURIComponent(bytesOf(value).toString('base64'))],
  ['VALUE_CUT', (value) => bytesOf(value).toString('base64').slice(0, 15)],
];

const long = 'long password '.repeat(6);
/** Mistakes of bcrypt alone. */
const ofBcrypt: [MistakeCode, string, string][] = [
  ['BCRYPT_OF_MD5', password, bcrypt(hex('md5', password))],
  ['BCRYPT_OF_SHA256', password, bcrypt(hex('sha256', password))],
  ['BCRYPT_PREFIX', password, bcrypt(password).replace('$2b$', '$2x$')],
  ['BCRYPT_PREFIX', password, bcrypt(password).replace('$2b$', '2b$')],
  ['BCRYPT_COST', password, bcrypt(password).replace('$04$', '$17$')],
  ['PASSWORD_CUT', long, bcrypt(long.slice(0, 71))],
  ['PASSWORD_CUT', long, bcrypt(long.slice(0, 56))],
  ['VALUE_CASE', password, bcrypt(password).toLowerCase()],
  ['VALUE_CASE', password, bcrypt(password).toUpperCase()],
  ['VALUE_CUT', password, bcrypt(password).slice(0, 59)],
  ['SCHEME_FOREIGN', password, bcrypt(password).replace('$2b$', '$2$')],
];

/** A digest whose base64 has both a plus and a slash, so that damage to them is visible. */
const signs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n']
  .map((password) => ({ password, value: hmac(keyBytes, password) }))
  .filter(({ value }) => value.includes('+') && value.includes('/'));
const ofSigns: Damage[] = [
  ['VALUE_PLUS_LOST', (value) => value.replaceAll('+', ' ')],
  ['VALUE_BASE64URL', (value) => value.replaceAll('+', '-').replaceAll('/', '_')],
  ['VALUE_ESCAPED', (value) => value.replaceAll('/', '\\/')],
];

/** Each mistake in each algorithm in which it can be made. */
export const madeMistakes: MadeMistake[] = [
  ...algorithms.flatMap((algorithm) =>
    [...ofPasswords, ...(algorithm === 'bcrypt' ? [] : ofPasswordsInDigests)].map(
      ([code, given, hashed]) => ({
        code,
        algorithm,
        password: given,
        value: makeHash[algorithm](hashed),
        key,
      }),
    ),
  ),
  ...algorithms.flatMap((algorithm) =>
    ofDigests.map(([code, value]) => ({ code, algorithm, password, value, key })),
  ),
  ...algorithms.flatMap((algorithm) =>
    Object.entries(really)
      .filter(([, name]) => name !== algorithm)
      .map(([code, name]) => ({
        code: code as MistakeCode,
        algorithm,
        password,
        value: makeHash[name](password),
        key,
      })),
  ),
  ...ofKeys.map(([code, given, used]): MadeMistake => {
    return { code, algorithm: 'hmacsha256_base64_key', password, value: hmac(used, password), key: given };
  }),
  ...algorithms.flatMap((algorithm) =>
    [...ofTexts, ...(algorithm === 'bcrypt' ? [] : ofDigestTexts)].map(([code, damage]) => ({
      code,
      algorithm,
      password,
      value: damage(makeHash[algorithm](password)),
      key,
    })),
  ),
  ...signs.flatMap(({ password, value }) =>
    ofSigns.map(([code, damage]): MadeMistake => {
      return { code, algorithm: 'hmacsha256_base64_key', password, value: damage(value), key };
    }),
  ),
  ...ofBcrypt.map(
    ([code, given, value]): MadeMistake => ({ code, algorithm: 'bcrypt', password: given, value }),
  ),
];
