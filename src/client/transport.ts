import type { Method } from '../contract/operations.ts';

/** One HTTP request. */
export interface Request {
  method: Method;
  path: string;
  headers: Record<string, string>;
  /** Written each time it is sent: a text that is kept while its request is under way makes garbage collection slower. */
  body?: (() => string) | undefined;
  /** What `body` writes, where that is JSON. */
  value?: unknown;
}

/** An answer as it came. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Length of the body. */
  bytes: number;
}

/** The answer has the id of another request of ours: something in between has mixed them up. */
export class CrossedAnswerError extends Error {
  override readonly name = 'CrossedAnswerError';
}

/** How a request ended without an answer. */
export interface SendFailure {
  cause: Error;
  /** It was on its way; before that, nobody can have seen it. */
  sent: boolean;
}

/** The way to a service: over the network (`openPool`), or inside this process (`inProcess`). */
export interface Transport {
  /** Sends a request; one of the two is called, once. */
  send(request: Request, done: (reply: Reply) => void, failed: (failure: SendFailure) => void): void;
  /** Ends what is under way. */
  close(): Promise<void>;
}
