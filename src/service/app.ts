import { type FastifyInstance, fastify } from 'fastify';
import { requireBearer } from './bearer.ts';
import { bodyLimit, readBodies } from './body.ts';
import { misbehave } from './faults/misbehave.ts';
import type { Faults } from './faults/plan-faults.ts';
import { logMalformed, logRequests } from './manners/access-log.ts';
import { addHealth } from './manners/health.ts';
import type { Manners } from './manners/manners.ts';
import { addMetrics } from './manners/metrics.ts';
import { limitRate } from './manners/rate-limit.ts';
import { addReplyHeaders } from './manners/reply-headers.ts';
import { requestIds } from './manners/request-id.ts';
import { refuseWhenDraining } from './manners/traffic.ts';
import { addApiPages } from './openapi/api-pages.ts';
import type { Parts } from './parts.ts';
import { refuse, refuseMalformedHttp, refuseUnknownRoute } from './refuse.ts';
import { bearerRoutes, openRoutes } from './routes/routes.ts';

/** Builds the service from its parts, without a port; `faults` make it misbehave on script. */
export function buildApp(parts: Parts, manners: Manners, faults?: Faults): FastifyInstance {
  const { traffic, metrics, log, serverFactory } = manners;
  const app = fastify({
    bodyLimit,
    serverFactory,
    genReqId: requestIds(),
    // Longer than any URL that fits into the headers: the bearer is checked before a user id of any length.
    routerOptions: { maxParamLength: 16 * 1024 },
    clientErrorHandler(error, socket) {
      const status = refuseMalformedHttp(error, socket);
      if (log && status !== undefined) logMalformed(log, status);
    },
    frameworkErrors: (error, request, reply) => refuse(parts)(error, request, reply),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
  app.decorateRequest('clientId', '');
  app.decorateRequest('errorCode', '');
  addReplyHeaders(app, traffic);
  if (faults) misbehave(app, faults);
  readBodies(app);
  app.setErrorHandler(refuse(parts));
  app.setNotFoundHandler(refuseUnknownRoute(metrics !== undefined));
  if (log) logRequests(app, log);
  if (metrics) {
    addMetrics(app, metrics);
    addHealth(app, parts, traffic);
    addApiPages(app);
  }
  app.register(async (api) => addApi(api, parts, manners));
  return app;
}

async function addApi(api: FastifyInstance, parts: Parts, { traffic, limit }: Manners): Promise<void> {
  api.addHook('onRequest', refuseWhenDraining(traffic));
  api.register(async (open) => {
    // Not before the body is there: it may name the application.
    if (limit) open.addHook('preHandler', limitRate(limit));
    for (const route of Object.values(openRoutes)) route(open, parts);
  });
  api.register(async (behindBearer) => {
    behindBearer.decorateRequest('tenant');
    behindBearer.addHook('onRequest', requireBearer(parts));
    if (limit) behindBearer.addHook('onRequest', limitRate(limit));
    for (const route of Object.values(bearerRoutes)) route(behindBearer, parts);
  });
}
