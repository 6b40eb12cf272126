import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { companions, operations } from '../../contract/operations.ts';
import { errorCode } from '../../text/error-code.ts';
import type { ServiceContext } from '../context/context.ts';
import { ApiErrorReply, apiError, TokenErrorReply } from '../errors/api-error.ts';
import { servicePages } from './service-pages.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the refusal that answered the request; `''` when it was not refused. */
    errorCode: string;
  }
}

/** Faults that the HTTP framework finds before a route runs, as refusals (decision 9). */
const frameworkFaults: Record<string, () => ApiErrorReply> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => apiError('bodyTooLarge', '5 MiB'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => apiError('mediaTypeNotSupported'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => apiError('requestInvalid', 'the content length is wrong'),
  FST_ERR_BAD_URL: () => apiError('requestInvalid', 'the URL is malformed'),
};

/** The one place where an error becomes a reply (§7.1); what is no refusal is reported and told as `systemBusy`. */
export function handleError(parts: Pick<ServiceContext, 'report'>) {
  return (error: Error | FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, body } = asRefusal(error, request.id, parts);
    request.errorCode = 'error_code' in body ? body.error_code : body.error;
    reply.code(status).send(body);
  };
}

function asRefusal(
  error: Error | FastifyError,
  requestId: string,
  parts: Pick<ServiceContext, 'report'>,
): ApiErrorReply | TokenErrorReply {
  if (error instanceof ApiErrorReply || error instanceof TokenErrorReply) return error;
  const fault = frameworkFaults[errorCode(error) ?? ''];
  if (fault) return fault();
  if ('statusCode' in error && error.statusCode === 400) return apiError('requestInvalid', 'it broke off');
  parts.report(error, requestId);
  return apiError('systemBusy');
}

/** What Node finds late, as status line and words; anything else is no HTTP. */
const lateness: Record<string, [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'it did not arrive in time'],
};

/**
 * Answers what is no HTTP, has headers over 16 KiB, or does not arrive in time: the one reply that is written by
 * hand, then hangs up. Returns the status; `undefined` when nobody listens any more.
 */
export function rejectMalformedHttp(error: Error & { code?: string }, socket: Socket): number | undefined {
  if (!socket.writable) return undefined;
  const [status, words] = lateness[error.code ?? ''] ?? [
    '400 Bad Request',
    'it is no HTTP request, or its headers are too large',
  ];
  const text = JSON.stringify(apiError('requestInvalid', words).body);
  const head = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'content-type: application/json; charset=utf-8',
  ];
  socket.end([...head, `content-length: ${Buffer.byteLength(text)}`, '', text].join('\r\n'));
  return Number.parseInt(status, 10);
}

const endpointsOf = (routes: { method: string; url: string }[]) =>
  routes.map(({ method, url }) => ({ method, pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`) }));

/** Answers a path that no route has (404), or that has one for another method (405 with `Allow`). */
export function rejectUnknownRoute(hasPages: boolean) {
  const pages = hasPages ? Object.values(servicePages) : [];
  const endpoints = endpointsOf([...Object.values({ ...operations, ...companions }), ...pages]);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const path = request.url.split('?')[0] ?? '';
    const allowed = endpoints.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    const { status, body } = apiError(allowed.length > 0 ? 'methodNotAllowed' : 'noSuchEndpoint');
    if (allowed.length > 0) reply.header('allow', [...new Set(allowed)].join(', '));
    request.errorCode = body.error_code;
    reply.code(status).send(body);
  };
}
