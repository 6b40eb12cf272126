import type { Reply, Request } from '../../contract/exchange.ts';

/** Maximum size of an answer in bytes: a page of users with pictures can have several megabytes. */
export const maxAnswer = 64 * 2 ** 20;

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
