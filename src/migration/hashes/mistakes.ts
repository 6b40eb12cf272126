/** What a mistake is, and what to do about it. */
export interface MistakeEntry {
  /** Follows "the password does not match: ". */
  message: string;
  remedy: string;
}

const hashAgain =
  'No option fixes this: users keep these passwords only if they type them in exactly this way';
const convert = 'The importer never changes a value: export the column again';
const declare = (name: string) =>
  `Set the algorithm column to ${name}; for a file without one, use --algorithm ${name}.`;
const unfixable = (message: string): MistakeEntry => ({
  message,
  remedy:
    'No option fixes this: the API has no such algorithm. Ask whether the old system also stores md5, md5_sha256, bcrypt or hmacsha256_base64_key; otherwise import without passwords and let users set new ones.',
});
const newKey = (how: string) =>
  `Put ${how} into a file and pass it with --key-file, with no key column in the CSV; or correct the key column.`;

/** Each known mistake of an export, by its code. Codes are stable; two that occur together are joined by a plus. */
export const hashMistakes = {
  PASSWORD_LF: {
    message: 'a line feed after the password was hashed with it',
    remedy: `${hashAgain}, which a login form does not allow. Ask for an export without it.`,
  },
  PASSWORD_CRLF: {
    message: 'a carriage return and line feed after the password were hashed with it',
    remedy: `${hashAgain}, which a login form does not allow. Ask for an export without it.`,
  },
  PASSWORD_BLANK_AFTER: {
    message: 'a space after the password was hashed with it',
    remedy: `${hashAgain}. Ask whether the old system padded passwords, or the given password lost a space.`,
  },
  PASSWORD_BLANK_BEFORE: {
    message: 'a space before the password was hashed with it',
    remedy: `${hashAgain}. Ask whether the given password lost a space.`,
  },
  PASSWORD_TRIMMED: {
    message: 'the spaces around the password were not hashed with it',
    remedy: `${hashAgain}. Give the password without these spaces; the old system trimmed them.`,
  },
  PASSWORD_SLASHED: {
    message:
      'the old system hashed the password with a backslash before each apostrophe, quote and backslash, as WordPress does',
    remedy: `${hashAgain}. Passwords without these signs match; users who have one need a new password.`,
  },
  PASSWORD_HTML: {
    message: 'the old system hashed the password with its signs & < > " written as in HTML, such as &amp;',
    remedy: `${hashAgain}. Passwords without these signs match; users who have one need a new password.`,
  },
  PASSWORD_LOWER: {
    message: 'the old system hashed the password in lower case',
    remedy: `${hashAgain}. Tell users to type lower case, or let them set a new password.`,
  },
  PASSWORD_UPPER: {
    message: 'the old system hashed the password in upper case',
    remedy: `${hashAgain}. Tell users to type upper case, or let them set a new password.`,
  },
  PASSWORD_NFC: {
    message: 'the old system hashed the password in Unicode form NFC, the given one is in another form',
    remedy: 'Give the password in form NFC, as most keyboards type it; the hashes are fine.',
  },
  PASSWORD_NFD: {
    message: 'the old system hashed the password in Unicode form NFD (letters and accents apart)',
    remedy: `${hashAgain}. Users with accents in their passwords need a new one.`,
  },
  PASSWORD_NUL: {
    message: 'a NUL byte after the password was hashed with it',
    remedy: `${hashAgain}, which nobody can. Ask for an export without it.`,
  },
  PASSWORD_UTF16LE: {
    message: 'the old system hashed the password as UTF-16LE, the API hashes UTF-8',
    remedy: 'No option fixes this: ask for hashes over UTF-8, or let users set a new password.',
  },
  PASSWORD_UTF16BE: {
    message: 'the old system hashed the password as UTF-16BE, the API hashes UTF-8',
    remedy: 'No option fixes this: ask for hashes over UTF-8, or let users set a new password.',
  },
  PASSWORD_LATIN1: {
    message: 'the old system hashed the password as Latin-1 (Windows-1252), the API hashes UTF-8',
    remedy: 'ASCII passwords match; users whose passwords have other letters need a new one.',
  },
  PASSWORD_GBK: {
    message: 'the old system hashed the password as GBK, the API hashes UTF-8',
    remedy: 'ASCII passwords match; users whose passwords have other letters need a new one.',
  },
  PASSWORD_CUT: {
    message: 'the old system hashed only the first bytes of the password (fewer than the 72 of bcrypt)',
    remedy: `${hashAgain}. Shorter passwords match; users with longer ones need a new password.`,
  },
  PASSWORD_PLAIN: {
    message: 'the hash is the password itself, in clear text',
    remedy: 'Treat the file as leaked. Ask for an export with hashes.',
  },
  PASSWORD_ENCODED: {
    message: 'the hash is the password itself in hex or base64, readable by anyone',
    remedy: 'Treat the file as leaked. Ask for an export with hashes.',
  },
  ALGORITHM_MD5: { message: 'the hash is really md5', remedy: declare('md5') },
  ALGORITHM_MD5_SHA256: { message: 'the hash is really md5_sha256', remedy: declare('md5_sha256') },
  ALGORITHM_HMAC: {
    message: 'the hash is really hmacsha256_base64_key, with the key given',
    remedy: declare('hmacsha256_base64_key'),
  },
  ALGORITHM_BCRYPT: { message: 'the hash is really bcrypt', remedy: declare('bcrypt') },
  NESTED_RAW: unfixable(
    'the outer SHA-256 was taken over the raw bytes of the MD5, not over its lower-case hex text',
  ),
  NESTED_UPPER: unfixable('the outer digest was taken over upper-case hex, not over lower-case hex'),
  NESTED_BASE64: unfixable(
    'the outer SHA-256 was taken over the base64 text of the MD5, not over its hex text',
  ),
  NESTED_ORDER: unfixable('the digests are nested the other way: MD5 over SHA-256, not SHA-256 over MD5'),
  MD5_TWICE: unfixable('the hash is MD5 taken twice'),
  SHA256_TWICE: unfixable('the hash is SHA-256 taken twice'),
  MD5_HALF: {
    message: 'the hash is the middle 16 hex digits of an MD5 ("16-bit MD5")',
    remedy: 'No option fixes this: half of the digest is missing. Ask for all 32 digits, and use md5.',
  },
  PLAIN_SHA1: unfixable('the hash is plain SHA-1, not an algorithm of the API'),
  PLAIN_SHA224: unfixable('the hash is plain SHA-224, not an algorithm of the API'),
  PLAIN_SHA256: unfixable('the hash is plain SHA-256, not an algorithm of the API'),
  PLAIN_SHA384: unfixable('the hash is plain SHA-384, not an algorithm of the API'),
  PLAIN_SHA512: unfixable('the hash is plain SHA-512, not an algorithm of the API'),
  PLAIN_SM3: unfixable('the hash is plain SM3, not an algorithm of the API'),
  HMAC_MD5: unfixable('the hash is HMAC with MD5, not with SHA-256'),
  HMAC_SHA1: unfixable('the hash is HMAC with SHA-1, not with SHA-256'),
  HMAC_SHA512: unfixable('the hash is HMAC with SHA-512, not with SHA-256'),
  HMAC_SWAPPED: unfixable('the password and the key of the HMAC were swapped: the password was the key'),
  BCRYPT_OF_MD5: unfixable('bcrypt was taken over the MD5 hex of the password, not over the password'),
  BCRYPT_OF_SHA256: unfixable('bcrypt was taken over the SHA-256 hex of the password, not over the password'),
  BCRYPT_PREFIX: {
    message: 'the bcrypt prefix is not $2a$, $2b$ or $2y$, though the rest is correct',
    remedy: `${convert} with the prefix $2b$. Hashes marked $2x$ match only ASCII passwords.`,
  },
  BCRYPT_COST: {
    message: 'not tried: the cost of this bcrypt hash is above 16, which takes minutes a login',
    remedy:
      'The local service never matches such a hash. Ask whether the tenant does; otherwise users need a new password.',
  },
  KEY_NOT_DECODED: {
    message: 'the hash was made with the text of the key; the API decodes it from base64 first',
    remedy: newKey(
      'the base64 of the key text (base64 < key.txt | tr -d "\\n", with no line end in key.txt)',
    ),
  },
  KEY_DECODED_TWICE: {
    message: 'the key is base64 of base64: the hash was made with the key decoded twice',
    remedy: newKey('the key decoded once (base64 -d < key.txt)'),
  },
  KEY_HEX: {
    message: 'the key is hex: the hash was made with the bytes it stands for',
    remedy: newKey('the base64 of those bytes (xxd -r -p key.txt | base64 | tr -d "\\n")'),
  },
  KEY_BASE64URL: {
    message: 'the key is base64url (- and _), which the API does not decode',
    remedy: newKey('the key with + for -, / for _ and its padding of ='),
  },
  KEY_UNPADDED: {
    message: 'the key is base64 without its padding, which the API does not decode',
    remedy: newKey('the key filled up with = to a multiple of four characters'),
  },
  KEY_BLANKS: {
    message: 'the key has spaces, a line end or quotes that do not belong to it',
    remedy: newKey('the key alone, without them'),
  },
  KEY_EMPTY: unfixable('the hash was made with an empty key, which the API rejects'),
  VALUE_BLANKS: {
    message: 'there are spaces around or inside the hash',
    remedy: `${convert} without spaces.`,
  },
  VALUE_QUOTED: { message: 'there are quotes around the hash', remedy: `${convert} without quotes.` },
  VALUE_LABEL: {
    message: 'there is a label in front of the hash, such as md5: or 0x or a scheme in curly brackets',
    remedy: `${convert} without the label.`,
  },
  VALUE_SEPARATORS: {
    message: 'there are colons or dashes between the digits of the hash',
    remedy: `${convert} without them.`,
  },
  VALUE_ESCAPED: {
    message: 'the hash is escaped, as in a URL, JSON or HTML',
    remedy: `${convert} unescaped.`,
  },
  VALUE_PLUS_LOST: {
    message: 'the + of the base64 hash became spaces, as in a web form',
    remedy: `${convert} with + instead of each space.`,
  },
  VALUE_BASE64URL: {
    message: 'the hash is base64url (- and _), the API reads standard base64 (+ and /)',
    remedy: `${convert} in standard base64.`,
  },
  VALUE_HEX_IN_BASE64: {
    message: 'the hash is base64 over the hex text of the digest, not over its bytes',
    remedy: `${convert} with base64 decoded once.`,
  },
  VALUE_TEXT_IN_HEX: {
    message: 'the hash is hex over the text of a digest that was already hex or base64',
    remedy: `${convert} with hex decoded once.`,
  },
  VALUE_HEX_AS_BASE64: {
    message: 'the hex text of the digest was decoded as if it were base64, then encoded again',
    remedy: `${convert} as the old system stores it, in hex.`,
  },
  VALUE_CASE: {
    message: 'the hash lost its upper or lower case, without which base64 and bcrypt cannot be read',
    remedy: 'No option fixes this: ask for another export from a column that preserves case.',
  },
  VALUE_CUT: {
    message: 'the hash is cut short, for example by a column that is too narrow',
    remedy:
      'No option fixes this: ask for another export with the whole hash. If the old system itself stores no more, users need a new password.',
  },
  SCHEME_FOREIGN: unfixable('the hash names a scheme that is not an algorithm of the API'),
} as const satisfies Record<string, MistakeEntry>;

/** Code of one mistake. */
export type MistakeCode = keyof typeof hashMistakes;
