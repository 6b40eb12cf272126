import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { localErrors } from '../../contract/local-errors.ts';
import { describeFault } from './describe-fault.ts';
import { operationOf } from './operation-of.ts';

/** How much is logged: `info` a line for each request, `warn` and `error` only what went wrong in the service. */
export const logLevels = ['silent', 'error', 'warn', 'info'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Where a log goes, and how much of it. */
export interface LogOptions {
  level: LogLevel;
  to: { write(line: string): unknown };
}

/** Opens a log of one JSON object a line. The library is loaded only here. */
export async function openLog({ level, to }: LogOptions): Promise<Logger> {
  const { pino, stdTimeFunctions } = await import('pino');
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters },
    { write: (line) => void to.write(line) },
  );
}

/**
 * Logs each request when it is over: never its URL, query, body or headers, for these hold secrets and people's data.
 * The route is the pattern, the application the one that proved itself.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, id, tenant, clientId, errorCode } = request;
    log.info({
      request_id: id,
      method,
      route: routeOptions.url ?? null,
      operation: operationOf(request),
      status: reply.statusCode,
      ...(errorCode === '' ? {} : { error_code: errorCode }),
      duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
      ...(tenant === undefined ? {} : { tenant: tenant.definition.tenantId }),
      ...(clientId === '' ? {} : { client_id: clientId }),
    });
    done();
  });
}

/** Logs what was refused before it was a request: what it held is not told. */
export function logMalformed(log: Logger, status: number): void {
  log.info({
    method: null,
    route: null,
    operation: 'none',
    status,
    error_code: localErrors.requestInvalid.code,
  });
}

/** Logs a failure that is the service's own fault. */
export function logFault(log: Logger, error: unknown, requestId?: string): void {
  log.error({ ...(requestId === undefined ? {} : { request_id: requestId }), fault: describeFault(error) });
}
