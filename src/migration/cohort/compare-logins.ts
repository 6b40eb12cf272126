import type { Look } from './stored-looks.ts';

/** Logins of the members with one algorithm, as counted in one look. */
type LoginCounts = Look['algorithms'][number];

/** How the logins of an algorithm compare with those of the others. */
export type LoginVerdict = ReturnType<ReturnType<typeof createLoginComparison>>[number];

/** Highest share of watches that raise a false alarm, whatever their length and number of looks. */
export const falseAlarms = 0.01;

/** In line: the odds of a first login between two looks are at least this fraction of those of all other algorithms together. */
const inLine = 0.5;
/** Out of line: fractions for which evidence is collected separately and then averaged. */
const outOfLine = [0.2, 0.02] as const;

/**
 * Compares the first logins of each algorithm with those of all others, look by look. How many people log in, and when, does not
 * matter: given all first logins between two looks, those of one algorithm follow Fisher's noncentral hypergeometric distribution,
 * with the odds as its parameter. The ratio of two such probabilities has mean 1 if the true odds are those of the denominator, and
 * a lower mean if they are higher, so the product over the looks is a supermartingale for every algorithm in line. By Ville's
 * inequality (1939), the probability that it ever reaches K/a, at any look, is at most a/K; with K algorithms, the whole watch
 * raises a false alarm with a probability of at most a. This is the log-rank test for continuous monitoring ("safe log-rank test",
 * ter Schure, Pérez-Ortiz, Ly and Grünwald, 2020), with ties and a margin.
 */
export function createLoginComparison() {
  const before = new Map<string, number>();
  const evidence = new Map<string, number[]>();

  return function add(counts: readonly LoginCounts[]) {
    const fresh = counts.map(({ algorithm, logged_in: now, never }) => {
      const known = before.get(algorithm) ?? 0;
      before.set(algorithm, Math.max(now, known));
      const came = Math.max(now - known, 0);
      return { algorithm, came, atRisk: came + never };
    });
    const came = sumOf(fresh.map((one) => one.came));
    const atRisk = sumOf(fresh.map((one) => one.atRisk));
    for (const one of came === 0 ? [] : fresh) {
      const logs = evidence.get(one.algorithm) ?? outOfLine.map(() => 0);
      const added = logRatios(one.came, one.atRisk, came, atRisk);
      evidence.set(
        one.algorithm,
        logs.map((log, at) => log + (added[at] ?? 0)),
      );
    }
    return counts.map((one) => {
      const logs = evidence.get(one.algorithm) ?? [0];
      const found = sumOf(logs.map(Math.exp)) / logs.length;
      return {
        algorithm: one.algorithm,
        /** How many times better the looks so far fit an algorithm that is out of line than one in line. */
        evidence: found,
        isOutOfLine: found >= counts.length / falseAlarms && isBehind(one, counts),
      };
    });
  };
}

/**
 * True if members with this algorithm have logged in less than half as often as the others. Without this check, slightly slower
 * members would look bad once nearly everybody else has logged in. It can only remove alarms.
 */
function isBehind(
  { algorithm, logged_in: now, never }: LoginCounts,
  counts: readonly LoginCounts[],
): boolean {
  const others = counts.filter((one) => one.algorithm !== algorithm);
  const theirs = sumOf(others.map((one) => one.logged_in));
  const all = theirs + sumOf(others.map((one) => one.never));
  return now * all < inLine * theirs * (now + never);
}

/** Log likelihood ratio for each fraction out of line: `x` of the `own` members of the algorithm, and `m` of `all`, logged in. */
function logRatios(x: number, own: number, m: number, all: number): number[] {
  const whole = logMean(inLine, own, m, all);
  return outOfLine.map((odds) => x * Math.log(odds / inLine) + whole - logMean(odds, own, m, all));
}

/** Log of the sum, over the possible own logins `k`, of hypergeometric weight times `odds ** k`; up to a common factor. */
function logMean(odds: number, own: number, m: number, all: number): number {
  const first = Math.max(0, m - (all - own));
  const last = Math.min(own, m);
  let term = first * Math.log(odds);
  let greatest = term;
  let sum = 1;
  for (let k = first; k < last; k += 1) {
    term += Math.log((odds * (own - k) * (m - k)) / ((k + 1) * (all - own - m + k + 1)));
    if (term > greatest) {
      sum = sum * Math.exp(greatest - term) + 1;
      greatest = term;
    } else sum += Math.exp(term - greatest);
  }
  return greatest + Math.log(sum);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
