/** So many users may have one hash: accounts that a person copied. */
const mostCopies = 10;

/** Part of the users that a hash must have to be suspicious: fewer may well be new ones, to whom a script gave one password. */
const smallestPart = 0.2;

/** Different hashes that are remembered at least: one that a fifth of the users have comes again long before that. */
const fewestKept = 1000;

/** Counts users with the same bcrypt hash. */
export interface SameHashCount {
  /** The users of whom suspiciously many have the same hash, once this one is counted; 0: fewer. */
  add(hash: string): number;
}

/**
 * Begins to count. Each bcrypt hash has a random salt, so two never agree by chance: somebody set many passwords to one text.
 * Only hashes that were seen lately are remembered, so memory stays flat.
 */
export function countSameHash(): SameHashCount {
  let recent = new Map<string, number>();
  let before = recent;
  let all = 0;
  let most = 0;
  return {
    add(hash) {
      all += 1;
      const users = (recent.get(hash) ?? before.get(hash) ?? 0) + 1;
      if (recent.size === fewestKept) {
        before = recent;
        recent = new Map();
      }
      recent.set(hash, users);
      most = Math.max(most, users);
      return most > mostCopies && most > smallestPart * all ? most : 0;
    },
  };
}
