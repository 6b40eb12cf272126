import { Client, type Dispatcher, errors } from 'undici';
import { type ConnectOptions, createConnector } from './connector.ts';
import { createTimeoutQueue, type TimedRequest, type TimeoutQueue } from './timeouts.ts';
import { CrossedAnswerError, type Reply, type SendFailure, type Transport } from './transport.ts';

/** How a pool connects. `limit` is also that of each answer. */
export interface PoolOptions extends ConnectOptions {
  /** Scheme, host and port. */
  origin: string;
  /** Open connections at the same time. */
  connections: number;
}

/** Most bytes of an answer: a page of users with pictures has some megabytes. */
export const maxAnswer = 64 * 2 ** 20;

/** Opens a pool of connections; none is made before the first request. */
export function openPool({ origin, connections, ...connecting }: PoolOptions): Transport {
  const timeouts = createTimeoutQueue(connecting.limit);
  // The limits are kept here: those of undici are late by up to a second.
  const pool = openConnections(origin, connections, {
    connect: createConnector(connecting),
    headersTimeout: 0,
    bodyTimeout: 0,
    // A service that does not stop answering would fill the memory.
    maxResponseSize: maxAnswer,
  });
  const ids = requestIds();
  return {
    send({ method, path, headers, body }, done, failed) {
      pool.take((connection) => {
        if (!connection) return failed({ cause: new errors.ClientDestroyedError(), sent: false });
        const id = ids.next();
        const options = {
          method,
          path,
          // V8 is slow to add to an object that begins with a spread.
          headers: Object.assign({ 'x-request-id': id }, headers),
          body: body?.() ?? null,
        };
        const isCrossed = (answered: unknown) => answered !== id && ids.isOurs(answered);
        const ended = () => pool.release(connection);
        connection.dispatch(options, new ResponseHandler(timeouts, { done, failed, isCrossed, ended }));
      });
    },
    close: pool.close,
  };
}

/** The connections of a pool, each with one request at a time. */
interface Connections {
  /** Hands a free connection over, now or when there is one; `undefined` once they are closed. Each must be given back. */
  take(use: (connection: Client | undefined) => void): void;
  /** Gives a connection back whose request has ended. */
  release(connection: Client): void;
  /** Ends all requests. */
  close(): Promise<void>;
}

/**
 * Makes connections to an origin, when they are needed and `most` at the same time. The one that was free last comes first.
 * undici's own pool looks at all of them to find a free one, twice for each request.
 */
function openConnections(origin: string, most: number, options: Client.Options): Connections {
  const all: Client[] = [];
  const free: Client[] = [];
  const waiting: ((connection: Client | undefined) => void)[] = [];
  let isClosed = false;

  function open(): Client {
    const connection = new Client(origin, options);
    all.push(connection);
    return connection;
  }

  return {
    take(use) {
      if (isClosed) return use(undefined);
      const connection = free.pop() ?? (all.length < most ? open() : undefined);
      if (connection) use(connection);
      else waiting.push(use);
    },
    release(connection) {
      const use = waiting.shift();
      // undici is still busy with the request that has ended.
      if (use) setImmediate(use, connection);
      else free.push(connection);
    },
    async close() {
      isClosed = true;
      for (const use of waiting.splice(0)) use(undefined);
      await Promise.all(all.map((connection) => connection.destroy()));
    },
  };
}

/** Ids of the requests of one pool. A service may repeat them in its answers, or have ids of its own. */
function requestIds() {
  // They tell answers apart and are no secret; `node:crypto` takes long to load.
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

/** Who waits for an answer. */
interface Awaited {
  done(reply: Reply): void;
  failed(failure: SendFailure): void;
  /** Whether the id of an answer (`X-Request-Id`) is that of another request. */
  isCrossed(id: unknown): boolean;
  /** Hears first that the request has ended, either way. */
  ended(): void;
}

/** The headers of answers that are read here. */
const readHeaders = ['date', 'retry-after', 'x-request-id'];
const readLengths = new Set(readHeaders.map((name) => name.length));

/** These headers of a list of names and values, the first where one is repeated. */
function headersOf(raw: readonly Buffer[]): Reply['headers'] {
  const headers: Reply['headers'] = {};
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at], raw[at + 1]];
    if (!name || !readLengths.has(name.length)) continue;
    const text = name.toString('latin1').toLowerCase();
    if (readHeaders.includes(text)) headers[text] ??= value?.toString('latin1');
  }
  return headers;
}

/**
 * Reads the answer of one request within its deadline. A class for its cost alone: imports make one for every row, and a stream
 * for each answer, or an object of closures, costs a tenth of the whole request. So does undici's newer interface, which this
 * is not: it wraps each handler, and makes an object of all headers.
 */
export class ResponseHandler implements Dispatcher.DispatchHandler, TimedRequest {
  readonly #timeouts: TimeoutQueue;
  readonly #request: Awaited;
  place = -1;
  #abort: ((cause: Error) => void) | undefined = undefined;
  #status = 0;
  #headers: Reply['headers'] = {};
  #first: Buffer | undefined = undefined;
  #rest: Buffer[] | undefined = undefined;

  constructor(timeouts: TimeoutQueue, request: Awaited) {
    this.#timeouts = timeouts;
    this.#request = request;
  }

  expire(): void {
    this.#abort?.(new errors.HeadersTimeoutError());
  }

  onConnect(abort: (cause?: Error) => void): void {
    this.#abort = abort;
    // undici may start a request again that nobody has seen: its time begins again too.
    this.#timeouts.begin(this);
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    this.#status = status;
    this.#headers = headersOf(raw);
    // The parser made the list when the answer before this one ended: so old, it would outlive its use with all that is in it.
    raw.length = 0;
    // Ends the connection as well: the next answers on it would be those of others too.
    if (this.#request.isCrossed(this.#headers['x-request-id'])) this.#abort?.(new CrossedAnswerError());
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#first) this.#first = chunk;
    else if (this.#rest) this.#rest.push(chunk);
    else this.#rest = [chunk];
    return true;
  }

  onComplete(): void {
    this.#timeouts.end(this);
    const first = this.#first ?? Buffer.alloc(0);
    const body = this.#rest ? Buffer.concat([first, ...this.#rest]) : first;
    const text = body.toString('utf8').replace(/^\uFEFF/, '');
    const headers = this.#headers;
    // As old as its request, this outlives its use, and so would what it holds.
    this.#headers = {};
    this.#first = undefined;
    this.#rest = undefined;
    this.#request.ended();
    this.#request.done({ status: this.#status, headers, text, bytes: body.length });
  }

  onError(cause: Error): void {
    this.#timeouts.end(this);
    this.#request.ended();
    this.#request.failed({ cause, sent: this.#abort !== undefined });
  }
}
