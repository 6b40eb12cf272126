/** A word that may stand where the cursor is. */
export interface Candidate {
  /** The whole word, unquoted. */
  value: string;
  description: string;
}

/** All that may stand where the cursor is. */
export interface Completion {
  candidates: readonly Candidate[];
  /** May it be a file, too? */
  files?: boolean;
  /** The word may go on: no space after it. */
  open?: boolean;
}
