import type { FastifyInstance } from 'fastify';
import type { Traffic } from './traffic.ts';

/**
 * Gives every reply the request's id, and what keeps user data out of caches and out of a browser's guesses. A
 * caller that keeps its connection must not keep a closing service open.
 */
export function addReplyHeaders(app: FastifyInstance, traffic: Traffic): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (traffic.isDraining()) reply.header('connection', 'close');
    done();
  });
}
