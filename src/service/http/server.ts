import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { LimitedConnections } from './connections.ts';
import type { Traffic } from './draining.ts';

/** A certificate chain and its private key, both PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** Only ciphers with authenticated encryption and forward secrecy. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** Returns a factory of HTTP servers with the given timeouts, and with TLS if a certificate is given. */
export function httpServers(
  timeouts: Timeouts,
  traffic: Traffic,
  connections: LimitedConnections,
  tls?: Tls,
) {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    // Node checks the timeouts at this interval, so a request may last that much longer.
    connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
  };
  return (listener: RequestListener): Server => {
    const server = tls
      ? https.createServer({ ...options, ...tls, ciphers, minVersion: 'TLSv1.2' }, listener)
      : http.createServer(options, listener);
    server.setTimeout(timeouts.stalled);
    server.prependListener('request', closeWithConnection());
    server.on('connection', requireAddress);
    if (tls) server.on('secureConnection', requireAddress);
    traffic.watch(server);
    connections.watch(server);
    return server;
  };
}

/**
 * Closes a connection without an address, which was reset before it was accepted: nothing is carried out for it. Node remembers the
 * address from this first access, so that the audit log can read it even after a reset.
 */
function requireAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}

/**
 * Emits `close` on responses that wait for earlier ones when their connection ends. Node.js up to 22 notifies only the first
 * response, so the others would count as running forever. Newer versions notify, and have destroyed, all of them.
 */
function closeWithConnection(): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();

  function waitingAt(socket: Socket): Set<ServerResponse> {
    const known = waiting.get(socket);
    if (known) return known;
    const responses = new Set<ServerResponse>();
    socket.once('close', () => {
      for (const response of responses) {
        if (!response.socket && !response.destroyed) response.emit('close');
      }
    });
    waiting.set(socket, responses);
    return responses;
  }

  return ({ socket }, response) => {
    // A request of this process has no connection: its socket is never connected.
    if (response.socket || socket.pending) return;
    const responses = waitingAt(socket).add(response);
    response.once('close', () => responses.delete(response));
  };
}

/** Maximum number of connections: with a small body stalled on each of them, they take some 60 MB (decision 41). */
export const mostConnections = 2000;

/** Timeouts of the HTTP server, in milliseconds. */
export const defaultTimeouts = {
  /** Until the headers of a request have arrived. */
  headers: 20_000,
  /** Until a whole request has arrived, including its body: allows one of 5 MiB to arrive at 45 kB/s. */
  request: 120_000,
  /** Until the next request on a kept-alive connection. */
  idle: 72_000,
  /** Until any byte moves on a connection with a running request. */
  stalled: 120_000,
  /** Until the running requests have ended when the service closes: before container runtimes kill the process, after 10 s or more. */
  drain: 9_000,
};

export type Timeouts = typeof defaultTimeouts;
