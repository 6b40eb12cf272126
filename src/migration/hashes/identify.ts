import { bcryptCosts, type HashAlgorithm } from '../../contract/attributes.ts';
import { readBcrypt } from '../../text/hash-forms.ts';
import { foreignHash, foreignScheme, noPasswordFormat } from './foreign-schemes.ts';
import { lostForm } from './formats.ts';
import type { HashKind, HashUse, Identity } from './identity.ts';
import { inferHash } from './infer.ts';
import { valueTexts } from './input-variants.ts';
import { byMistakes } from './variants.ts';
import { isCutBcrypt, readLooseBcrypt } from './verify.ts';

/** What to do about users whose hash the API does not accept. */
export const foreignRemedy =
  'These users need a new password: create them without one (--foreign-hashes passwordless).';

const remedies: Record<HashUse, string> = {
  'as-is': 'Import it as it is, with a canary: the form alone does not prove the algorithm.',
  strip: 'The importer removes the prefix with --algorithm infer, or in a recipe.',
  no: foreignRemedy,
  unknown: 'Ask how the old system makes its hashes; it may be a password itself.',
};

const spoiltRemedy =
  'Export the hash again without what was added to it (see damage), or let a recipe remove it.';

/** Identifies what a text can be by its form: first as it is, then with damage undone. */
export function identify(text: string): Identity {
  const { kinds, damage } = recognise(text);
  const use = useOf(text, kinds);
  const isSpoilt = damage.length > 0 && kinds.some(({ algorithm }) => algorithm !== null);
  const remedy = use === 'no' ? (isSpoilt ? spoiltRemedy : foreignHash(text)?.remedy) : undefined;
  return { kinds, damage, use, remedy: isCutBcrypt(text) ? cutRemedy : (remedy ?? remedies[use]) };
}

const cutRemedy = 'Export the hash again with columns that are wide enough.';

function useOf(text: string, kinds: readonly HashKind[]): HashUse {
  const inferred = inferHash(text);
  if (inferred && lostForm(inferred.algorithm, inferred.value) === undefined) {
    return inferred.value === text ? 'as-is' : 'strip';
  }
  if (kinds.some(({ accepted }) => accepted)) return 'as-is';
  return kinds.length > 0 || foreignHash(text) ? 'no' : 'unknown';
}

function recognise(text: string): Pick<Identity, 'kinds' | 'damage'> {
  const inferred = inferHash(text);
  if (inferred && inferred.value !== text && !kindsOf(text).some(({ accepted }) => accepted)) {
    const label = text.slice(0, text.length - inferred.value.length);
    const kinds = kindsOf(inferred.value).filter(({ algorithm }) => algorithm === inferred.algorithm);
    return {
      kinds: kinds.map((kind) => ({ ...kind, format: `${kind.format}, behind ${label}` })),
      damage: [],
    };
  }
  // Nearly every hash is undamaged, and listing the possible damage takes much longer.
  const whole = kindsOf(text);
  if (whole.length > 0) return { kinds: whole, damage: [] };
  // A label such as {SHA256} names an algorithm that the API does not have, whatever else the digest could be.
  const foreign = foreignHash(text);
  for (const { value, mistakes } of byMistakes(valueTexts(text))) {
    const kinds = kindsOf(value).filter(({ algorithm }) => !foreign || algorithm === null);
    if (kinds.length > 0)
      return { kinds: kinds.map((kind) => ({ ...kind, accepted: false })), damage: [...mistakes] };
  }
  return { kinds: [], damage: [] };
}

/**
 * Describes a hash that the API does not accept, whatever made it: one that names its own scheme, or a digest such as a bare SHA-1,
 * which no algorithm of the API makes. `undefined` for any other text.
 */
export function foreignKind(text: string): { format: string; remedy?: string } | undefined {
  const kinds = kindsOf(withoutBytesPrefix(text));
  const isOther = kinds.length > 0 && kinds.every(({ algorithm }) => algorithm === null);
  return (
    foreignHash(text) ?? (isOther ? { format: kinds.map(({ format }) => format).join(' or ') } : undefined)
  );
}

/** What databases write before bytes in hex: SQL Server and MySQL `0x`, PostgreSQL `\x`. */
const bytesPrefix = /^(?:0x|\\x)(?=(?:[0-9a-f]{2})+$)/i;

