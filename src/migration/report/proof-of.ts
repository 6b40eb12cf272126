import { type HashAlgorithm, hashAlgorithms } from '../../contract/attributes.ts';
import type { Summary } from '../summary.ts';
import type { CanaryResult } from './report-data.ts';

/** Algorithms that the file has, or that known passwords were tried for. */
export function algorithmsOf(summary: Summary, canaries: readonly CanaryResult[]): HashAlgorithm[] {
  return hashAlgorithms.filter(
    (name) => summary.by_algorithm[name] ?? canaries.find(({ algorithm }) => algorithm === name),
  );
}

/** Algorithms of which no known password was tried. */
export function unprovenOf(summary: Summary, canaries: readonly CanaryResult[]): HashAlgorithm[] {
  return algorithmsOf(summary, canaries).filter(
    (name) => !canaries.some(({ algorithm, tried }) => algorithm === name && tried > 0),
  );
}
