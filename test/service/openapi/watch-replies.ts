import { subscribe } from 'node:diagnostics_channel';
import { Agent, setGlobalDispatcher } from 'undici';
import { requestFaults } from './reply-validator.ts';

interface Request {
  origin: string | URL;
  method: string;
  path: string;
}

interface Heard {
  status: number;
  headers: Record<string, string>;
  chunks: Buffer[];
}

const underWay = new WeakMap<Request, Heard>();
const faultsByOrigin = new Map<string, unknown[]>();

// If a test calls the `fetch` of Node.js first, all clients would use Node's own undici, which publishes no bodies.
setGlobalDispatcher(new Agent());

// undici publishes every reply that any client of this process gets, the clients under test among them.
subscribe('undici:request:headers', (message) => {
  const { request, response } = message as {
    request: Request;
    response: { statusCode: number; headers: Buffer[] };
  };
  if (!faultsByOrigin.has(String(request.origin))) return;
  underWay.set(request, { status: response.statusCode, headers: named(response.headers), chunks: [] });
});

subscribe('undici:request:bodyChunkReceived', (message) => {
  const { request, chunk } = message as { request: Request; chunk: Buffer };
  // undici uses the memory of a chunk again for the next one.
  underWay.get(request)?.chunks.push(Buffer.from(chunk));
});

subscribe('undici:request:trailers', (message) => {
  const { request } = message as { request: Request };
  const heard = underWay.get(request);
  if (!heard) return;
  const { status, headers, chunks } = heard;
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = text !== '' && headers['content-type']?.startsWith('application/json');
  const reply = { status, headers, body: isJson ? JSON.parse(text) : text };
  faultsByOrigin.get(String(request.origin))?.push(...requestFaults(request.method, request.path, reply));
});

/** What is wrong in the replies of a service. */
interface Watch {
  faults: unknown[];
  /** Call it when the service has ended: another server may get its port. */
  end(): void;
}

/** Checks every reply of a service against the description of the API. */
export function watchReplies(baseUrl: string): Watch {
  const { origin } = new URL(baseUrl);
  const faults: unknown[] = [];
  faultsByOrigin.set(origin, faults);
  return { faults, end: () => void faultsByOrigin.delete(origin) };
}

function named(headers: Buffer[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    named[String(headers[index]).toLowerCase()] = String(headers[index + 1]);
  }
  return named;
}
