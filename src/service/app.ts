import { type FastifyInstance, type FastifyPluginAsync, fastify } from 'fastify';
import type { AuditLog } from './audit/audit-log.ts';
import { auditRequests } from './audit/audit-requests.ts';
import type { ServiceContext } from './context/context.ts';
import { injectFaults } from './fault-injection/inject.ts';
import type { Faults } from './fault-injection/plan.ts';
import { requireBearer } from './http/authenticate.ts';
import { readBodies, smallBodyLimit } from './http/body.ts';
import { rejectWhileDraining } from './http/draining.ts';
import { servicePages } from './http/endpoints.ts';
import { handleError, rejectMalformedHttp, rejectUnknownRoute, routedUrl } from './http/error-handler.ts';
import { addReplyHeaders, readForwardedFor, rejectRepeatedHeaders, requestIds } from './http/headers.ts';
import { addHealth } from './http/health.ts';
import { takeGivenBodies } from './http/in-process.ts';
import { logMalformed, logRequests } from './http/log.ts';
import { countRequests } from './http/metrics.ts';
import type { HttpSetup } from './http/options.ts';
import { openPrecedence } from './http/precedence.ts';
import { limitAddresses, limitRate } from './http/rate-limit.ts';
import { addApiPages } from './openapi/add-api-pages.ts';
import { addRoutes, bearerRoutes, openRoutes } from './routes/routes.ts';

/**
 * Builds the HTTP application, without a port. `faults` are injected into its answers; `audit` records its audited operations.
 *
 * A request of the API passes in this order, over several files: injected faults, a body given inside the process, draining,
 * whether the audit log can be written, the address limit and the bearer token, the rate limit, precedence, body, route, audit
 * line. Every answer then gets its headers, and is logged and counted. On the open routes the rate limit and precedence come after
 * the body, because it may name the application.
 */
export function buildApp(
  context: ServiceContext,
  setup: HttpSetup,
  { faults, audit }: { faults?: Faults | undefined; audit?: AuditLog | undefined },
): FastifyInstance {
  const { traffic, metrics, log, serverFactory, trustProxy } = setup;
  const app = fastify({
    bodyLimit: smallBodyLimit,
    serverFactory,
    ...(trustProxy ? { trustProxy } : {}),
    genReqId: requestIds(),
    // No limit, so that the bearer token is checked before the length of a user id.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    rewriteUrl: routedUrl,
    clientErrorHandler(error, socket) {
      const status = rejectMalformedHttp(error, socket);
      if (log && status !== undefined) logMalformed(log, status);
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.decorateRequest('clientId', '');
  app.decorateRequest('apiErrorCode', '');
  app.decorateRequest('auditFacts');
  app.decorateRequest('isAudited', false);
  if (trustProxy) readForwardedFor(app);
  addReplyHeaders(app, traffic, setup.isTls);
  if (faults) injectFaults(app, faults);
  takeGivenBodies(app);
  readBodies(app);
  app.setErrorHandler(handleError(context));
  const { health, readiness, ...documentation } = servicePages;
  const pages = [health, readiness, ...(setup.hasDocs ? Object.values(documentation) : [])];
  app.addHook('onRequest', rejectRepeatedHeaders);
  app.addHook('onRequest', rejectUnknownRoute(pages));
  if (log) logRequests(app, log);
  if (metrics) countRequests(app, metrics);
  addHealth(app, context, traffic, () => audit?.fault() === undefined);
  if (setup.hasDocs) addApiPages(app);
  app.register(named('api', async (api) => addApi(api, context, setup, audit)));
  return app;
}

/** Names a part of the application. For a part without a name, Fastify searches all loaded modules. */
function named(name: string, addTo: FastifyPluginAsync): FastifyPluginAsync {
  return Object.assign(addTo, { [Symbol.for('fastify.display-name')]: name });
}

async function addApi(
  api: FastifyInstance,
  context: ServiceContext,
  { traffic, connections, limit, addressLimit }: HttpSetup,
  audit: AuditLog | undefined,
): Promise<void> {
  api.addHook('onRequest', rejectWhileDraining(traffic));
  if (audit) auditRequests(api, audit);
  const precedence = openPrecedence();
  const addOpen = named('open', async (open) => {
    if (addressLimit) open.addHook('onRequest', limitAddresses(addressLimit));
    if (limit) open.addHook('preHandler', limitRate(limit));
    open.addHook('preHandler', precedence.take);
    addRoutes(open, context, openRoutes);
  });
  const addBehindBearer = named('behind bearer', async (behindBearer) => {
    behindBearer.decorateRequest('tenant');
    behindBearer.addHook('onRequest', requireBearer(context, addressLimit && limitAddresses(addressLimit)));
    behindBearer.addHook('onRequest', connections.keep);
    if (limit) behindBearer.addHook('onRequest', limitRate(limit));
    behindBearer.addHook('onRequest', precedence.give);
    addRoutes(behindBearer, context, bearerRoutes);
  });
  api.register(addOpen);
  api.register(addBehindBearer);
}
