import { IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A request that comes from inside this process. Names of headers are in small letters. */
export interface DirectRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
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

class ReceivedRequest extends IncomingMessage {
  constructor({ method, path, headers, body }: DirectRequest) {
    super(noSocket);
    this.method = method;
    this.url = path;
    this.headers = { host: 'localhost', ...headers };
    const bytes = body === undefined ? undefined : Buffer.from(body);
    if (bytes || method !== 'GET') this.headers['content-length'] = String(bytes?.length ?? 0);
    if (bytes) this.push(bytes);
    this.push(null);
    this.complete = true;
  }
}

class CollectedResponse extends ServerResponse {
  readonly #answered: (reply: DirectReply) => void;
  readonly #chunks: Uint8Array[] = [];
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
    this.#chunks.push(chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));
    return true;
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    this.finished = true;
    const headers: DirectReply['headers'] = { date: new Date().toUTCString() };
    for (const [name, value] of Object.entries({ ...this.getHeaders(), ...this.#headers })) {
      headers[name] = typeof value === 'number' ? String(value) : value;
    }
    this.#answered({ status: this.statusCode, headers, text: Buffer.concat(this.#chunks).toString() });
    this.emit('finish');
    this.emit('close');
    return this;
  }
}
