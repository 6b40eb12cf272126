import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from '../context/context.ts';
import type { Traffic } from './draining.ts';
import { servicePages } from './endpoints.ts';

/** Milliseconds within which the database must answer for the service to be ready. */
const databaseTimeout = 2_000;

/**
 * `/healthz`: the process answers. `/readyz`: it takes requests, its audit log can be written, its database file is
 * still there and can be written to, and its database answers a query; 503 otherwise, with the reason.
 */
export function addHealth(
  app: FastifyInstance,
  context: Pick<ServiceContext, 'database' | 'report'>,
  traffic: Traffic,
  isAuditable: () => boolean,
) {
  const databaseStatus = shareAnswer((requestId: string) => lookAtDatabase(context, requestId));
  app.route({ ...servicePages.health, handler: () => Promise.resolve({ status: 'ok' }) });
  app.route({
    ...servicePages.readiness,
    async handler(request, reply) {
      const held = traffic.isDraining() ? 'draining' : !isAuditable() && 'audit log cannot be written';
      const status = held || (await databaseStatus(request.id));
      return reply.code(status === 'ready' ? 200 : 503).send({ status });
    },
  });
}

/** Shares a pending answer among all callers: anybody may call this, and a slow database must not get more queries. */
function shareAnswer<Answer>(ask: (requestId: string) => Promise<Answer>) {
  let awaited: Promise<Answer> | undefined;
  return (requestId: string): Promise<Answer> => {
    awaited ??= ask(requestId).finally(() => {
      awaited = undefined;
    });
    return awaited;
  };
}

async function lookAtDatabase(
  { database, report }: Pick<ServiceContext, 'database' | 'report'>,
  requestId: string,
): Promise<
  | 'ready'
  | 'database does not answer'
  | 'database file was deleted or replaced'
  | 'database cannot be written to'
> {
  if (database.isLost?.()) return 'database file was deleted or replaced';
  const stop = new AbortController();
  const ask = async () => {
    if ((await database.canWrite?.()) === false) return 'database cannot be written to';
    await database.query('SELECT 1 AS ready', []);
    return 'ready';
  };
  try {
    const late = sleep(databaseTimeout, 'database does not answer' as const, {
      signal: stop.signal,
      ref: false,
    });
    return await Promise.race([ask(), late]);
  } catch (error) {
    report(error, requestId);
    return 'database does not answer';
  } finally {
    stop.abort();
  }
}
