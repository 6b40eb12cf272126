import { type Dispatcher, errors, Pool } from 'undici';
import { type ConnectOptions, createConnector } from './connector.ts';
import { createTimeoutQueue, type TimedRequest, type TimeoutQueue } from './timeouts.ts';
import type { Reply, SendFailure, Transport } from './transport.ts';

/** How a pool connects. `limit` is also that of each answer. */
export interface PoolOptions extends ConnectOptions {
  /** Scheme, host and port. */
  origin: string;
  /** Open connections at the same time. */
  connections: number;
}

/** Opens a pool of connections; none is made before the first request. */
export function openPool({ origin, connections, ...connecting }: PoolOptions): Transport {
  const timeouts = createTimeoutQueue(connecting.limit);
  // The limits are kept here: those of undici are late by up to a second.
  const pool = new Pool(origin, {
    connections,
    connect: createConnector(connecting),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send({ method, path, headers, body }, done, failed) {
      const options = { method, path, headers, body: body?.() ?? null };
      pool.dispatch(options, new ResponseHandler(timeouts, done, failed));
    },
    close: () => pool.destroy(),
  };
}

/**
 * Reads the answer of one request within its deadline. A class for its cost alone: imports make one for every row, and a stream
 * for each answer, or an object of closures, costs a tenth of the whole request.
 */
export class ResponseHandler implements Dispatcher.DispatchHandler, TimedRequest {
  readonly #timeouts: TimeoutQueue;
  readonly #done: (reply: Reply) => void;
  readonly #failed: (failure: SendFailure) => void;
  #sending: Dispatcher.DispatchController | undefined = undefined;
  #status = 0;
  #headers: Reply['headers'] = {};
  #first: Buffer | undefined = undefined;
  #rest: Buffer[] | undefined = undefined;

  constructor(timeouts: TimeoutQueue, done: (reply: Reply) => void, failed: (failure: SendFailure) => void) {
    this.#timeouts = timeouts;
    this.#done = done;
    this.#failed = failed;
  }

  expire(): void {
    this.#sending?.abort(new errors.HeadersTimeoutError());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sending = controller;
    // undici may start a request again that nobody has seen: its time begins again too.
    this.#timeouts.begin(this);
  }

  onResponseStart(_controller: unknown, status: number, headers: Reply['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#first) this.#first = chunk;
    else if (this.#rest) this.#rest.push(chunk);
    else this.#rest = [chunk];
  }

  onResponseEnd(): void {
    this.#timeouts.end(this);
    const first = this.#first ?? Buffer.alloc(0);
    const body = this.#rest ? Buffer.concat([first, ...this.#rest]) : first;
    const text = body.toString('utf8').replace(/^\uFEFF/, '');
    this.#done({ status: this.#status, headers: this.#headers, text, bytes: body.length });
  }

  onResponseError(_controller: unknown, cause: Error): void {
    this.#timeouts.end(this);
    this.#failed({ cause, sent: this.#sending !== undefined });
  }
}
