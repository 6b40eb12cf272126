import type { FastifyRequest } from 'fastify';
import { companions, type Operation, operations } from '../../contract/operations.ts';
import { servicePages } from './service-pages.ts';

const routes: [string, Pick<Operation, 'method' | 'url'>][] = Object.entries({
  ...operations,
  ...companions,
  ...servicePages,
});

const names = new Map(routes.map(([name, { method, url }]) => [`${method} ${url}`, name]));

/** Name of the operation or page that a request was routed to; `none` where there is none. */
export function operationOf(request: FastifyRequest): string {
  return names.get(`${request.method} ${request.routeOptions.url}`) ?? 'none';
}
