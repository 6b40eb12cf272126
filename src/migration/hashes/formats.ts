import type { HashAlgorithm } from '../../contract/attributes.ts';

/** Base64 of 16 and of 32 bytes, padded or not, as an encoder writes it: the last character has no stray bits. */
const base64Of16 = '[A-Za-z0-9+/]{21}[AQgw](?:==)?';
const base64Of32 = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?';

/**
 * The forms of hashes that can be verified later (decisions 31 to 34). They include bcrypt above the cost that is compared, which
 * has a separate warning. The service itself accepts any text.
 */
export const hashFormats = {
  md5: new RegExp(`^(?:[0-9a-fA-F]{32}|${base64Of16})$`),
  md5_sha256: new RegExp(`^(?:[0-9a-fA-F]{64}|${base64Of32})$`),
  hmacsha256_base64_key: new RegExp(`^(?:${base64Of32}|[0-9a-fA-F]{64})$`),
  bcrypt: /^(?:\{[bB][cC][rR][yY][pP][tT]\})?(?:\$2[aby]\$)?(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/,
} as const satisfies Record<HashAlgorithm, RegExp>;

/** True for a text that could be a hash of any algorithm of the API, and so must not be shown. */
export function looksLikeHash(text: string): boolean {
  return Object.values(hashFormats).some((shape) => shape.test(text));
}
