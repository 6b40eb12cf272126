import type { HashAlgorithm } from '../../contract/attributes.ts';
import { formatCount } from '../../text/format-count.ts';
import { wrappedBcrypt } from '../hashes/foreign-schemes.ts';
import { foreignByName } from '../hashes/infer.ts';
import type { Recipe } from '../recipes/recipe.ts';
import { saltedDigest } from '../rows/ignored-columns.ts';
import { type HashGroup, isDigest } from './hash-look.ts';
import { type Interview, later } from './interview.ts';
import { askWords } from './propose-rules.ts';
import type { ColumnSurvey } from './survey.ts';

/** Names that systems have for the algorithms of the API, in lower case and without punctuation. */
const algorithmNames: readonly [algorithm: HashAlgorithm, names: RegExp][] = [
  ['bcrypt', /^(?:(?:crypt|password)?(?:bcrypt|blowfish)\d*|bf|2[aby])$/],
  ['md5', /^md5(?:hex)?$/],
  ['md5_sha256', /^(?:md5sha256|sha256md5)$/],
  ['hmacsha256_base64_key', /^(?:hmac|hmacsha256|hmacsha256base64key)$/],
];

/** The columns by which the hashes of a file are read; `salt`: one that is not read; `isSalted`: a person says that it is one. */
interface PasswordColumns {
  hash: ColumnSurvey;
  algorithm: ColumnSurvey | undefined;
  key: ColumnSurvey | undefined;
  salt: ColumnSurvey | undefined;
  isSalted: boolean;
}

/** Asks what becomes of users whose hash the API does not take, such as a digest with a salt in another column. `areOthers`: of all digests. */
export function askForeign(
  { name, filled, hashes: { countOf } }: ColumnSurvey,
  salt: ColumnSurvey | undefined,
  { ask }: Interview,
  areOthers = false,
): string | undefined {
  const digests = countOf((group) => isDigest(group.algorithm));
  const salted = Math.min(digests, salt?.filled ?? 0);
  const ofSalt = salt && salted > 0 ? ` (of ${formatCount(salted)}, for the salt in ${salt.name})` : '';
  const isForeign = ({ algorithm, format }: HashGroup) =>
    algorithm === 'foreign' && format !== wrappedBcrypt.format;
  const foreign = foreignByName(name) ? filled : countOf(isForeign) + (areOthers ? digests : salted);
  if (foreign === 0) return undefined;
  const [fate] = ask({
    id: 'foreign',
    message: `${formatCount(foreign, 'user')} ${foreign === 1 ? 'has a hash' : 'have hashes'} that the API does not take${ofSalt}. What becomes of them?`,
    choices: [
      { value: 'reject', name: 'reject their rows for now' },
      { value: 'passwordless', name: 'create them without a password' },
    ],
    open: `the password of ${formatCount(foreign, 'user')} cannot be kept${ofSalt}, and the rows are rejected: add foreign: passwordless under password: to create them without one`,
  });
  return fate;
}

/** Proposes how the hashes of a file are read. */
export function proposePassword(
  { hash, algorithm, key, salt, isSalted }: PasswordColumns,
  interview: Interview,
): NonNullable<Recipe['password']> {
  const groups = hash.hashes.groups();
  const foreign = isSalted ? saltedDigest(salt?.name ?? '').format : foreignByName(hash.name);
  const made = foreign ? { foreign } : algorithmOf(hash, algorithm, interview);
  const fate = askForeign(hash, salt, interview, 'foreign' in made && !isSalted);
  // Inferring the algorithm removes the prefixes of systems, and not those of databases.
  const prefixes = new Set(
    groups.flatMap(({ prefix }) =>
      prefix !== '' && ('column' in made || isOfBytes(prefix)) ? [prefix] : [],
    ),
  );
  return {
    column: hash.name,
    ...(hash.hasOuterBlanks ? { trim: true } : {}),
    ...(prefixes.size > 0 ? { strip: [...prefixes] } : {}),
    ...(groups.some(({ format }) => format === wrappedBcrypt.format)
      ? { replace: [wrappedBcrypt.replace] }
      : {}),
    algorithm: made,
    ...(key ? { key: { column: key.name } } : {}),
    ...(fate === 'passwordless' ? { foreign: fate } : {}),
  };
}

