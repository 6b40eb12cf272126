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
  FST_ERR_MAX_PARAM_LENGTH: () => refusal('userNotFound'),
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
  parts.report(error);
  return refusal('systemBusy');
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
