/** This many users may have the same hash without suspicion: somebody may have copied accounts. */
const mostCopies = 10;

/** A hash is suspicious if more than this share of users have it: fewer may be new users to whom a script gave one password. */
const smallestPart = 0.2;

/** At least this many recent hashes are remembered: one that a fifth of the users have recurs long before that. */
const fewestKept = 1000;

/**
 * Creates a counter of users with the same bcrypt hash. Each hash has a random salt, so two are never equal by chance: somebody gave
 * many users one hash. Only recent hashes are remembered, to limit memory.
 */
export function countSameHash() {
  let recent = new Map<string, number>();
  let before = recent;
  let all = 0;
  let most = 0;
  return {
    /** Counts one more user. Returns how many users have the most frequent hash if they are suspiciously many, else 0. */
    add(hash: string): number {
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
