import {
  type IncomingHttpHeaders,
  IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Answer, Reply, Request } from '../../contract/exchange.ts';
import { isRecord } from '../../contract/is-record.ts';
import { smallBodyLimit } from './body.ts';

/**
 * Lets a server answer requests of this process without a port: they use the same routes as requests over the network, but no HTTP
 * is written, sent or parsed.
 */
export function answerInProcess(server: Server): Answer {
  return (request, answered, longest) => {
    const received = new ReceivedRequest(request);
    server.emit('request', received, new CollectedResponse(received, answered, longest));
  };
}

/** Node's requests need a socket; this one is never connected. */
const noSocket = new Socket();

/** Uses bodies that requests of this process pass as values, without parsing them. */
export function takeGivenBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.raw instanceof ReceivedRequest) request.body = request.raw.given;
    done();
  });
}

class ReceivedRequest extends IncomingMessage {
  readonly given: unknown;
  readonly #bytes: Buffer | undefined;
  #isRead = false;

  constructor({ method, path, headers: given, body, value }: Request) {
    super(noSocket);
    this.method = method;
    this.url = path;
    const headers: IncomingHttpHeaders = { host: 'localhost', ...given };
    // A larger body is serialized and parsed, so that the limits of bodies apply.
    if (largestJson(value) <= smallBodyLimit) {
      this.given = value;
      // Without content type and length, Fastify reads no body.
      headers['content-type'] = undefined;
    } else {
      this.#bytes = body && Buffer.from(body());
      if (this.#bytes || method !== 'GET') headers['content-length'] = String(this.#bytes?.length ?? 0);
    }
    this.headers = headers;
    this.complete = true;
  }

  /** The whole body is already here: passing it through a stream's buffers would cost more than parsing it. */
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

/** Maximum bytes of a character in JSON, as in the escape of U+0001. */
const largestCharacter = 6;

/**
 * Upper bound of a value's bytes as JSON, if parsing the JSON gives the same value: for a text, a boolean, or an object of these
 * and of such objects. `Infinity` for all other values.
 */
function largestJson(value: unknown, levels = 2): number {
  if (typeof value === 'string') return largestCharacter * value.length + 2;
  if (typeof value === 'boolean') return 5;
  if (!isRecord(value) || levels === 0 || Object.getPrototypeOf(value) !== Object.prototype) return Infinity;
  let size = 2;
  for (const name in value) size += largestCharacter * name.length + 4 + largestJson(value[name], levels - 1);
  return size;
}

class CollectedResponse extends ServerResponse {
  readonly #answered: Parameters<Answer>[1];
  readonly #longest: number;
  #chunks: (string | Uint8Array)[] = [];
  #bytes = 0;
  #headers: OutgoingHttpHeaders = {};

  constructor(request: IncomingMessage, answered: Parameters<Answer>[1], longest: number) {
    super(request);
    this.#answered = answered;
    this.#longest = longest;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const headers = rest.at(-1);
    if (typeof headers === 'object') Object.assign(this.#headers, headers);
    return this;
  }

  override write(chunk: unknown): boolean {
    const part = chunk instanceof Uint8Array ? chunk : String(chunk);
    this.#bytes += Buffer.byteLength(part);
    this.#chunks.push(part);
    return this.#bytes <= this.#longest || this.#giveUp();
  }

  /** Ends an answer that is too long, as if the caller had closed the connection. */
  #giveUp(): false {
    this.#chunks = [];
    if (!this.destroyed) {
      this.destroy();
      this.#answered(undefined);
      this.emit('close');
    }
    return false;
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    this.finished = true;
    if (this.destroyed) return this;
    const headers: OutgoingHttpHeaders = { date: dateNow(), ...this.getHeaders(), ...this.#headers };
    const read: Reply['headers'] = {};
    for (const name in headers) {
      const value = headers[name];
      read[name] = typeof value === 'number' ? String(value) : value;
    }
    this.#answered({
      status: this.statusCode,
      headers: read,
      text: textOf(this.#chunks),
      bytes: this.#bytes,
    });
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

/** Returns the date as a server writes it. Cached, because formatting it takes longer than all other headers. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== latest.second) latest = { second, date: new Date(second * 1000).toUTCString() };
  return latest.date;
}
