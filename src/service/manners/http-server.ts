import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { Timeouts } from './timeouts.ts';
import type { Traffic } from './traffic.ts';

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
