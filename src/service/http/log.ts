import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { localErrors } from '../../contract/errors.ts';
import { errorCode } from '../../text/error-code.ts';
import { endpointName } from './endpoints.ts';

/** How much is logged: `info` one line per request; `warn` and `error` only failures of the service. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info';

/** Destination and level of a log. */
export interface LogOptions {
  level: LogLevel;
  to: { write(line: string): unknown };
}

/** Opens a log with one JSON object per line. The library is loaded only here. */
export async function openLog({ level, to }: LogOptions): Promise<Logger> {
  const { pino, stdTimeFunctions } = await import('pino');
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters },
    { write: (line) => void to.write(line) },
  );
}

/**
 * Logs each request when it is over, but never its URL, query, body or headers, which may contain secrets and personal data. The
 * route is logged as its pattern, and the application only after it was authenticated.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, id, tenant, clientId, apiErrorCode } = request;
    log.info({
      request_id: id,
      method,
      route: routeOptions.url ?? null,
      operation: endpointName(request),
      status: reply.statusCode,
      ...(apiErrorCode === '' ? {} : { error_code: apiErrorCode }),
      duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
      ...(tenant === undefined ? {} : { tenant: tenant.definition.tenant_id }),
      ...(clientId === '' ? {} : { client_id: clientId }),
    });
    done();
  });
}

/** Logs input that was rejected because it is not HTTP, without any of its content. */
export function logMalformed(log: Logger, status: number): void {
  log.info({
    method: null,
    route: null,
    operation: 'none',
    status,
    error_code: localErrors.requestInvalid.code,
  });
}

/** Milliseconds between two warnings of one kind. */
const warningInterval = 60_000;

/** Returns a function that is called for each connection closed to make room, and logs how many, at most once a minute. */
export function logClosed(log: Logger, now: () => number): () => void {
  let latest = Number.NEGATIVE_INFINITY;
  let closed = 0;
  return () => {
    closed += 1;
    if (now() - latest < warningInterval) return;
    latest = now();
    log.warn({ warning: 'too many connections: those without a valid token are closed', closed });
    closed = 0;
  };
}

/** Logs a failure of the service itself. */
export function logFault(log: Logger, error: unknown, requestId?: string): void {
  log.error({ ...(requestId === undefined ? {} : { request_id: requestId }), fault: errorForLog(error) });
}

/** Matches anything that looks like a token, a ticket, a JWT, a stored password or another secret. */
const secretShapes =
  /\b\d+\.[\w-]{43}\b|ssoTicket-\w+|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\$(?:2[aby]|argon2\w*|scrypt)\$\S+|[\w-]*pass(?:word|wd)?=\S+|:\/\/[^\s/@]+@|\b(?:Bearer|Basic) \S+|\b[0-9a-f]{32}\b|[\w+-]{40,}={0,2}/gi;

/** PostgreSQL ends some messages with the invalid value, in quotes. */
const quotedValue = /: ".*"$/s;

/**
 * Describes a failure for a log by its name, code, message and stack frames. Other properties are left out, because a driver's
 * `detail` or `parameters` contain values of users. Never throws.
 */
export function errorForLog(error: unknown) {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'something other than an error was thrown', stack: [] };
  const code = errorCode(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message: concealed(error.message),
    ...(code === undefined ? {} : { code }),
    // Without the message, which precedes them.
    stack: frames.map((line) => line.trim()),
  };
}

function concealed(message: string): string {
  return message.replace(quotedValue, ': …').replace(secretShapes, '…').slice(0, 500);
}
