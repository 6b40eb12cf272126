import type { FastifyRequest } from 'fastify';

/** Who signs an id token: the address at which the caller reached the service. */
export function issuerOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
