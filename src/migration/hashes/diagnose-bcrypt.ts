import { bcryptCosts, type HashAlgorithm } from '../../contract/attributes.ts';
import { type BcryptParts, computeDigest, readBcrypt } from '../../text/hash-forms.ts';
import { passwordVariants } from './input-variants.ts';
import type { MistakeCode } from './mistakes.ts';
import { byMistakes, expected, mistaken, mostMistakes, simplest, type Variant } from './variants.ts';
import { readLooseBcrypt, verifyBcrypt } from './verify.ts';

/** Finds a bcrypt hash in the value, with the mistakes that were undone to find it; `undefined` if there is none. */
export function findBcrypt(
  declared: HashAlgorithm,
  texts: readonly Variant<string>[],
): Variant<BcryptParts> | undefined {
  const found = texts.flatMap(({ value, mistakes }): Variant<BcryptParts>[] => {
    const accepted = readBcrypt(value);
    const parts = accepted ?? readLooseBcrypt(value);
    // Two digits and a dollar sign, without a prefix, are no evidence of bcrypt if another algorithm was declared.
    if (!parts || (declared !== 'bcrypt' && parts.prefix === '')) return [];
    return [{ value: parts, mistakes: accepted ? mistakes : [...mistakes, damageOf(parts)] }];
  });
  return byMistakes(found)[0];
}

/** If all 53 characters are upper case or all lower case, the case was lost; otherwise the prefix is wrong. */
function damageOf({ body }: BcryptParts): MistakeCode {
  return hasOneCase(body) ? 'VALUE_CASE' : 'BCRYPT_PREFIX';
}

function hasOneCase(body: string): boolean {
  return body === body.toLowerCase() || body === body.toUpperCase();
}

/** Lengths in bytes to which systems are known to cut passwords; bcrypt itself uses 72. */
const cuts = [71, 64, 56, 55, 50];

/** Mistakes in the order in which they are tried, the likely first: each trial costs as much as a login. */
const order: readonly MistakeCode[] = [
  'BCRYPT_OF_MD5',
  'PASSWORD_TRIMMED',
  'PASSWORD_SLASHED',
  'PASSWORD_HTML',
  'PASSWORD_LF',
  'PASSWORD_LATIN1',
  'PASSWORD_GBK',
  'PASSWORD_UTF16LE',
  'PASSWORD_CRLF',
  'PASSWORD_BLANK_AFTER',
  'PASSWORD_BLANK_BEFORE',
  'BCRYPT_OF_SHA256',
  'PASSWORD_UTF16BE',
  'PASSWORD_CUT',
  'PASSWORD_LOWER',
  'PASSWORD_NFC',
  'PASSWORD_NFD',
];

/** Most comparisons at a cost: at most twelve, and in all about as long as one at the highest cost, four seconds. */
function mostTrials(cost: number): number {
  return Math.min(12, 2 ** (bcryptCosts.compared - cost));
}

/** Returns the mistakes that explain the bcrypt hash; `undefined` if no known one does. */
export async function diagnoseBcrypt(
  password: Uint8Array | string,
  declared: HashAlgorithm,
  { value: parts, mistakes }: Variant<BcryptParts>,
  signal?: AbortSignal,
): Promise<readonly MistakeCode[] | undefined> {
  if (mistakes.includes('VALUE_CASE') || hasOneCase(parts.body)) return ['VALUE_CASE'];
  if (parts.cost > bcryptCosts.compared) return ['BCRYPT_COST'];
  const before: MistakeCode[] = declared === 'bcrypt' ? [...mistakes] : ['ALGORITHM_BCRYPT', ...mistakes];
  for (const trial of await trialsOf(password, before, parts.cost)) {
    signal?.throwIfAborted();
    if (await verifyBcrypt(trial.value, parts)) return [...before, ...trial.mistakes];
  }
  return undefined;
}

/** Returns the variants that are worth a comparison if the mistakes `before` are already known, the likely first. */
export async function trialsOf(
  password: Uint8Array | string,
  before: readonly MistakeCode[],
  cost: number,
): Promise<Variant<Buffer>[]> {
  const affordable = (await candidates(password)).filter(({ mistakes }) => {
    const count = before.length + mistakes.length;
    return count > 0 && count <= mostMistakes;
  });
  return affordable.slice(0, mostTrials(cost));
}

/** Bytes that bcrypt may have hashed: the password itself, then variants with one mistake each. */
async function candidates(password: Uint8Array | string): Promise<Variant<Buffer>[]> {
  const bytes = Buffer.from(password);
  const others = (await passwordVariants(password)).filter(({ mistakes }) => mistakes.length === 1);
  const hex = (name: string) => Buffer.from(computeDigest(name, bytes).toString('hex'));
  const made = [
    ...others,
    ...mistaken('BCRYPT_OF_MD5', hex('md5')),
    ...mistaken('BCRYPT_OF_SHA256', hex('sha256')),
    ...cuts
      .filter((cut) => bytes.length > cut)
      .flatMap((cut) => mistaken('PASSWORD_CUT', bytes.subarray(0, cut))),
  ];
  const rank = ({ mistakes: [code] }: Variant<Buffer>) => (code ? order.indexOf(code) : -1);
  const ranked = made.filter((variant) => rank(variant) >= 0).sort((one, other) => rank(one) - rank(other));
  // bcrypt ignores all bytes after the first 72, so some variants are the same.
  return simplest([expected(bytes), ...ranked], (given) => given.subarray(0, 72).toString('hex'));
}
