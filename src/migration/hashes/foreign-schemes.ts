/** A kind of hash that is recognized by its text, and that the API does not accept. */
interface ForeignScheme {
  format: string;
  pattern: RegExp;
  /** What to do about it, unless the users must set a new password. */
  remedy?: string;
}

/** The step of a recipe that takes a bcrypt hash out of a PHP array. */
const unwrapping = { match: '^a:1:\\{s:4:"hash";s:60:"(.{60})";\\}$', with: '$1' };

/** A hash that the API accepts inside a text that it does not. */
export const wrappedBcrypt = {
  replace: unwrapping,
  format: 'bcrypt in a PHP array (XenForo)',
  pattern: /^a:1:\{s:4:"hash";s:60:"\$2[aby]\$.{56}";\}$/,
  remedy: `The hash itself can be imported: add in a recipe, under password:, replace: [{ match: '${unwrapping.match}', with: "${unwrapping.with}" }].`,
} satisfies ForeignScheme & { replace: typeof unwrapping };

/** Hashes that name their own scheme, none of which the API accepts. */
const foreignSchemes: readonly ForeignScheme[] = [
  {
    format: 'plain text behind {noop} or {cleartext}',
    pattern: /^\{(?:noop|cleartext|plain)\}/i,
    remedy: 'This is the password itself: keep the file secret, make a bcrypt hash of it, and import that.',
  },
  { format: 'PBKDF2 (Atlassian)', pattern: /^\{PKCS5S2\}/ },
  {
    format: 'PBKDF2 (ASP.NET Identity)',
    pattern: /^(?:AQAAAA[A-Za-z0-9+/]{60,}={0,2}|A[A-P][A-Za-z0-9+/]{64}==)$/,
  },
  { format: 'digest, salted (Apache Shiro)', pattern: /^\$shiro[12]\$/ },
  { format: 'digest, salted (Magento)', pattern: /^[0-9a-f]{32,64}:[^:\s]+:\d(?:_\d+)*$/i },
  { format: 'digest, salted (MediaWiki)', pattern: /^:(?:A|B|pbkdf2|pbkdf2-legacy[AB]|bcrypt|argon2):/ },
  { format: 'MD5 over password and user name (PostgreSQL)', pattern: /^md5[0-9a-f]{32}$/ },
  { format: 'SCRAM', pattern: /^SCRAM-SHA-(?:1|256)\$/i },
  { format: 'digest, salted (SQL Server)', pattern: /^0x0[12]00[0-9a-f]{48,}$/i },
  { format: 'Argon2', pattern: /^(?:\{argon2(?:@[^}]*)?\}|\{argon2id?\}|argon2)?\$argon2(?:id|i|d)\$/i },
  {
    format: 'scrypt (Spring)',
    pattern: /^(?:\{scrypt(?:@[^}]*)?\})?\$[0-9a-f]{5,6}\$[A-Za-z0-9+/]{20,}={0,2}\$/i,
  },
  { format: 'scrypt (Firebase)', pattern: /^(?:\{?firebase[_-]?scrypt[}:$]|\$(?:fbscrypt|firescrypt)\$)/i },
  { format: 'password of another system behind {SASL}', pattern: /^\{sasl\}/i },
  { format: 'SHA-1 (Django, without a salt)', pattern: /^sha1\$\$[0-9a-f]{40}$/i },
  {
    format: 'PBKDF2 or Argon2 (Keycloak, JSON)',
    pattern: /^\{[^{}]*"(?:hashIterations|secretData|credentialData|hashedSaltedValue)"/,
  },
  { format: 'PBKDF2 (Django with a label, Discourse)', pattern: /^\$pbkdf2-sha\d+\$i=\d+/i },
  { format: 'PBKDF2 (Ory, Zitadel, Cisco)', pattern: /^\$(?:pbkdf2|8)(?:-sha\d+)?\$/i },
  { format: 'scrypt (Cisco, Juniper)', pattern: /^\$(?:9|7)\$[./A-Za-z0-9$]{14,}/ },
  { format: 'SHA-1 crypt, salted', pattern: /^\$sha1\$/ },
  { format: 'MD5 crypt of Solaris', pattern: /^\$md5[$,]/ },
  { format: 'Gost-yescrypt, bcrypt or SHA crypt of other systems', pattern: /^\$(?:gy|sm3|8y)\$/ },
  { format: 'digest over bytes and salt (AuthMe)', pattern: /^\$SHA\$[^$]+\$[0-9a-f]{64}$/ },
  { format: 'Drupal 7 over an older hash, salted', pattern: /^U\$[SPH]\$/ },
  {
    format: 'PBKDF2 (Node, salt and hash with dots or colons)',
    pattern: /^(?:pbkdf2|sha\d+)[.:]\d{3,7}[.:]/i,
  },
  { format: 'PBKDF2 (ASP.NET SimpleMembership)', pattern: /^AA[A-Za-z0-9+/]{64}[A-Za-z0-9+/]{0,4}==$/ },
  { format: 'SHA-512, salted (Oracle)', pattern: /^(?:S|T):[0-9A-F]{60,}/ },
  { format: 'MySQL caching_sha2_password', pattern: /^\$A\$00\d\$/ },
  { format: 'DES crypt of BSDi', pattern: /^_[./A-Za-z0-9]{19}$/ },
  { format: 'Lotus Notes', pattern: /^\([A-Za-z0-9+/]{19,49}\)$/ },
  {
    format: 'CRAM or DIGEST (Dovecot)',
    pattern: /^\{(?:cram-md5|digest-md5|scram-sha-\d+|ldap-md5|ntlm|lanman|rpa|otp|skey)[^}]*\}/i,
  },
  {
    format: 'digest over a salt in braces (Spring)',
    pattern: /^(?:\{(?:md5|sha-?\d+)\}\{[^{}]{1,64}\}|\{[A-Za-z0-9+/]{43}=\})[A-Za-z0-9+/]{22,128}={0,2}$/i,
  },
  { format: 'scrypt (Better Auth)', pattern: /^[0-9a-f]{32}:[0-9a-f]{128}$/i },
  {
    format: 'scrypt or PBKDF2 with its salt, joined by a dot (Node)',
    pattern: /^(?:[0-9a-f]{16,64}\.[0-9a-f]{64,128}|[0-9a-f]{64,128}\.[0-9a-f]{16,64})$/i,
  },
  wrappedBcrypt,
  { format: 'salted or older hash in a PHP array (XenForo)', pattern: /^a:\d:\{s:4:"(?:hash|salt)";/ },
  { format: 'HMAC with its key (Ory)', pattern: /^\$hmac-(?:md[45]|sha\d+)\$/ },
  { format: 'MD5 or SHA crypt (Ory)', pattern: /^\$(?:md5|sha256|sha512)-crypt\$/ },
  { format: 'digest with a salting format (Ory)', pattern: /^\$sha(?:256|512)\$/ },
  { format: 'scrypt (Go)', pattern: /^\d{3,9}\$\d{1,3}\$\d{1,3}\$[0-9a-f]{16,}\$[0-9a-f]{32,}$/i },
  { format: 'PBKDF2 or SHA-1, salted (CouchDB)', pattern: /^-(?:pbkdf2(?::[\w-]+)?|hashed)-[0-9a-f]{40,},/i },
  {
    format: 'crypt in braces, salted',
    pattern: /^\{(?:crypt|md5-crypt|sha256-crypt|sha512-crypt|des-crypt)\}(?!\$2[aby]\$)/i,
  },
  { format: 'digest with a salt before a dollar', pattern: /^[A-Za-z0-9]{2,40}\$[0-9a-f]{32,128}$/i },
  { format: 'scrypt', pattern: /^(?:\$(?:scrypt|s0|7)\$|scrypt:|\{scrypt\}|SCRYPT:)/ },
  { format: 'yescrypt', pattern: /^\$g?y\$/ },
  { format: 'PBKDF2', pattern: /^(?:\$pbkdf2|\{pbkdf2|pbkdf2[_:$(-][^$:,(]*[$:,(])/i },
  {
    format: 'bcrypt over a digest (Django, passlib, WordPress)',
    pattern: /^(?:bcrypt_sha256\$|\$bcrypt-sha(?:256|512)\$|\$wp\$)/,
  },
  { format: 'bcrypt in its first form ($2$)', pattern: /^\$2\$\d\d\$/ },
  { format: 'MD5 crypt, salted', pattern: /^\$(?:1|apr1)\$/ },
  { format: 'SHA-256 crypt, salted', pattern: /^\$5\$/ },
  { format: 'SHA-512 crypt, salted', pattern: /^\$6\$/ },
  { format: 'phpass (WordPress, phpBB), salted', pattern: /^\$[PH]\$[./A-Za-z0-9]/ },
  { format: 'Drupal 7, salted', pattern: /^\$S\$[./A-Za-z0-9]/ },
  { format: 'NT hash', pattern: /^\$3\$\$|^\{(?:nt|ntlm)\}/i },
  { format: 'Django digest, salted', pattern: /^(?:md5|sha1|sha256|sha512)\$[^$]+\$/ },
  {
    format: 'salted digest (LDAP)',
    pattern: /^\{(?:smd5|ssha|ssha-?(?:224|256|384|512))(?:\.[a-z0-9]+)?\}/i,
  },
  {
    format: 'digest with a salt behind a colon',
    pattern: /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}):[^:\s]{1,64}$/i,
  },
  { format: 'MySQL PASSWORD()', pattern: /^\*[0-9A-F]{40}$/i },
];

/** MD5 of the empty text, SHA-256 over it and SHA-256 of it, in hex and base64: at most an empty password would match them. */
const ofNothing = [
  'd41d8cd98f00b204e9800998ecf8427e',
  '1B2M2Y8AsgTpgAmY7PhCfg(?:==)?',
  'f215faf9d88b7f0a881632ee22459ee452a296c808d261b6cc993d3a1fd0600e',
  '8hX6\\+diLfwqIFjLuIkWe5FKilsgI0mG2zJk9Oh/QYA4=?',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '47DEQpj8HBSa\\+/TImW\\+5JCeuQeRkm5NMpJWZG3hSuFU=?',
].join('|');

const noPassword = 'The user had no password: leave algorithm and hash empty, and add --allow-passwordless.';

/** Describes the hash of an empty password; that of an HMAC depends on its key. */
export const ofEmptyPassword = { format: 'hash of an empty password', remedy: noPassword };

/**
 * A hash behind ! or *, which GOsa writes after the scheme and Unix before it, or *LK* of Solaris: an administrator has disabled
 * this account. 13 characters behind ! are DES crypt.
 */
const lockedHash: ForeignScheme = {
  format: 'hash of an account that was locked with ! or *',
  pattern: /^(?:\{[\w.-]{1,20}\}[!*]|[!*]{1,2}[$_{]|![./A-Za-z0-9]{13}$|\*LK\*)/,
  remedy:
    'An administrator has disabled these people: leave them out (skip: with match: in a recipe), or unlock them first.',
};

/** True for the hash of an account that an administrator has disabled. */
export function isLockedHash(text: string): boolean {
  return lockedHash.pattern.test(text);
}

/** Marks of users without a password: texts that cannot be a hash, or the hash of an empty password. */
const noPasswordMarks: readonly ForeignScheme[] = [
  {
    format: 'no usable password (Django, LDAP, Unix)',
    pattern: /^(?:!{1,2}|\*|\*NP\*|![A-Za-z0-9]{40})$/,
    remedy: noPassword,
  },
  { ...ofEmptyPassword, pattern: new RegExp(`^(?:\\{md5\\})?(?:${ofNothing})$`, 'i') },
];

/** A label before a digest that other systems use, and that the API does not accept. `identify` also examines what follows it. */
const foreignLabel: ForeignScheme = {
  format: 'digest in braces (LDAP, Spring)',
  pattern: /^\{(?:md4|standardpasswordencoder|ldap|sha|sha-?1|sha-?(?:224|256|384|512))\}/i,
};

const ownSchemes = [lockedHash, ...foreignSchemes];
const notAccepted = [...noPasswordMarks, ...ownSchemes, foreignLabel];

/** Returns the scheme of a text that names its own; `undefined` for any other text. */
export function foreignScheme(text: string): string | undefined {
  return ownSchemes.find(({ pattern }) => pattern.test(text))?.format;
}

/** Describes a hash that the API does not accept; without `remedy`, only a new password helps. `undefined` for any other text. */
export function foreignHash(text: string): { format: string; remedy?: string } | undefined {
  return notAccepted.find(({ pattern }) => pattern.test(text));
}

/** Returns the format of a text that means that a user has no password; `undefined` for any other. */
export function noPasswordFormat(text: string): string | undefined {
  return noPasswordMarks.find(({ pattern }) => pattern.test(text))?.format;
}