/**
 * The text without what a database writes before bytes in hex, unless these bytes are a text, which is then what counts, or the
 * prefix is a part of the hash, as in those of SQL Server.
 */
export function withoutBytesPrefix(text: string): string {
  const bare = text.replace(bytesPrefix, '');
  if (bare === text || foreignScheme(text) !== undefined) return text;
  return /^[ -~]+$/.test(Buffer.from(bare, 'hex').toString('latin1')) ? text : bare;
}

/** Says what to do about a value that a database wrote as bytes in hex; `undefined` for any other. */
export function bytesRemedy(text: string): string | undefined {
  const [prefix] = bytesPrefix.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  return `The database wrote bytes in hex. If the column holds text, export it as text; if it holds the digest itself, remove the ${prefix}, with strip: ['${prefix}'] under password: in a recipe.`;
}

/** Returns what a text can be as it stands: fast, since it does not look for damage. */
export function kindsOf(text: string): HashKind[] {
  const scheme = foreignScheme(text) ?? noPasswordFormat(text);
  if (scheme) return [{ algorithm: null, format: scheme, accepted: false, sure: 'certain' }];
  const bcrypt = bcryptKind(text);
  if (bcrypt) return [bcrypt];
  const digests = digestKindsOf(text);
  if (digests.length > 0 || !desCrypt.test(text)) return digests;
  return [{ algorithm: null, format: 'DES crypt', accepted: false, sure: 'possible' }];
}

function bcryptKind(text: string): HashKind | undefined {
  const kind = { algorithm: 'bcrypt', sure: 'certain' } as const;
  if (isCutBcrypt(text)) return { ...kind, format: 'bcrypt, cut short', accepted: false };
  const read = readBcrypt(text);
  const parts = read ?? readLooseBcrypt(text);
  if (!parts) return undefined;
  const { prefix, cost } = parts;
  const isTooHigh = cost > bcryptCosts.compared;
  const lost = lostForm('bcrypt', text)?.reason;
  const accepted = read !== undefined && cost >= 4 && !isTooHigh && lost === undefined;
  const limit = isTooHigh ? 'above 16: the local service never matches it' : lost;
  const why = limit === undefined ? '' : ` (${limit})`;
  return { ...kind, format: `bcrypt ${prefix || 'without a prefix'}, cost ${cost}${why}`, accepted };
}

/** Two characters of salt and eleven of hash; a word of 13 letters with a digit has this form too. */
const desCrypt = /^(?=.*[./0-9])(?=.*[A-Za-z])[./0-9A-Za-z]{13}$/;

type DigestKind = [algorithm: HashAlgorithm | null, name: string, sure: HashKind['sure'], only?: 'base64'];

/** Digests by their length in bytes, the likeliest first: digests of one length all look alike. */
const digestKinds: Readonly<Record<number, readonly DigestKind[]>> = {
  8: [[null, 'half of an MD5, or MySQL before 4.1', 'possible']],
  10: [[null, 'part of an MD5 (DedeCMS)', 'possible']],
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
  50: [[null, 'PBKDF2 (Gitea), with a salt in another column', 'possible']],
  64: [
    [null, 'SHA-512', 'likely'],
    [null, 'scrypt of Firebase, or PBKDF2 of Keycloak', 'possible', 'base64'],
  ],
};

/** Returns the digests that a text in hex or base64 can stand for. Base64 counts only as an encoder writes it. */
function digestKindsOf(text: string): HashKind[] {
  const found = bytesOf(text);
  if (!found) return [];
  const kinds = digestKinds[found.length] ?? [];
  const fitting = kinds.filter(([, , , only]) => only === undefined || only === found.encoding);
  return fitting.map(([algorithm, name, sure]) => {
    const lost = algorithm === null ? undefined : lostForm(algorithm, text)?.reason;
    const why = lost === undefined ? '' : ` (${lost})`;
    return {
      algorithm,
      format: `${name}, ${found.encoding}${why}`,
      accepted: algorithm !== null && lost === undefined,
      sure,
    };
  });
}

function bytesOf(text: string): { length: number; encoding: 'hex' | 'base64' } | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return { length: text.length / 2, encoding: 'hex' };
  const bytes = Buffer.from(text, 'base64');
  const written = bytes.toString('base64');
  const isBase64 = text === written || text === written.replaceAll('=', '');
  // Shorter base64 could also be a word.
  return isBase64 && bytes.length >= 16 ? { length: bytes.length, encoding: 'base64' } : undefined;
}
