import type { FastifyRequest } from 'fastify';
import type { Operation } from '../../contract/operations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the endpoint or page of a route. */
    name?: string;
    /** Set if an application with the scope `read` may call it. */
    reads?: true | undefined;
  }
}

/** Pages that the service has besides the API; they need no bearer token. */
export const servicePages = {
  health: { method: 'GET', url: '/healthz', config: { name: 'health' } },
  readiness: { method: 'GET', url: '/readyz', config: { name: 'readiness' } },
  apiDocument: { method: 'GET', url: '/openapi.json', config: { name: 'apiDocument' } },
  apiPage: { method: 'GET', url: '/docs', config: { name: 'apiPage' } },
} as const satisfies { [Name in string]: Pick<Operation, 'method' | 'url'> & { config: { name: Name } } };

/** Returns the name of the endpoint or page that a request was routed to, or `none`. */
export function endpointName({ routeOptions }: FastifyRequest): string {
  return routeOptions.config?.name ?? 'none';
}
