import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import type { Run } from '../journal/read-journal.ts';
import type { CommandLine } from '../model/job.ts';
import type { Summary } from '../model/summary.ts';
import type { RateSample } from '../rate-limit/history.ts';

/** What the report of an import is made of. No password, hash, key or user name is in it. */
export interface ReportData {
  summary: Summary;
  /** Name of the source, as it was given. */
  file: string;
  /** SHA-256 of the source's bytes, hex. */
  digest: string;
  /** The tenant, such as base URL and client id. */
  target: Readonly<Record<string, string>>;
  /** Version of the program. */
  version: string;
  /** Epoch milliseconds: this run. */
  startedAt: number;
  endedAt: number;
  /** Every run of the job, the first one first, this one last. */
  runs: readonly Run[];
  /** The run was stopped before the last row. */
  isStopped?: boolean;
  /** The records were merged from so many shards. */
  shards?: number;
  /** For the commands that come next; left out where nobody knows it. */
  command?: CommandLine | undefined;
  /** The history of this run, first stretch first. */
  samples?: readonly RateSample[];
  /** Known passwords that were tried, by algorithm; an algorithm that is not in it is not verified. */
  canaries?: readonly CanaryResult[];
}

/** What became of the known passwords of an algorithm, and which mistakes of the export would explain it. */
export type CanaryResult = Pick<AlgorithmVerification, 'algorithm' | 'tried' | 'matched' | 'mistakes'>;
