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
  let looking: Promise<string> | undefined;
  // All callers share a pending answer: anybody may call this, and a database that is slow, or does not answer at all, must not get
  // more queries.
  const look = (requestId: string) => {
    looking ??= lookAtDatabase(context, requestId).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  app.route({ ...servicePages.health, handler: () => Promise.resolve({ status: 'ok' }) });
  app.route({
    ...servicePages.readiness,
    async handler(request, reply) {
      const held = traffic.isDraining() ? 'draining' : !isAuditable() && 'audit log cannot be written';
      const late = sleep(databaseTimeout, 'database does not answer', { ref: false });
      const status = held || (await Promise.race([look(request.id), late]));
      return reply.code(status === 'ready' ? 200 : 503).send({ status });
    },
  });
}

async function lookAtDatabase(
  { database, report }: Pick<ServiceContext, 'database' | 'report'>,
  requestId: string,
): Promise<string> {
  try {
    if (database.isLost?.()) return 'database file was deleted or replaced';
    if (!(await database.canWrite())) return 'database cannot be written to';
    await database.query('SELECT 1 AS ready', []);
    return 'ready';
  } catch (error) {
    report(error, requestId);
    return 'database does not answer';
  }
}
