import type { FastifyInstance, FastifyRequest } from 'fastify';
import { companions, type Operation, operations } from '../../contract/operations.ts';
import type { Traffic } from './draining.ts';
import { servicePages } from './service-pages.ts';

/** Figures of one service, in the text format of Prometheus. */
export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  count(operation: string, status: number, errorCode: string, seconds: number): void;
}

/** Upper bounds of durations in seconds: a look-up takes half a millisecond, a new password's hash 100. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Opens the figures of a service and of its process. The library is loaded only here. */
export async function openMetrics(traffic: Traffic): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'tenant_users_request_duration_seconds',
    help: 'Requests by operation and HTTP status, and the time from arrival to the end of the reply',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  });
  const refusals = new Counter({
    name: 'tenant_users_refusals_total',
    help: 'Requests that were refused, by operation and error code',
    labelNames: ['operation', 'error_code'],
    registers,
  });
  new Gauge({
    name: 'tenant_users_requests_in_flight',
    help: 'Requests under way',
    registers,
    collect() {
      this.set(traffic.underWay());
    },
  });
  // The library puts the labels of each observation into order.
  const known = new Map<string, { observe(seconds: number): void }>();
  function durationsOf(operation: string, status: number) {
    const name = `${operation} ${status}`;
    const one = known.get(name) ?? durations.labels({ operation, status });
    known.set(name, one);
    return one;
  }
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    count(operation, status, error_code, seconds) {
      durationsOf(operation, status).observe(seconds);
      if (error_code !== '') refusals.inc({ operation, error_code });
    },
  };
}

/** Counts every request, and shows the figures at `/metrics`. */
export function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.count(operationOf(request), reply.statusCode, request.errorCode, reply.elapsedTime / 1000);
    done();
  });
  app.route({
    ...servicePages.metrics,
    handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  });
}

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
