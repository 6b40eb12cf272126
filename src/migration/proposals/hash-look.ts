import type { HashAlgorithm } from '../../contract/attributes.ts';
import { formatCount } from '../../text/format-count.ts';
import { foreignHash, foreignScheme } from '../hashes/foreign-schemes.ts';
import { foreignKind, kindsOf, withoutBytesPrefix } from '../hashes/identify.ts';
import { inferHash } from '../hashes/infer.ts';

/** Hashes of one kind. */
export interface HashGroup {
  format: string;
  /** By the form of the hashes. `several`: one of several algorithms of the API; `foreign`: the API does not accept them. */
  algorithm: HashAlgorithm | 'several' | 'foreign' | 'unknown';
  /** Text before each hash, such as `bcrypt$`. */
  prefix: string;
  /** True for a form that names its own scheme, as that of bcrypt does: a digest may be of anything. */
  namesScheme: boolean;
  users: number;
}

/** Shorter texts are words rather than hashes, whatever they look like. */
const shortest = 16;

/** Values by which salts are recognized: most at all, and fewest. */
const [mostShort, fewestSalts] = [1000, 4];
/** A short text that may be random, and is neither a word nor a number nor one with the other at its end. */
const salt = /^(?=.*(?:\d[A-Za-z]|[a-z][A-Z]))[A-Za-z\d]{4,16}$/;

/** Creates an empty look at one column: what its hashes look like. */
export function createHashLook() {
  const groups = new Map<string, HashGroup>();
  const sorted = () => [...groups.values()].sort((one, other) => other.users - one.users);
  const countOf = (isSuch: (group: HashGroup) => boolean) =>
    [...groups.values()].reduce((sum, group) => sum + (isSuch(group) ? group.users : 0), 0);
  const shorts = new Set<string>();
  let looked = 0;
  const isMost = (users: number) => users * 2 > countOf(() => true);
  const found = () => countOf(({ algorithm }) => algorithm !== 'unknown');
  return {
    add(value: string): void {
      if (looked < mostShort) {
        looked += 1;
        if (value.trim().length <= shortest) shorts.add(value.trim());
      }
      const group = groupOf(value.trim());
      const key = `${group.prefix} ${group.format}`;
      groups.set(key, { ...group, users: (groups.get(key)?.users ?? 0) + 1 });
    },
    isHash: (value: string) => groupOf(value).algorithm !== 'unknown',
    /** Number of values in such groups. */
    countOf,
    /** Number of values that are hashes. */
    found,
    /** True if most values are hashes. */
    areMost: () => isMost(found()),
    /** True if most values can only be hashes of passwords or of other secrets. */
    areSecrets: () => isMost(countOf(({ namesScheme }) => namesScheme)),
    /** True if most hashes are digests that the API accepts, and that say nothing of a salt. */
    areDigests: () => 2 * countOf(({ algorithm }) => isDigest(algorithm)) > found(),
    /** True if none of the hashes can be an HMAC, whose key is in another column. */
    takeNoKey: () => ![...groups.values()].some(({ algorithm }) => algorithm === 'several'),
    /** True if the values are short texts of nearly one length, different and random in most rows, as salts are. */
    areSalts: () =>
      shorts.size >= Math.max(fewestSalts, 0.75 * looked) &&
      areEquallyLong(shorts) &&
      2 * [...shorts].filter((text) => salt.test(text)).length > shorts.size,
    /** The groups, most frequent first. */
    groups: sorted,
    /** Descriptions of the groups for display, without any part of a hash. */
    described: () =>
      sorted().map(
        ({ format, prefix, users }) => `${formatCount(users)} ${format}${prefix && ` behind ${prefix}`}`,
      ),
  };
}

type HashLook = ReturnType<typeof createHashLook>;

/**
 * Returns the columns beside those of the hashes that may hold their salts, whatever their names are: short random texts beside digests.
 * If the digests need no HMAC key, the column with its name is such a one too.
 */
export function saltsBeside<Column extends { hashes: HashLook }>(
  hash: HashLook,
  { key, others }: { key?: Column | undefined; others: readonly Column[] },
): Column[] {
  const likely = key && hash.takeNoKey() ? [...others, key] : others;
  return hash.areDigests() ? likely.filter(({ hashes }) => hashes.areSalts()) : [];
}

/** True if the lengths of some texts hardly differ. */
function areEquallyLong(texts: ReadonlySet<string>): boolean {
  const lengths = [...texts].map(({ length }) => length);
  return Math.max(...lengths) - Math.min(...lengths) <= 2;
}

/** True for the algorithm of a digest that has no salt of its own. */
export const isDigest = (algorithm: HashGroup['algorithm']) =>
  !['bcrypt', 'foreign', 'unknown'].includes(algorithm);

function groupOf(value: string): Omit<HashGroup, 'users'> {
  const bare = withoutBytesPrefix(value);
  if (bare !== value && bare.length >= shortest) {
    const group = groupOf(bare);
    return group.algorithm === 'unknown' ? group : { ...group, prefix: value.slice(0, -bare.length) };
  }
  const inferred = inferHash(value);
  if (inferred) {
    const { algorithm } = inferred;
    const prefix = value.slice(0, value.length - inferred.value.length);
    return { format: algorithm, algorithm, prefix, namesScheme: algorithm === 'bcrypt' };
  }
  const isWord = value.length < shortest || /\s/.test(value);
  const foreign = isWord ? foreignHash(value) : foreignKind(value);
  const namesScheme = foreignScheme(value) !== undefined;
  if (foreign) return { format: foreign.format, algorithm: 'foreign', prefix: '', namesScheme };
  if (isWord) return unknownGroup;
  const [kind, ...others] = kindsOf(value);
  if (!kind) return unknownGroup;
  const { format, accepted } = kind;
  if (!accepted) return { ...unknownGroup, format };
  // A form that the API accepts for several algorithms: 32 bytes.
  return {
    ...unknownGroup,
    format: others.length > 0 ? 'digests of 32 bytes' : format,
    algorithm: 'several',
  };
}

const unknownGroup = {
  format: 'of no known form',
  algorithm: 'unknown',
  prefix: '',
  namesScheme: false,
} as const;
