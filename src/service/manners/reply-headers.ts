import type { FastifyInstance } from 'fastify';
import type { Traffic } from './traffic.ts';

/**
 * Gives every reply the request's id, and what keeps user data out of caches and out of a browser's guesses. A
 * caller that keeps its connection must not keep a closing service open.
 */
export function addReplyHeaders(app: FastifyInstance, traffic: Traffic): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (traffic.isDraining()) reply.header('connection', 'close');
    done();
  });
}
