/** What a person needs to know of a code: whole sentences, true of every tenant unless they say otherwise. */
export interface Explanation {
  /** Why it happens. */
  cause: string;
  /** What to do next; also the hint of an error, and that of a row in an import's report. */
  remedy: string;
  /** May the same request succeed later without a change? */
  retryable: boolean;
}
