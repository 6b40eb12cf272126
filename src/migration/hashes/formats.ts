import type { HashAlgorithm } from '../../contract/attributes.ts';

/** Hex or base64 of 16 and of 32 bytes, padded or not, as an encoder writes it: the last character has no stray bits. */
const of16Bytes = /^(?:[0-9a-fA-F]{32}|[A-Za-z0-9+/]{21}[AQgw](?:==)?)$/;
const of32Bytes = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?)$/;

/**
 * The forms of hashes that can be verified later (decisions 31 to 34). They include bcrypt above the cost that is compared, which
 * has a separate warning. The service itself accepts any text.
 */
export const hashFormats = {
  md5: of16Bytes,
  md5_sha256: of32Bytes,
  hmacsha256_base64_key: of32Bytes,
  bcrypt: /^(?:\{[bB][cC][rR][yY][pP][tT]\})?(?:\$2[aby]\$)?(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/,
} as const satisfies Record<HashAlgorithm, RegExp>;

/** True for a text that could be a hash of any algorithm of the API, and so must not be shown. */
export function looksLikeHash(text: string): boolean {
  return Object.values(hashFormats).some((shape) => shape.test(text));
}

/** Why a text in the form of its algorithm can never match a password, and what to do about it. */
const lostForms = {
  case: {
    reason: 'its letters have lost their upper or lower case',
    remedy: 'No option fixes this: export the hash again, from a column that keeps upper and lower case.',
  },
  bits: {
    reason: 'no program writes such characters at the end of a salt or a digest: one of them was changed',
    remedy: 'No option fixes this: compare it with its source, and export the hash again.',
  },
} as const;

/** The characters behind the cost of bcrypt, and a digest of 32 bytes in base64. */
const bodies: Partial<Record<HashAlgorithm, RegExp>> = {
  bcrypt: /\$(?<body>[./A-Za-z0-9]{53})$/,
  md5_sha256: /^(?<body>[A-Za-z0-9+/]{43})=?$/,
  hmacsha256_base64_key: /^(?<body>[A-Za-z0-9+/]{43})=?$/,
};

/** Salt of 16 and digest of 23 bytes as an encoder writes them: bcrypt compares with such a text, so no other one matches. */
const writtenBody = /^.{21}[.Oeu].{30}[.CGKOSWaeimquy26]$/;

/**
 * Says why a text can never match a password although it has the length and the characters of its algorithm; `undefined` for nearly
 * all texts. Of 43 or more random characters, all letters have the same case in one of a billion.
 */
export function lostForm(algorithm: HashAlgorithm, text: string) {
  const body = bodies[algorithm]?.exec(text)?.groups?.body;
  if (body === undefined) return undefined;
  if (!/[a-z]/.test(body) || !/[A-Z]/.test(body)) return lostForms.case;
  return algorithm === 'bcrypt' && !writtenBody.test(body) ? lostForms.bits : undefined;
}
