/** How long the service waits for what, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request to arrive. */
  headers: number;
  /** For a whole request to arrive, its body included. */
  request: number;
  /** For the next request on a connection that is kept. */
  idle: number;
  /** For any byte to move on a connection with a request under way: a reader that stalls. */
  stalled: number;
  /** For the requests under way when the service closes. */
  drain: number;
}

/** A body of 5 MiB may come as slowly as 45 kB/s; the drain ends before container runtimes kill (10 s and more). */
export const defaultTimeouts: Timeouts = {
  headers: 20_000,
  request: 120_000,
  idle: 72_000,
  stalled: 120_000,
  drain: 9_000,
};
