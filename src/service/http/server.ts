import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Traffic } from './draining.ts';

/** A certificate chain and its private key, both PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** With authenticated encryption and keys that do not outlive a connection only. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** Makes Node's HTTP servers with the given timeouts, and with TLS where a certificate is given. */
export function httpServers(timeouts: Timeouts, traffic: Traffic, tls?: Tls) {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    // Node checks the timeouts at this interval, so a request may last longer by as much.
    connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
  };
  return (listener: RequestListener): Server => {
    const server = tls
      ? https.createServer({ ...options, ...tls, ciphers, minVersion: 'TLSv1.2' }, listener)
      : http.createServer(options, listener);
    server.setTimeout(timeouts.stalled);
    server.maxConnections = mostConnections;
    server.prependListener('request', closeWithConnection());
    server.on('connection', requireAddress);
    if (tls) server.on('secureConnection', requireAddress);
    traffic.watch(server);
    return server;
  };
}

/**
 * Nobody can ask for the address of a connection that was reset, and Node remembers it from when it was asked first: the
 * audit log asks late. One that was reset before it was accepted has none, and nothing is carried out for it.
 */
function requireAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}

/**
 * Closes the responses of a connection that ends while they wait for those before them: Node.js up to 22 tells only the response whose
 * turn it is, so all others would be under way for ever. Newer versions tell, and have destroyed, all of them.
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

/** Connections at once: with a small body stalled on each of them, some 60 MB (decision 41). */
const mostConnections = 2000;

/** Timeouts of the HTTP server, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request to arrive. */
  headers: number;
  /** For a whole request to arrive, its body included. */
  request: number;
  /** For the next request on a connection that is kept. */
  idle: number;
  /** For any byte to move on a connection with a request under way. */
  stalled: number;
  /** For the requests under way when the service closes. */
  drain: number;
}

/** A body of 5 MiB may arrive at 45 kB/s. The drain ends before container runtimes kill the process, after 10 s or more. */
export const defaultTimeouts: Timeouts = {
  headers: 20_000,
  request: 120_000,
  idle: 72_000,
  stalled: 120_000,
  drain: 9_000,
};
