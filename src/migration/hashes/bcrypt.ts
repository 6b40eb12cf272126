import { bcryptCosts } from '../../contract/attributes.ts';
import { type BcryptParts, bcryptText } from '../../text/hash-forms.ts';

const loose = /^(?:\{bcrypt\})?(?<prefix>\$?(?:2[abxy]\$)?)(?<cost>\d\d)\$(?<body>[./A-Za-z0-9]{53})$/i;

/** Reads also texts with a prefix that the API does not know, or with a part of one. */
export function readLooseBcrypt(value: string): BcryptParts | undefined {
  const parts = loose.exec(value)?.groups;
  return parts && { prefix: parts.prefix ?? '', cost: Number(parts.cost), body: parts.body ?? '' };
}

/** True for the beginning of a bcrypt text: too little of it for a comparison. */
export function isCutBcrypt(value: string): boolean {
  return /^(?:\{bcrypt\})?\$2[abxy]\$\d\d\$[./A-Za-z0-9]{0,52}$/.test(value);
}

/** Compares a password with a bcrypt text; costs that the service does not compare never match. */
export async function verifyBcrypt(password: Uint8Array, hash: BcryptParts | undefined): Promise<boolean> {
  if (hash === undefined || hash.cost > bcryptCosts.compared) return false;
  // An import loads this file for its checks, and compares nothing.
  const { verify } = await import('@node-rs/bcrypt');
  return verify(password, bcryptText(hash));
}
