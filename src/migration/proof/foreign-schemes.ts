/** Hashes that name their own scheme, none of which the API knows. */
const foreignSchemes: readonly { format: string; pattern: RegExp }[] = [
  { format: 'Argon2', pattern: /^(?:\{argon2\})?\$argon2(?:id|i|d)\$/i },
  { format: 'scrypt', pattern: /^(?:\$(?:scrypt|s0|7)\$|scrypt:|\{scrypt\}|SCRYPT:)/ },
  { format: 'yescrypt', pattern: /^\$g?y\$/ },
  { format: 'PBKDF2', pattern: /^(?:\$pbkdf2|\{pbkdf2|pbkdf2[_:$(-])/i },
  {
    format: 'bcrypt over a digest (Django, passlib, WordPress)',
    pattern: /^(?:bcrypt_sha256\$|\$bcrypt-sha256\$|\$wp\$)/,
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

/** What a text that names its own scheme calls itself; `undefined` for one that does not. */
export function foreignScheme(text: string): string | undefined {
  return foreignSchemes.find(({ pattern }) => pattern.test(text))?.format;
}
