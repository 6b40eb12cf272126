/** What a run did, in the words of `summary.json`. rows = the sum of the seven counts below it, always. */
export interface Summary {
  /** The job directory. */
  job: string;
  rows: number;
  created: number;
  existing: number;
  conflict: number;
  /** Refused by the API, or never sent because of the network. */
  failed: number;
  /** Not sent, because findings stand against the row. */
  invalid: number;
  /** Sent, but no answer came back. */
  unknown: number;
  /** Not sent yet: the run was stopped, or it was a dry run. */
  pending: number;
  resumed: boolean;
  dry_run: boolean;
  rehearsal: boolean;
  seconds: number;
  /** Whole rows a second, over the whole run. */
  rows_per_second: number;
  /** How many failed and invalid rows carry each code. */
  codes: Record<string, number>;
  /** Algorithms seen in the file. */
  by_algorithm: Record<string, AlgorithmCounts>;
}

/** `failed` counts failed and invalid rows; rows without an answer are in neither count. */
export interface AlgorithmCounts {
  created: number;
  failed: number;
  canaries: number;
}
