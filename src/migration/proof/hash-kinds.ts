import type { HashAlgorithm } from '../../contract/attributes.ts';

/** How far the look of a hash tells what it is. */
export type Sureness = 'certain' | 'likely' | 'possible';

/** Something that a text can be by its look. */
export interface HashKind {
  /** Name in the API; `null` for what the API does not know. */
  algorithm: HashAlgorithm | null;
  /** In words for a person. */
  format: string;
  /** Does the API take the text as it stands, as this algorithm? */
  accepted: boolean;
  sure: Sureness;
}

type DigestKind = [algorithm: HashAlgorithm | null, name: string, sure: Sureness];

/** Digests by their length in bytes, the likeliest first: by its look none can be told from another of its length. */
const digestKinds: Readonly<Record<number, readonly DigestKind[]>> = {
  8: [[null, 'half of an MD5, or MySQL before 4.1', 'possible']],
  16: [
    ['md5', 'MD5', 'likely'],
    [null, 'NT hash or MD4', 'possible'],
  ],
  20: [[null, 'SHA-1', 'likely']],
  28: [[null, 'SHA-224', 'likely']],
  32: [
    ['md5_sha256', 'SHA-256 over MD5', 'possible'],
    ['hmacsha256_base64_key', 'HMAC-SHA256', 'possible'],
    [null, 'SHA-256 or SM3 of the password', 'possible'],
  ],
  48: [[null, 'SHA-384', 'likely']],
  64: [[null, 'SHA-512', 'likely']],
};

/** What digests a text can stand for, in hex or base64. A base64 text is one as an encoder writes it. */
export function digestKindsOf(text: string): HashKind[] {
  const found = bytesOf(text);
  if (!found) return [];
  const kinds = digestKinds[found.length] ?? [];
  return kinds.map(([algorithm, name, sure]) => ({
    algorithm,
    format: `${name}, ${found.encoding}`,
    accepted: algorithm !== null,
    sure,
  }));
}

function bytesOf(text: string): { length: number; encoding: 'hex' | 'base64' } | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return { length: text.length / 2, encoding: 'hex' };
  const bytes = Buffer.from(text, 'base64');
  const written = bytes.toString('base64');
  const isBase64 = text === written || text === written.replaceAll('=', '');
  // A word of a few letters could be base64 too.
  return isBase64 && bytes.length >= 16 ? { length: bytes.length, encoding: 'base64' } : undefined;
}
