import { type Dispatcher, errors, Pool } from 'undici';
import type { Reply } from '../../contract/exchange.ts';
import { type ConnectOptions, createConnector } from './connector.ts';
import { createTimeoutQueue, type TimedRequest, type TimeoutQueue } from './timeouts.ts';
import { CrossedAnswerError, maxAnswer, type SendFailure, type Transport } from './transport.ts';

/** Options for a pool. `limit` also applies to each answer. */
export interface PoolOptions extends ConnectOptions {
  /** Scheme, host and port. */
  origin: string;
  /** Maximum number of open connections. */
  connections: number;
}

/** Opens a connection pool; no connection is opened before the first request. */
export function openPool({ origin, connections, ...connecting }: PoolOptions): Transport {
  const timeouts = createTimeoutQueue(connecting.limit);
  // The time limits are enforced here, because those of undici are late by up to a second.
  const pool = new Pool(origin, {
    connections,
    connect: createConnector(connecting),
    headersTimeout: 0,
    bodyTimeout: 0,
    // An endless answer would fill the memory.
    maxResponseSize: maxAnswer,
  });
  const ids = requestIds();
  return {
    send({ method, path, headers, body }, done, failed) {
      const id = ids.next();
      const options = {
        method,
        path,
        // V8 is slow to add properties to an object that begins with a spread.
        headers: Object.assign({ 'x-request-id': id }, headers),
        body: body?.() ?? null,
      };
      const isCrossed = (answered: unknown) => answered !== id && ids.isOurs(answered);
      pool.dispatch(options, new ResponseHandler(timeouts, done, failed, isCrossed));
    },
    close: () => pool.destroy(),
  };
}

/** Generates the request ids of one pool. A service may repeat the id in its answer, or use an id of its own. */
function requestIds() {
  // The ids only distinguish answers and are no secret; `node:crypto` takes long to load.
  const start = `${Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0')}-`;
  let count = 0;
  return {
    next() {
      count += 1;
      return start + count.toString(36);
    },
    isOurs: (id: unknown) => typeof id === 'string' && id.startsWith(start),
  };
}

/**
 * Reads the answer of one request within its time limit. A class only because it is cheap: an import makes one for every row, and a
 * stream for each answer, or an object of closures, costs a tenth of the whole request.
 */
export class ResponseHandler implements Dispatcher.DispatchHandler, TimedRequest {
  readonly #timeouts: TimeoutQueue;
  readonly #done: (reply: Reply) => void;
  readonly #failed: (failure: SendFailure) => void;
  readonly #isCrossed: (id: unknown) => boolean;
  place = -1;
  #sending: Dispatcher.DispatchController | undefined = undefined;
  #status = 0;
  #headers: Reply['headers'] = {};
  #first: Buffer | undefined = undefined;
  #rest: Buffer[] | undefined = undefined;

  /** `isCrossed`: returns true if the id of an answer (`X-Request-Id`) belongs to another request of this pool. */
  constructor(
    timeouts: TimeoutQueue,
    done: (reply: Reply) => void,
    failed: (failure: SendFailure) => void,
    isCrossed: (id: unknown) => boolean = () => false,
  ) {
    this.#isCrossed = isCrossed;
    this.#timeouts = timeouts;
    this.#done = done;
    this.#failed = failed;
  }

  expire(): void {
    this.#sending?.abort(new errors.HeadersTimeoutError());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sending = controller;
    // undici may restart a request that no server has received; its time limit then starts over too.
    this.#timeouts.begin(this);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Reply['headers'],
  ): void {
    // This also closes the connection: the next answers on it would belong to other requests too.
    if (this.#isCrossed(headers['x-request-id'])) controller.abort(new CrossedAnswerError());
    this.#status = status;
    this.#headers = headers;
    // The parser made this list when the previous answer ended; so old an object is garbage-collected late, with all it references.
    if (Array.isArray(controller.rawHeaders)) controller.rawHeaders.length = 0;
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
    const headers = this.#headers;
    // As old as its request, this handler is garbage-collected late. Cleared, so that it does not keep the answer until then.
    this.#headers = {};
    this.#first = undefined;
    this.#rest = undefined;
    this.#done({ status: this.#status, headers, text, bytes: body.length });
  }

  onResponseError(_controller: unknown, cause: Error): void {
    this.#timeouts.end(this);
    this.#failed({ cause, sent: this.#sending !== undefined });
  }
}
