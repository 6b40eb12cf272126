import type { FastifyRequest } from 'fastify';
import { endpoints, type Operation } from '../../contract/operations.ts';

/** Method and path of a route. */
export type Endpoint = Pick<Operation, 'method' | 'url'>;

/** Pages that the service has besides the API; they need no bearer token. */
export const servicePages = {
  health: { method: 'GET', url: '/healthz' },
  readiness: { method: 'GET', url: '/readyz' },
  apiDocument: { method: 'GET', url: '/openapi.json' },
  apiPage: { method: 'GET', url: '/docs' },
} as const satisfies Record<string, { method: 'GET'; url: string }>;

const names = new Map(
  Object.entries({ ...endpoints, ...servicePages }).map(([name, { method, url }]) => [
    `${method} ${url}`,
    name,
  ]),
);

/** Returns the name of the endpoint or page that a request was routed to, or `none`. */
export function endpointName(request: FastifyRequest): string {
  return names.get(`${request.method} ${request.routeOptions.url}`) ?? 'none';
}
