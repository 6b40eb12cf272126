import { bcryptCosts, type HashAlgorithm } from '../../contract/attributes.ts';
import { type BcryptParts, readBcrypt } from '../../text/hash-forms.ts';
import { readLooseBcrypt, verifyBcrypt } from './bcrypt.ts';
import { passwordVariants } from './input-variants.ts';
import type { MistakeCode } from './mistakes.ts';
import { byMistakes, expected, mistaken, mostMistakes, simplest, type Variant } from './variants.ts';
import { computeDigest } from './verify.ts';

/** A bcrypt text that is in the value, and what had to be undone to find it; `undefined` where there is none. */
export function findBcrypt(
  declared: HashAlgorithm,
  texts: readonly Variant<string>[],
): Variant<BcryptParts> | undefined {
  const found = texts.flatMap(({ value, mistakes }): Variant<BcryptParts>[] => {
    const accepted = readBcrypt(value);
    const parts = accepted ?? readLooseBcrypt(value);
    // Digits with a dollar sign before them are no evidence of bcrypt where something else was declared.
    if (!parts || (declared !== 'bcrypt' && parts.prefix === '')) return [];
    return [{ value: parts, mistakes: accepted ? mistakes : [...mistakes, damageOf(parts)] }];
  });
  return byMistakes(found)[0];
}

/** A text of 53 letters without a capital, or without a small one, was converted on its way. */
function damageOf({ body }: BcryptParts): MistakeCode {
  return hasOneCase(body) ? 'VALUE_CASE' : 'BCRYPT_PREFIX';
}

function hasOneCase(body: string): boolean {
  return body === body.toLowerCase() || body === body.toUpperCase();
}

/** Lengths in bytes to which systems are known to cut; bcrypt itself takes 72. */
const cuts = [71, 64, 56, 55, 50];

/** What is tried, the likely first, since every trial costs as much as a login. */
const order: readonly MistakeCode[] = [
  'BCRYPT_OF_MD5',
  'PASSWORD_TRIMMED',
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

/** Most comparisons for a cost: about as long as one of the highest cost, four seconds, and never more than twelve. */
function mostTrials(cost: number): number {
  return Math.min(12, 2 ** (bcryptCosts.compared - cost));
}

/** The mistakes that explain the bcrypt text; `undefined` when none of the known ones does. */
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

/** The comparisons that are worth their time when these mistakes are known already, the likely first. */
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

/** Bytes that may have been given to bcrypt: the password itself, then one mistake each. */
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
  // Beyond 72 bytes bcrypt sees nothing, so that some of them come to the same.
  return simplest([expected(bytes), ...ranked], (given) => given.subarray(0, 72).toString('hex'));
}
