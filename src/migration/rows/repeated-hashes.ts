/** So many rows may have one hash: accounts that a person copied. */
const mostCopies = 10;

/** Part of the rows that a hash must have to be suspicious: fewer may well be new users, to whom a script gave one password. */
const smallestPart = 0.2;

/** Different hashes that are remembered at least: one that a fifth of the rows have comes again long before that. */
const fewestKept = 1000;

/** How often a hash stands in the file so far. */
interface HashUse {
  first: number;
  rows: number;
}

/** Counts a row with its bcrypt hash; gives the first row that has the hash, where suspiciously many had it so far. */
export type FindRepeatedHash = (row: number, hash: string) => number | undefined;

/**
 * Makes the search for a bcrypt hash that many rows have. Each has a random salt, so two never agree by chance: somebody set
 * the passwords of a copy to one text. Of the rows that have it the first ones pass, since only then it is known; so memory
 * stays flat, and a file is read once.
 */
export function createRepeatedHashSearch(): FindRepeatedHash {
  let recent = new Map<string, HashUse>();
  let before = recent;
  let all = 0;
  return (row, hash) => {
    all += 1;
    const use = recent.get(hash) ?? before.get(hash) ?? { first: row, rows: 0 };
    use.rows += 1;
    if (recent.size === fewestKept) {
      before = recent;
      recent = new Map();
    }
    recent.set(hash, use);
    const isSuspicious = use.rows > mostCopies && use.rows > smallestPart * all;
    return isSuspicious ? use.first : undefined;
  };
}
