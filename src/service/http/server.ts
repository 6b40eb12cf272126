import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { Traffic } from './draining.ts';

/** A certificate chain and its private key, both PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** Makes the servers of Node with the service's time-outs, over TLS where a certificate is given. */
export function httpServers(timeouts: Timeouts, traffic: Traffic, tls?: Tls) {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    // Node looks for late requests this often, so one may last longer by as much.
    connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
  };
  return (listener: RequestListener): Server => {
    const server = tls
      ? https.createServer({ ...options, ...tls }, listener)
      : http.createServer(options, listener);
    server.setTimeout(timeouts.stalled);
    traffic.watch(server);
    return server;
  };
}

/** How long the service waits for what, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request to arrive. */
  headers: number;
  /** For a whole request to arrive, its body included. */
  request: number;
  /** For the next request on a connection that is kept. */
  idle: number;
  /** For any byte to move on a connection with a request under way: a reader that stalls. */
  stalled: number;
  /** For the requests under way when the service closes. */
  drain: number;
}

/** A body of 5 MiB may come as slowly as 45 kB/s; the drain ends before container runtimes kill (10 s and more). */
export const defaultTimeouts: Timeouts = {
  headers: 20_000,
  request: 120_000,
  idle: 72_000,
  stalled: 120_000,
  drain: 9_000,
};
