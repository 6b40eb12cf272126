import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Guard } from '../context/route.ts';

/** The open connections of a service. */
export type LimitedConnections = ReturnType<typeof limitConnections>;

/**
 * Keeps at most `most` connections open. One more takes the place of a stranger: a connection whose latest request had no valid
 * token, or that has sent none yet; of these the one that was used longest ago, and if there is no other, the new one. So nobody
 * without a token keeps others out, and nobody's import loses its connection to strangers. Calls `closed` for each that was closed.
 */
export function limitConnections(most: number, closed: () => void) {
  const open = new Map<string, Socket>();
  /** In the order of their latest use. */
  const strangers = new Map<string, Socket>();
  /** True if requests come from this process only: then their names, which take longer than this, are of no use. */
  const hasNone = () => open.size === 0;

  function forget(name: string, socket: Socket): void {
    if (open.get(name) === socket) open.delete(name);
    if (strangers.get(name) === socket) strangers.delete(name);
  }

  function closeStranger(): void {
    const [oldest] = strangers;
    if (!oldest) return;
    const [name, socket] = oldest;
    // Its event comes too late for connections that come in the same turn of the event loop.
    forget(name, socket);
    socket.destroy();
    closed();
  }

  return {
    /** Limits the connections of a server from now on. */
    watch(server: Server): void {
      server.on('connection', (socket: Socket) => {
        if (socket.destroyed) return;
        const name = nameOf(socket);
        open.set(name, socket);
        strangers.set(name, socket);
        socket.once('close', () => forget(name, socket));
        if (open.size > most) closeStranger();
      });
      // Before the listener that answers, which may find the token in the same turn.
      server.prependListener('request', (request) => {
        if (hasNone()) return;
        const name = nameOf(request.socket);
        const socket = open.get(name);
        if (!socket) return;
        strangers.delete(name);
        strangers.set(name, socket);
      });
    },
    count: () => open.size,
    /** Hook for requests with a valid token. */
    keep: ((request, _reply, done) => {
      if (!hasNone()) strangers.delete(nameOf(request.raw.socket));
      done();
    }) satisfies Guard,
  };
}

/** A TLS connection has a socket for its bytes and another for its content, with the same addresses. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
