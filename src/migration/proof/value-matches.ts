import { timingSafeEqual } from 'node:crypto';

/** True for standard base64, with its padding or without. */
export function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replaceAll('=', '').length % 4 !== 1;
}

/** Does the text stand for this digest, as hex in either case or as base64 (decisions 31 to 33)? In constant time. */
export function valueMatches(digest: Buffer, value: string): boolean {
  const given = bytesOfValue(value, digest.length);
  return given !== undefined && given.length === digest.length && timingSafeEqual(given, digest);
}

function bytesOfValue(value: string, length: number): Buffer | undefined {
  if (value.length === 2 * length && /^[0-9a-f]*$/i.test(value)) return Buffer.from(value, 'hex');
  return isBase64(value) ? Buffer.from(value, 'base64') : undefined;
}
