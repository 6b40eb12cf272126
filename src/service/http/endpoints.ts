import type { FastifyRequest } from 'fastify';
import { endpoints, type Operation } from '../../contract/operations.ts';

/** Method and path of a route. */
export type Endpoint = Pick<Operation, 'method' | 'url'>;

/** What the service answers besides the API, without a bearer. */
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

/** Name of the operation or page that a request was routed to; `none` where there is none. */
export function endpointName(request: FastifyRequest): string {
  return names.get(`${request.method} ${request.routeOptions.url}`) ?? 'none';
}
