import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { urlHost } from '../../text/url-host.ts';
import type { Traffic } from './draining.ts';
import { endpointName } from './endpoints.ts';

/** Metrics of one service, in the text format of Prometheus. */
export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  /** Adds a gauge whose value is read whenever the metrics are; `NaN` if that fails. */
  gauge(name: string, help: string, value: () => Promise<number>): void;
  count(operation: string, status: number, errorCode: string, seconds: number): void;
}

/** Upper bounds of the duration buckets, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Opens the metrics of a service and of its process. The library is loaded only here. */
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
  const apiErrors = new Counter({
    name: 'tenant_users_api_errors_total',
    help: 'Requests answered with an API error, by operation and error code',
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
  // The library sorts the labels at each observation, unless they are bound once.
  const bound = new Map<string, { observe(seconds: number): void }>();
  function bindDurations(operation: string, status: number) {
    const name = `${operation} ${status}`;
    const one = bound.get(name) ?? durations.labels({ operation, status });
    bound.set(name, one);
    return one;
  }
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    gauge(name, help, value) {
      const collect = async function (this: { set(value: number): void }) {
        this.set(await value().catch(() => Number.NaN));
      };
      new Gauge({ name, help, registers, collect });
    },
    count(operation, status, error_code, seconds) {
      bindDurations(operation, status).observe(seconds);
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

/** Metrics on a port of their own. */
export interface MetricsServer {
  url: string;
  close(): void;
}

/** Serves metrics at `/metrics` on a port, over plain HTTP; rejects if the port cannot be opened. */
export async function serveMetrics(
  metrics: Metrics,
  { host = '127.0.0.1', port }: { host?: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics';
    const text = isAsked ? metrics.text() : Promise.resolve('Only GET /metrics is here.\n');
    text.then(
      (body) => {
        const type = isAsked ? metrics.contentType : 'text/plain; charset=utf-8';
        response.writeHead(isAsked ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 20;
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(host)}:${taken}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
