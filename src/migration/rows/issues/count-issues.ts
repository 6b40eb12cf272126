import { mostFrequent } from '../../model/most-frequent.ts';
import type { Issue } from './issues.ts';

/** Number of rows with each issue. */
export interface IssueCounts {
  /** Rows by code; a row with several issues counts for each of its codes. */
  codes: Record<string, number>;
  /** Rows by algorithm name, for names that the API does not know. */
  unknownAlgorithms: Record<string, number>;
}

/** Distinct names that are counted; all others are counted together, to limit memory. */
const mostNames = 20;
export const otherNames = '(other)';

export type IssueCounter = ReturnType<typeof createIssueCounter>;

/** Creates an empty counter of the issues of the rows of one run. */
export function createIssueCounter() {
  const codes = new Map<string, number>();
  const names = new Map<string, number>();
  return {
    /** Adds the issues of a row that is not sent. */
    add({
      issues,
      unknownAlgorithm,
    }: {
      issues: readonly Issue[];
      unknownAlgorithm?: string | undefined;
    }): void {
      for (const code of new Set(issues.map((issue) => issue.code))) increment(codes, code);
      if (unknownAlgorithm === undefined) return;
      const isKept = names.has(unknownAlgorithm) || names.size < mostNames;
      increment(names, isKept ? unknownAlgorithm : otherNames);
    },
    counts: (): IssueCounts => countsOf(codes, names),
  };
}

/** True for a name that may be another spelling of an API algorithm: once it is corrected, its users keep the password. */
export function mayBeOwn(name: string): boolean {
  return /bcrypt|blowfish|^md-?5|^hmac|^sha-?256\W{0,2}md-?5|^\(other\)$/i.test(name);
}

/** True if every unknown algorithm is certainly not one of the API, so that no correction helps its rows. */
export function areForeign(
  codes: Record<string, number>,
  unknownAlgorithms: Record<string, number>,
): boolean {
  const names = Object.keys(unknownAlgorithms);
  const named = Object.values(unknownAlgorithms).reduce((sum, rows) => sum + rows, 0);
  return named === codes.ALGORITHM_UNKNOWN && !names.some(mayBeOwn);
}

/** Adds up the issues of all shards of a file. */
export function sumIssues(shards: readonly IssueCounts[]): IssueCounts {
  const codes = new Map<string, number>();
  const names = new Map<string, number>();
  for (const shard of shards) {
    for (const [code, rows] of Object.entries(shard.codes)) increment(codes, code, rows);
    for (const [name, rows] of Object.entries(shard.unknownAlgorithms)) increment(names, name, rows);
  }
  return countsOf(codes, names);
}

function increment(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function countsOf(codes: ReadonlyMap<string, number>, names: ReadonlyMap<string, number>): IssueCounts {
  const sorted = (counts: ReadonlyMap<string, number>) =>
    Object.fromEntries(mostFrequent(Object.fromEntries(counts)));
  return { codes: sorted(codes), unknownAlgorithms: sorted(names) };
}