/** True for what databases write before bytes in hex: SQL Server and MySQL `0x`, PostgreSQL `\x`. */
const isOfBytes = (prefix: string) => /^(?:0x|\\x)$/i.test(prefix);

/** The algorithm of the API that a word means, if it is known. */
function knownAlgorithm(word: string) {
  const plain = word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return algorithmNames.find(([, names]) => names.test(plain))?.[0];
}

/** True if the hashes do not show what a column says of their algorithms. */
export function namesAlgorithm(
  hash: Pick<ColumnSurvey, 'hashes'> | undefined,
  column: ColumnSurvey | undefined,
): boolean {
  const groups = hash?.hashes.groups() ?? [];
  if (groups.some(({ algorithm }) => algorithm === 'several')) return true;
  // Others have these forms too, such as NTLM, and bcrypt over a digest: a word for another algorithm counts, unless its rows have other hashes.
  const shown = groups.filter(({ algorithm }) => algorithm === 'md5' || algorithm === 'bcrypt');
  const words = [...(column?.values ?? [])];
  const sure = words.filter(([word]) => shown.some(({ algorithm }) => algorithm === knownAlgorithm(word)));
  const named = sure.reduce((sum, [, rows]) => sum + rows, 0);
  return sure.length < words.length && named < shown.reduce((sum, { users }) => sum + users, 0);
}

function algorithmOf(
  { name, hashes, filled }: ColumnSurvey,
  column: ColumnSurvey | undefined,
  interview: Interview,
): NonNullable<Recipe['password']>['algorithm'] {
  const { ask, leaveOpen } = interview;
  const groups = hashes.groups();
  const hasSeveral = groups.some(({ algorithm }) => algorithm === 'several');
  if (!hasSeveral && !namesAlgorithm({ hashes }, column)) return { infer: true };
  if (column?.values) {
    const choices = algorithmNames.map(([value]) => value);
    const values = askWords('algorithm', column, { choices, known: knownAlgorithm }, interview);
    // If the column is empty in some rows, the form of the hash may show the algorithm.
    return {
      column: column.name,
      ...(column.hasOuterBlanks ? { trim: true } : {}),
      values,
      ...(column.filled < filled ? { infer: true as const } : {}),
    };
  }
  const isInferred = ({ algorithm, format }: (typeof groups)[number]) =>
    format === wrappedBcrypt.format || !['several', 'foreign', 'unknown'].includes(algorithm);
  if (groups.some(isInferred)) {
    // One name for all would reject these.
    leaveOpen(
      `${name} has hashes that can be of several algorithms, beside others: leave them out with skip:, and import them with a recipe of their own that has algorithm: { value: NAME }, or these rows are rejected`,
    );
    return { infer: true };
  }
  const [answer] = ask({
    id: 'made',
    message: `How were the hashes of ${name} made?`,
    choices: [
      later,
      { value: 'md5_sha256', name: 'md5_sha256: SHA-256 over the MD5 of the password' },
      { value: 'hmacsha256_base64_key', name: 'hmacsha256_base64_key: HMAC-SHA256 with a key' },
      { value: 'other', name: 'another, such as SHA-256 alone: the API does not take it' },
    ],
    open: `hashes of ${name} can be of several algorithms: name it with algorithm: { value: NAME }, and prove it with a canary, or with algorithm: { foreign: NAME } if the API does not take it`,
  });
  if (answer === 'other') return { foreign: 'digest of another algorithm, such as SHA-256 alone' };
  return answer ? { value: answer } : { infer: true };
}
