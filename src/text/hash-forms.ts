/** The parts of a bcrypt text. */
export interface BcryptParts {
  /** `$2b$` and its like as written; empty where the text has none. */
  prefix: string;
  cost: number;
  /** Salt and digest, 53 characters. */
  body: string;
}

const bcrypt = /^(?<prefix>(?:\$2[aby]\$)?)(?<cost>\d\d)\$(?<body>[./A-Za-z0-9]{53})$/;

/** Reads a bcrypt text, of whatever cost (decision 34); `undefined` for a text of another form. */
export function readBcrypt(value: string): BcryptParts | undefined {
  const parts = bcrypt.exec(value.replace(/^\{bcrypt\}/i, ''))?.groups;
  return parts && { prefix: parts.prefix ?? '', cost: Number(parts.cost), body: parts.body ?? '' };
}

/** A bcrypt text as every implementation of bcrypt reads it. */
export function bcryptText({ cost, body }: BcryptParts): string {
  return `$2b$${String(cost).padStart(2, '0')}$${body}`;
}

/** The bytes of a digest of this length: hex in either case, or base64 with or without its padding (decisions 31 to 33). */
export function readDigest(value: string, length: number): Buffer | undefined {
  const isHex = value.length === 2 * length && /^[0-9a-f]*$/i.test(value);
  if (!isHex && !isBase64(value)) return undefined;
  const bytes = Buffer.from(value, isHex ? 'hex' : 'base64');
  return bytes.length === length ? bytes : undefined;
}

/** The bytes of an HMAC key: base64, or its own UTF-8 bytes where it is none (decision 33). */
export function readHmacKey(key: string): Buffer {
  return Buffer.from(key, key.length % 4 === 0 && isBase64(key) ? 'base64' : 'utf8');
}

/** True for standard base64, with its padding or without. */
export function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}
