import type { Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import { openTunnel, type ProxyAddress } from './proxy-tunnel.ts';

/** How connections are made. */
export interface ConnectOptions {
  /** Milliseconds for all of it: looking up the name, the proxy, TLS. */
  limit: number;
  proxy?: ProxyAddress | undefined;
  /** Aborted when no connection is wanted any more. */
  signal: AbortSignal;
}

/** Makes connections for a pool, through a proxy or not, each within the limit to some milliseconds. */
export function createConnector({ limit, proxy, signal }: ConnectOptions): buildConnector.connector {
  // undici's own limit is late by up to a second. No variable of the environment may switch the checks of TLS off.
  const direct = buildConnector({ timeout: 0, rejectUnauthorized: true });

  return (target, done) => {
    const giveUp = new AbortController();
    let socket: Socket | undefined;
    const timer = setTimeout(() => finish(new errors.ConnectTimeoutError()), limit);
    const close = () => finish(new errors.ClientDestroyedError());
    signal.addEventListener('abort', close);

    let finished = false;
    function finish(failure: Error): void;
    function finish(failure: null, connected: Socket): void;
    function finish(failure: Error | null, connected?: Socket) {
      if (finished) return void connected?.destroy();
      finished = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', close);
      if (failure === null && connected) return done(null, connected);
      giveUp.abort();
      socket?.destroy();
      done(failure ?? new errors.SocketError('no connection'), null);
    }

    function connect(through?: Socket) {
      if (finished) return void through?.destroy();
      if (through && target.protocol !== 'https:') return finish(null, through);
      // undici returns the socket, though its type does not say so.
      socket = direct(
        { ...target, ...(through ? { httpSocket: through } : {}) },
        (...[failure, connected]) => (failure ? finish(failure) : finish(null, connected)),
      ) as unknown as Socket;
    }

    if (!proxy) return connect();
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    openTunnel(proxy, { hostname: target.hostname, port }, giveUp.signal).then(connect, finish);
  };
}
