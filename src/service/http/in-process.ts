import { IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A request that comes from inside this process. Names of headers are in small letters. */
export interface DirectRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/** The answer to such a request. */
export interface DirectReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Answers a request through a callback, which is called once. */
export type DirectAnswer = (request: DirectRequest, answered: (reply: DirectReply) => void) => void;

/**
 * Lets a server answer requests of this process, without a port: they go through the same routes as requests that come
 * over the network, but no HTTP is written, sent or parsed.
 */
export function answerInProcess(server: Server): DirectAnswer {
  return (request, answered) => {
    const received = new ReceivedRequest(request);
    server.emit('request', received, new CollectedResponse(received, answered));
  };
}

/** Node's requests need a socket; this one is never connected. */
const noSocket = new Socket();

/** The body of a request of this process as it was given, so that its bytes need not be read again. */
export function givenBody(request: IncomingMessage): string | undefined {
  return request instanceof ReceivedRequest ? request.given : undefined;
}

class ReceivedRequest extends IncomingMessage {
  readonly given: string | undefined;
  readonly #bytes: Buffer | undefined;
  #isRead = false;

  constructor({ method, path, headers, body }: DirectRequest) {
    super(noSocket);
    this.method = method;
    this.url = path;
    this.headers = { host: 'localhost', ...headers };
    this.given = body;
    this.#bytes = body === undefined ? undefined : Buffer.from(body);
    if (this.#bytes || method !== 'GET') this.headers['content-length'] = String(this.#bytes?.length ?? 0);
    this.complete = true;
  }

  /** The whole body is here already: to take it through the buffers of a stream would cost more than to parse it. */
  override resume(): this {
    if (!this.#isRead) process.nextTick(handOver, this, this.#bytes);
    this.#isRead = true;
    return this;
  }
}

function handOver(request: ReceivedRequest, bytes: Buffer | undefined): void {
  if (bytes) request.emit('data', bytes);
  request.emit('end');
}

class CollectedResponse extends ServerResponse {
  readonly #answered: (reply: DirectReply) => void;
  readonly #chunks: (string | Uint8Array)[] = [];
  #headers: OutgoingHttpHeaders = {};

  constructor(request: IncomingMessage, answered: (reply: DirectReply) => void) {
    super(request);
    this.#answered = answered;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const headers = rest.at(-1);
    if (typeof headers === 'object') Object.assign(this.#headers, headers);
    return this;
  }

  override write(chunk: unknown): boolean {
    this.#chunks.push(chunk instanceof Uint8Array ? chunk : String(chunk));
    return true;
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    this.finished = true;
    const headers: OutgoingHttpHeaders = { date: dateNow(), ...this.getHeaders(), ...this.#headers };
    const read: DirectReply['headers'] = {};
    for (const name in headers) {
      const value = headers[name];
      read[name] = typeof value === 'number' ? String(value) : value;
    }
    this.#answered({ status: this.statusCode, headers: read, text: textOf(this.#chunks) });
    this.emit('finish');
    this.emit('close');
    return this;
  }
}

function textOf(chunks: readonly (string | Uint8Array)[]): string {
  const [only = '', ...others] = chunks;
  if (typeof only === 'string' && others.length === 0) return only;
  return Buffer.concat(
    chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
  ).toString();
}

let latest = { second: Number.NaN, date: '' };

/** As a server writes it; to make the text for each answer would take longer than the other headers. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== latest.second) latest = { second, date: new Date(second * 1000).toUTCString() };
  return latest.date;
}
