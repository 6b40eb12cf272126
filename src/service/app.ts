import { type FastifyInstance, fastify } from 'fastify';
import { requireBearer } from './bearer.ts';
import { bodyLimit, readBodies } from './body.ts';
import type { Parts } from './parts.ts';
import { refuse, refuseMalformedHttp, refuseUnknownRoute } from './refuse.ts';
import { bearerRoutes, openRoutes } from './routes/routes.ts';

/** Builds the service from its parts, without a port. */
export function buildApp(parts: Parts): FastifyInstance {
  const app = fastify({
    bodyLimit,
    // Longer than any URL that fits into the headers: the bearer is checked before a user id of any length.
    routerOptions: { maxParamLength: 16 * 1024 },
    clientErrorHandler: refuseMalformedHttp,
    frameworkErrors: (error, request, reply) => refuse(parts)(error, request, reply),
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  });
  // A caller that keeps its connection must not keep a closing service open.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!app.server.listening) reply.header('connection', 'close');
    done();
  });
  app.decorateRequest('clientId', '');
  readBodies(app);
  app.setErrorHandler(refuse(parts));
  app.setNotFoundHandler(refuseUnknownRoute);
  for (const route of Object.values(openRoutes)) route(app, parts);
  app.register(async (behindBearer) => {
    behindBearer.decorateRequest('tenant');
    behindBearer.addHook('onRequest', requireBearer(parts));
    for (const route of Object.values(bearerRoutes)) route(behindBearer, parts);
  });
  return app;
}
