import type { Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import { openTunnel, type ProxyAddress, portOf } from './proxy-tunnel.ts';

/** Options for opening connections. */
export interface ConnectOptions {
  /** Time limit in milliseconds for the whole connection: name look-up, proxy, TLS. */
  limit: number;
  proxy?: ProxyAddress | undefined;
  /** Aborted when connections are no longer wanted. */
  signal: AbortSignal;
}

/** Returns a function that opens connections for a pool, directly or through a proxy. The limit is exact to some milliseconds. */
export function createConnector({ limit, proxy, signal }: ConnectOptions): buildConnector.connector {
  // undici's own limit is late by up to a second. No environment variable may switch TLS verification off.
  const direct = buildConnector({ timeout: 0, rejectUnauthorized: true });

  async function open(target: buildConnector.Options, ended: AbortSignal): Promise<Socket> {
    const end = { hostname: target.hostname, port: portOf(target) };
    const httpSocket = proxy && (await openTunnel(proxy, end, ended));
    if (ended.aborted) httpSocket?.destroy();
    ended.throwIfAborted();
    if (httpSocket && target.protocol !== 'https:') return httpSocket;
    return new Promise((resolve, reject) => {
      // undici returns the socket, though its type does not say so.
      const socket = direct(
        { ...target, ...(httpSocket ? { httpSocket } : {}) },
        (...[failure, connected]) => (failure ? reject(failure) : resolve(connected)),
      ) as unknown as Socket;
      ended.addEventListener('abort', () => {
        socket.destroy();
        reject(ended.reason);
      });
    });
  }

  return (target, done) => {
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(new errors.ConnectTimeoutError()), limit);
    const close = () => attempt.abort(new errors.ClientDestroyedError());
    signal.addEventListener('abort', close);
    open(target, attempt.signal)
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', close);
      })
      .then(
        (socket) => done(null, socket),
        (failure) => done(attempt.signal.reason ?? failure, null),
      );
  };
}
