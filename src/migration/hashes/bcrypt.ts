import { verify } from '@node-rs/bcrypt';
import { bcryptCosts } from '../../contract/attributes.ts';

/** The parts of a bcrypt text. */
export interface BcryptParts {
  /** `$2b$` and its like as written; empty where the text has none. */
  prefix: string;
  cost: number;
  /** Salt and digest, 53 characters. */
  body: string;
}

const accepted = /^(?<prefix>(?:\$2[aby]\$)?)(?<cost>\d\d)\$(?<body>[./A-Za-z0-9]{53})$/;
const loose = /^(?:\{bcrypt\})?(?<prefix>\$?(?:2[abxy]\$)?)(?<cost>\d\d)\$(?<body>[./A-Za-z0-9]{53})$/i;

/** Reads a bcrypt text as the API does (decision 34); `undefined` where it would not. */
export function readBcrypt(value: string): BcryptParts | undefined {
  return partsOf(accepted.exec(value.replace(/^\{bcrypt\}/i, '')));
}

/** Reads also texts with a prefix that the API does not know, or with a part of one. */
export function readLooseBcrypt(value: string): BcryptParts | undefined {
  return partsOf(loose.exec(value));
}

/** True for the beginning of a bcrypt text: too little of it for a comparison. */
export function isCutBcrypt(value: string): boolean {
  return /^(?:\{bcrypt\})?\$2[abxy]\$\d\d\$[./A-Za-z0-9]{0,52}$/.test(value);
}

function partsOf(found: RegExpExecArray | null): BcryptParts | undefined {
  if (!found) return undefined;
  const { prefix = '', cost = '', body = '' } = found.groups ?? {};
  return { prefix, cost: Number(cost), body };
}

/** Compares a password with a bcrypt text; costs that the service does not compare never match. */
export async function verifyBcrypt(password: Uint8Array, hash: BcryptParts | undefined): Promise<boolean> {
  if (hash === undefined || hash.cost > bcryptCosts.compared) return false;
  return verify(password, `$2b$${String(hash.cost).padStart(2, '0')}$${hash.body}`);
}
