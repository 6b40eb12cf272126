import { type HashAlgorithm, hashAlgorithms } from '../contract/attributes.ts';
import type { Progress } from './import-hashes.ts';
import type { Outcome } from './outcome.ts';
import type { AlgorithmCounts, Summary } from './summary.ts';

/** Counts outcomes. */
export interface Tally {
  add(outcome: Outcome): void;
  progress(): Progress;
  summary(run: Pick<Summary, 'job' | 'dry_run' | 'seconds'>): Summary;
}

/** Makes the tally of a file of `total` data rows. */
export function createTally(total: number): Tally {
  const counts = { created: 0, failed: 0, invalid: 0, unknown: 0, pending: 0 };
  const codes = new Map<string, number>();
  const algorithms = new Map<HashAlgorithm, AlgorithmCounts>();
  let done = 0;

  function countsOf(algorithm: HashAlgorithm): AlgorithmCounts {
    const found = algorithms.get(algorithm);
    if (found) return found;
    const fresh = { created: 0, failed: 0, canaries: 0 };
    algorithms.set(algorithm, fresh);
    return fresh;
  }

  return {
    add(outcome) {
      const { result, algorithm } = outcome;
      done += 1;
      counts[result] += 1;
      const counted = algorithm && countsOf(algorithm);
      if (result === 'created' && counted) counted.created += 1;
      if (result !== 'failed' && result !== 'invalid') return;
      if (counted) counted.failed += 1;
      codes.set(outcome.code, (codes.get(outcome.code) ?? 0) + 1);
    },
    progress: () => ({
      total,
      done,
      created: counts.created,
      failed: counts.failed + counts.invalid + counts.unknown,
    }),
    summary: ({ job, dry_run, seconds }) => ({
      job,
      rows: total,
      created: counts.created,
      existing: 0,
      conflict: 0,
      failed: counts.failed,
      invalid: counts.invalid,
      unknown: counts.unknown,
      pending: counts.pending + total - done,
      resumed: false,
      dry_run,
      rehearsal: false,
      seconds,
      rows_per_second: seconds > 0 ? Math.round(done / seconds) : 0,
      codes: Object.fromEntries([...codes].sort(([a], [b]) => (a < b ? -1 : 1))),
      by_algorithm: Object.fromEntries(
        hashAlgorithms.flatMap((name) => {
          const found = algorithms.get(name);
          return found ? [[name, found]] : [];
        }),
      ),
    }),
  };
}
