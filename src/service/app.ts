import { type FastifyInstance, fastify } from 'fastify';
import type { Parts } from './context/context.ts';
import { misbehave } from './fault-injection/inject.ts';
import type { Faults } from './fault-injection/plan.ts';
import { requireBearer } from './http/authenticate.ts';
import { bodyLimit, readBodies } from './http/body.ts';
import { refuseWhenDraining } from './http/draining.ts';
import { refuse, refuseMalformedHttp, refuseUnknownRoute } from './http/error-handler.ts';
import { addReplyHeaders, requestIds } from './http/headers.ts';
import { addHealth } from './http/health.ts';
import { logMalformed, logRequests } from './http/log.ts';
import { addMetrics } from './http/metrics.ts';
import type { Manners } from './http/options.ts';
import { limitRate } from './http/rate-limit.ts';
import { addApiPages } from './openapi/api-page.ts';
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
