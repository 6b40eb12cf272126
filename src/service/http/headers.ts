import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Traffic } from './draining.ts';

/**
 * Adds to every reply the id of the request, and the headers that keep user data out of caches and prevent browsers from
 * guessing its type; over TLS, the one that keeps browsers from going back to HTTP. While the service drains, replies close their connections.
 */
export function addReplyHeaders(app: FastifyInstance, traffic: Traffic, isTls: boolean): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (isTls) reply.header('strict-transport-security', 'max-age=31536000');
    if (traffic.isDraining()) reply.header('connection', 'close');
    done();
  });
}

/** An id of the caller is used when it cannot be mistaken for anything else in a log. */
const idShape = /^[\w.-]{1,64}$/;

/** Gives a request the caller's `x-request-id`, or else an id that no other start of the service gives. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const start = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && idShape.test(given)) return given;
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
