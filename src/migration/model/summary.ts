import type { HashAlgorithm } from '../../contract/attributes.ts';

/** What a run stands at. */
export interface Progress {
  /** Data rows of the file, or of the shard. */
  total: number;
  /** Rows that have an outcome, those of earlier runs included. */
  done: number;
  created: number;
  /** Rows that were not imported: failed, invalid, in conflict, or without an answer. */
  failed: number;
  /** Nothing is sent: rows are only checked. */
  isCheck: boolean;
}

/** What a job came to, in the words of `summary.json`. rows = the sum of its counts of `rowResults`, always. */
export interface Summary {
  /** The job directory. */
  job: string;
  /** The tenant, such as base URL and client id; empty where none is written to. */
  target: Readonly<Record<string, string>>;
  /** Data rows of the file, or of the shard. */
  rows: number;
  created: number;
  /** Of a plan: existing users whose fields were changed, and those who were disabled. */
  updated?: number;
  disabled?: number;
  /** Of those created: their answers were lost, and they were found by look-up. */
  found_by_look_up: number;
  /** The user was there, and is the same person. */
  existing: number;
  /** Of these: with a hash in the row. They keep their passwords, so it was not sent. */
  hashes_not_sent: number;
  /** Another user has a unique value of the row. */
  conflict: number;
  /** Refused by the API. */
  failed: number;
  /** Not sent: the row failed validation. */
  invalid: number;
  /** Left out by the recipe. */
  skipped: number;
  /** Sent, but no answer came back, and nothing to look the user up by. */
  unknown: number;
  /** Not sent yet: the run was stopped, or it was a dry run. Where that asked the tenant: would be created. */
  pending: number;
  /** Digest of the plan that was applied; left out of an import. */
  plan?: string;
  /** The job was begun by an earlier run. */
  resumed: boolean;
  dry_run: boolean;
  /** How the dry run asked the tenant who is there, and why so; left out where it did not. */
  asked?: string;
  rehearsal: boolean;
  /** Of a ramp: the canaries that were created, and whether they could log in; left out before they were tried. */
  ramp?: { canaries: number; logins: 'accepted' | 'unproven on the tenant' };
  /** Shard of the file, such as `1/2`; left out where the job is the whole file. */
  shard?: string;
  /** Rows that were read and pass the checks, of users who must change the password at the first login. */
  must_change_password: number;
  /** Of these: where neither the file nor `--set` says so, but the API's default. */
  must_change_by_default: number;
  /** Rows that pass the checks, of users who will have no password. */
  without_password: number;
  /** Rows that pass the checks, of users who are disabled after the create. */
  to_disable: number;
  /** Columns of the file that are not imported. */
  ignored_columns: string[];
  /** Of this run. */
  seconds: number;
  /** Of these: in which the run waited for its window; left out where it did not. */
  waited_seconds?: number;
  /** Rows that got an outcome in this run, a second in which rows were sent. */
  rows_per_second: number;
  /** How many rows that are not known to be users carry each code. */
  codes: Record<string, number>;
  /**
   * Every issue of the rows that the last run read, not only the first of each: rows by code. What was sent has none.
   */
  issues: Record<string, number>;
  /** Rows by the names of algorithms that the API does not know. */
  unknown_algorithms: Record<string, number>;
  /** Algorithms of the file that no known password was tried for. */
  not_verified: HashAlgorithm[];
  /** Algorithms seen in the file. */
  by_algorithm: { [Name in HashAlgorithm]?: AlgorithmCounts };
}

/** `failed` counts failed and invalid rows and conflicts; rows without an answer are in neither count. */
export interface AlgorithmCounts {
  created: number;
  failed: number;
  canaries: number;
}
