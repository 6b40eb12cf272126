import type { Run } from '../journal/database/job-facts.ts';
import type { CommandLine } from '../model/job.ts';
import type { Summary } from '../model/summary.ts';
import type { RateSample } from '../rate-limit/history.ts';

/** The data of an import's report. It contains no password, hash, key or user name. */
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
  /** Start and end of this run, in epoch milliseconds. */
  startedAt: number;
  endedAt: number;
  /** All runs of the job in order, this one last. */
  runs: readonly Run[];
  /** True if the run was stopped before the last row. */
  isStopped?: boolean;
  /** Number of shards that the records were merged from. */
  shards?: number;
  /** The command line, for commands that are suggested; left out if it is not known. */
  command?: CommandLine | undefined;
  /** The history of this run, in order. */
  samples?: readonly RateSample[];
}
