import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { companions, operations } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { Refusal, refusal, TokenRefusal } from './refusal.ts';

/** Faults that the HTTP framework finds before a route runs, as refusals (decision 9). */
const frameworkFaults: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => refusal('bodyTooLarge', '5 MiB'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refusal('mediaTypeNotSupported'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => refusal('requestInvalid', 'the content length is wrong'),
  FST_ERR_BAD_URL: () => refusal('requestInvalid', 'the URL is malformed'),
};

/** The one place where an error becomes a reply (§7.1); what is no refusal is reported and told as `systemBusy`. */
export function refuse(parts: Pick<Parts, 'report'>) {
  return (error: Error | FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    const { status, body } = asRefusal(error, parts);
    reply.code(status).send(body);
  };
}

function asRefusal(error: Error | FastifyError, parts: Pick<Parts, 'report'>): Refusal | TokenRefusal {
  if (error instanceof Refusal || error instanceof TokenRefusal) return error;
  const fault = 'code' in error ? frameworkFaults[error.code] : undefined;
  if (fault) return fault();
  if ('statusCode' in error && error.statusCode === 400) return refusal('requestInvalid', 'it broke off');
  parts.report(error);
  return refusal('systemBusy');
}

/** Answers what is no HTTP, or has headers over 16 KiB: the one reply that is written by hand, then hangs up. */
export function refuseMalformedHttp(_error: Error, socket: Socket): void {
  if (!socket.writable) return;
  const { body } = refusal('requestInvalid', 'it is no HTTP request, or its headers are too large');
  const text = JSON.stringify(body);
  const head = [
    'HTTP/1.1 400 Bad Request',
    'connection: close',
    'content-type: application/json; charset=utf-8',
  ];
  socket.end([...head, `content-length: ${Buffer.byteLength(text)}`, '', text].join('\r\n'));
}

const endpoints = Object.values({ ...operations, ...companions }).map(({ method, url }) => ({
  method,
  pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
}));

/** Answers a path that no route has (404), or that has one for another method (405 with `Allow`). */
export function refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0] ?? '';
  const allowed = endpoints.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  const { status, body } = refusal(allowed.length > 0 ? 'methodNotAllowed' : 'noSuchEndpoint');
  if (allowed.length > 0) reply.header('allow', [...new Set(allowed)].join(', '));
  reply.code(status).send(body);
}
