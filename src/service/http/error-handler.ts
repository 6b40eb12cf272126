import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints, type Operation, patternOf } from '../../contract/operations.ts';
import { errorCode } from '../../text/error-code.ts';
import type { ServiceContext } from '../context/context.ts';
import type { Guard } from '../context/route.ts';
import { apiError, ErrorReply, systemBusyNow } from '../errors/api-error.ts';
import { bodyLimit, jsonType, unsupportedType } from './body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the API error that answered the request; `''` if it succeeded. */
    apiErrorCode: string;
  }
}

/** API errors for the errors that the HTTP framework detects before a route runs (decision 9). */
const frameworkErrors: Record<string, (request: FastifyRequest) => ErrorReply> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) =>
    apiError('bodyTooLarge', routeOptions.bodyLimit === bodyLimit ? '5 MiB' : '16 KiB'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => apiError('requestInvalid', 'the content length is wrong'),
};

/** The only place where errors become replies (§7.1). Anything but an API error is reported, and answered with `systemBusy`. */
export function handleError(context: Pick<ServiceContext, 'report'>) {
  return (error: Error | FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, code, body } = asApiError(error, request, context);
    request.apiErrorCode = code;
    if (status === 503) reply.header('retry-after', '1');
    // Fastify closes the connection after it rejects a body. Data still on the way would then reset it, and the caller might never
    // read the error. If the connection stays open, Node reads the rest and drops it.
    reply.removeHeader('connection');
    reply.code(status).send(body);
  };
}

function asApiError(
  error: Error | FastifyError,
  request: FastifyRequest,
  context: Pick<ServiceContext, 'report'>,
): ErrorReply {
  if (error instanceof ErrorReply) return error;
  const fault = frameworkErrors[errorCode(error) ?? ''];
  if (fault) return fault(request);
  if ('statusCode' in error && error.statusCode === 400) return apiError('requestInvalid', 'it broke off');
  context.report(error, request.id);
  return errorCode(error) === 'NOT_CONNECTED' ? systemBusyNow() : apiError('systemBusy');
}

/** Milliseconds that a caller has to read why its connection is closed. */
const goodbye = 1000;

/**
 * Answers input that is not HTTP, has headers over 16 KiB, or does not arrive in time, and closes the connection; the only reply
 * written by hand. A caller that keeps sending is cut off soon after. Returns the status, or `undefined` if the caller has gone.
 */
export function rejectMalformedHttp(error: Error & { code?: string }, socket: Socket): number | undefined {
  if (!socket.writable) return undefined;
  const [status, reason] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'it did not arrive in time']
      : ['400 Bad Request', 'it is no HTTP request, or its headers are too large'];
  const text = JSON.stringify(apiError('requestInvalid', reason).body);
  const head = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `content-type: ${jsonType}`,
  ];
  socket.end([...head, `content-length: ${Buffer.byteLength(text)}`, '', text].join('\r\n'));
  setTimeout(() => socket.destroy(), goodbye).unref();
  return Number.parseInt(status, 10);
}

/** Path without a route: Fastify would answer a malformed URL before all hooks, so that it got no headers and left no line in the log. */
const nowhere = '/';

/** Returns the URL by which a request is routed; `rejectUnknownRoute` answers a malformed one. */
export function routedUrl({ url = nowhere }: Pick<IncomingMessage, 'url'>): string {
  return isMalformed(url) ? nowhere : url;
}

function isMalformed(url: string): boolean {
  if (!url.includes('%')) return false;
  try {
    decodeURIComponent(url.split('?')[0] ?? '');
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns a hook that rejects a path without a route (404), with routes for other methods only (405 with `Allow`), or that cannot be
 * decoded: before the body is read, because what is wrong with that does not matter then.
 */
export function rejectUnknownRoute(pages: readonly Pick<Operation, 'method' | 'url'>[]): Guard {
  const known = [...Object.values(endpoints), ...pages].map(({ method, url }) => ({
    method,
    pattern: patternOf(url),
  }));
  return (request, reply, done) => {
    if (!request.is404) return done();
    if (isMalformed(request.originalUrl)) return done(apiError('requestInvalid', 'the URL is malformed'));
    const path = request.url.split('?')[0] ?? '';
    const allowed = known
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
    if (allowed.length > 0) reply.header('allow', [...new Set(allowed)].join(', '));
    done(apiError(allowed.length > 0 ? 'methodNotAllowed' : 'noSuchEndpoint'));
  };
}
