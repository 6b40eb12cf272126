import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { urlHost } from '../../text/locations/url-host.ts';
import { endpointName } from './endpoints.ts';

/** Metrics of one service, in the text format of Prometheus. */
export type Metrics = Awaited<ReturnType<typeof openMetrics>>;

/** Upper bounds of the duration buckets, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Opens the metrics of a service and of its process. The library is loaded only here. */
export async function openMetrics() {
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
  const apiErrors = new Counter({
    name: 'tenant_users_api_errors_total',
    help: 'Requests answered with an API error, by operation and error code',
    labelNames: ['operation', 'error_code'],
    registers,
  });
  const closed = new Counter({
    name: 'tenant_users_connections_closed_total',
    help: 'Connections without a valid token that were closed because there were too many',
    registers,
  });
  // The library sorts the labels at each observation, unless they are bound once.
  const bound = new Map<string, { observe(seconds: number): void }>();
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    /** Adds a gauge whose value is read whenever the metrics are; `NaN` if that fails. */
    gauge(name: string, help: string, value: () => number | Promise<number>): void {
      const collect = async function (this: { set(value: number): void }) {
        this.set(await Promise.resolve(value()).catch(() => Number.NaN));
      };
      new Gauge({ name, help, registers, collect });
    },
    countClosed: () => closed.inc(),
    count(operation: string, status: number, error_code: string, seconds: number): void {
      const name = `${operation} ${status}`;
      const labelled = bound.get(name) ?? durations.labels({ operation, status });
      bound.set(name, labelled);
      labelled.observe(seconds);
      if (error_code !== '') apiErrors.inc({ operation, error_code });
    },
  };
}

/** Counts every request of an application. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.count(endpointName(request), reply.statusCode, request.apiErrorCode, reply.elapsedTime / 1000);
    done();
  });
}

/** Serves metrics at `/metrics` on a port of their own, over plain HTTP; rejects if the port cannot be opened. */
export async function serveMetrics(
  metrics: Metrics,
  { host = '127.0.0.1', port }: { host?: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  app.get('/metrics', (_request, reply) => {
    reply.headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' });
    return metrics.text();
  });
  app.server.maxConnections = 20;
  await app.listen({ host, port });
  const { port: taken } = app.server.address() as AddressInfo;
  return { url: `http://${urlHost(host)}:${taken}/metrics`, close: () => app.close() };
}
