import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { localErrors } from '../../contract/local-errors.ts';
import { ApiErrorReply } from '../errors/api-error.ts';

/** The requests under way, and the end of all of them. */
export interface Traffic {
  /** Counts the requests of a server from now on. */
  watch(server: Server): void;
  underWay(): number;
  isDraining(): boolean;
  /**
   * Waits, at most so many milliseconds, for the requests under way while new ones are refused, and cuts off the
   * rest. Resolves to how many were cut off.
   */
  drain(timeout: number): Promise<number>;
}

/** Counts by the server's own events: a request whose caller hung up is over, too. */
export function openTraffic(): Traffic {
  const servers: Server[] = [];
  let count = 0;
  let draining = false;
  let ended = false;
  let settled = () => {};
  let drained: Promise<number> | undefined;

  function countDown(): void {
    count -= 1;
    if (count === 0) settled();
  }

  async function drain(timeout: number): Promise<number> {
    draining = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeout);
    });
    const done = new Promise<void>((resolve) => {
      settled = resolve;
    });
    if (count > 0) await Promise.race([done, late]);
    clearTimeout(timer);
    const cutOff = count;
    ended = true;
    // Without a request under way, what is left is idle, or a request that never arrived whole.
    for (const server of servers) server.closeAllConnections();
    return cutOff;
  }

  return {
    watch(server) {
      servers.push(server);
      server.on('connection', (socket) => ended && socket.destroy());
      // Before the listener that answers: a request is under way when its own answer is made.
      server.prependListener('request', (_request, response) => {
        count += 1;
        response.on('close', countDown);
      });
    },
    underWay: () => count,
    isDraining: () => draining,
    drain(timeout) {
      drained ??= drain(timeout);
      return drained;
    },
  };
}

/** Refuses what arrives while the service drains: 503, and the connection ends (decision 9's words of a busy system). */
export function rejectWhileDraining(traffic: Traffic) {
  return (_request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (traffic.isDraining()) {
      reply.header('retry-after', '1');
      done(new ApiErrorReply({ ...localErrors.systemBusy, status: 503 }, []));
    } else done();
  };
}
