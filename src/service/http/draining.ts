import type { Server } from 'node:http';
import type { Guard } from '../context/route.ts';
import { systemBusyNow } from '../errors/api-error.ts';

/** Counts the running requests, and drains them when the service closes. */
export type Traffic = ReturnType<typeof openTraffic>;

/** Counts by events of the servers, so that a request also ends when its caller hangs up. */
export function openTraffic() {
  const servers: Server[] = [];
  let count = 0;
  let draining = false;
  let ended = false;
  let finished = () => {};
  let drained: Promise<number> | undefined;

  function countDown(): void {
    count -= 1;
    if (count === 0) finished();
  }

  async function drain(timeout: number): Promise<number> {
    draining = true;
    if (count > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
        finished = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const cutOff = count;
    ended = true;
    // Other open connections are idle, or their request has not arrived completely.
    for (const server of servers) server.closeAllConnections();
    return cutOff;
  }

  return {
    /** Counts the requests of a server from now on. */
    watch(server: Server): void {
      servers.push(server);
      server.on('connection', (socket) => ended && socket.destroy());
      // Before the listener that answers, so that a request for this number counts itself.
      server.prependListener('request', (_request, response) => {
        count += 1;
        response.on('close', countDown);
      });
    },
    underWay: () => count,
    isDraining: () => draining,
    /**
     * Waits up to `timeout` milliseconds for the running requests, rejects new ones meanwhile, and cuts off the rest. Resolves to the
     * number of requests cut off.
     */
    drain(timeout: number): Promise<number> {
      drained ??= drain(timeout);
      return drained;
    },
  };
}

/** Returns a hook that rejects requests with 503 and `systemBusy` while the service drains (decision 9). */
export function rejectWhileDraining(traffic: Traffic): Guard {
  return (_request, _reply, done) => done(traffic.isDraining() ? systemBusyNow() : undefined);
}
