import type { VerdictName } from './verdicts.ts';

/** What a comparison came to, in the words of its `summary.json`. rows = same + differs + missing + ambiguous + invalid. */
export interface ComparisonSummary {
  /** Where the lists are. */
  directory: string;
  file: string;
  /** SHA-256 of the file's bytes, hex. */
  digest: string;
  /** The tenant, such as base URL and client id. */
  target: Readonly<Record<string, string>>;
  /** The job whose outcomes were compared as well. */
  job?: string;
  /** Data rows of the file. */
  rows: number;
  /** Users of the tenant. */
  users: number;
  same: number;
  differs: number;
  missing: number;
  /** Users of whom the file has no row. */
  extra: number;
  ambiguous: number;
  /** Rows that fail the checks: their users cannot be compared. */
  invalid: number;
  /** Of those that differ: users whom the job created, and who were changed in the tenant since. */
  changed_since: number;
  /** How many rows differ in each field. */
  fields: Record<string, number>;
  /** False where the listing cannot be vouched for. */
  complete: boolean;
  /** Why it cannot. */
  faults: string[];
  seconds: number;
}

/** True where file and tenant say the same. */
export function isEqual(summary: Record<VerdictName, number>): boolean {
  const { differs, missing, extra, ambiguous, invalid } = summary;
  return differs + missing + extra + ambiguous + invalid === 0;
}
