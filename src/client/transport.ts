import type { Method } from '../contract/operations.ts';

/** One HTTP request. */
export interface Request {
  method: Method;
  path: string;
  headers: Record<string, string>;
  /** Writes the body for each sending: keeping the text while its request is running would slow garbage collection down. */
  body?: (() => string) | undefined;
  /** The value that `body` writes, if that is JSON. */
  value?: unknown;
}

/** Maximum size of an answer in bytes: a page of users with pictures can have several megabytes. */
export const maxAnswer = 64 * 2 ** 20;

/** An unparsed answer. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Length of the body in bytes. */
  bytes: number;
}

/** The answer has the id of another request of this client: something in between has mixed up answers. */
export class CrossedAnswerError extends Error {
  override readonly name = 'CrossedAnswerError';
}

/** How a request ended without an answer. */
export interface SendFailure {
  cause: Error;
  /** True if the request was already being sent; otherwise nobody can have received it. */
  sent: boolean;
}

/** The connection to a service: over the network (`openPool`), or inside this process (`inProcess`). */
export interface Transport {
  /** Sends a request; calls either `done` or `failed`, once. */
  send(request: Request, done: (reply: Reply) => void, failed: (failure: SendFailure) => void): void;
  /** Aborts running requests. */
  close(): Promise<void>;
}
