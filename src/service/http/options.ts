import { limitConnections } from './connections.ts';
import { openTraffic } from './draining.ts';
import { type LogOptions, logClosed, openLog } from './log.ts';
import { openMetrics } from './metrics.ts';
import { openRateLimit } from './rate-limit.ts';
import { defaultTimeouts, httpServers, mostConnections, type Timeouts, type Tls } from './server.ts';

/** Options of the HTTP server. */
export interface HttpOptions {
  /** Timeouts that differ from the default, in milliseconds. */
  timeouts?: Partial<Timeouts>;
  /** Maximum number of connections, if it differs from the default. */
  connections?: number;
  /** Certificate and key; if given, the service uses HTTPS. */
  tls?: Tls | undefined;
  /** Maximum requests per second of one application, and its maximum burst after a pause; default: no limit. */
  rateLimit?: number | undefined;
  /** Maximum requests per second of one address without a valid token, with a burst of ten times as many; default: no limit. */
  addressLimit?: number;
  /** Addresses and networks of proxies that are trusted to say which address a request comes from. */
  trustProxy?: readonly string[] | undefined;
  /** Level and destination of the log; default: no log. */
  log?: LogOptions;
  /** Whether to serve `/openapi.json` and `/docs`. */
  docs?: boolean;
  /** Where to serve the metrics, if at all: on a separate port, because they are not for callers. */
  metrics?: { host?: string; port: number } | undefined;
}

/** The parts of an HTTP server, opened according to its options. */
export type HttpSetup = Awaited<ReturnType<typeof setUpHttp>>;

/** Opens log, metrics and limits according to the options; loads only the libraries that these need. */
export async function setUpHttp(options: HttpOptions, now: () => number) {
  const { rateLimit, addressLimit } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const traffic = openTraffic();
  const log = options.log && (await openLog(options.log));
  const metrics = options.metrics && (await openMetrics());
  const warn = log && logClosed(log, now);
  const connections = limitConnections(options.connections ?? mostConnections, () => {
    metrics?.countClosed();
    warn?.();
  });
  metrics?.gauge('tenant_users_requests_in_flight', 'Requests under way', traffic.underWay);
  metrics?.gauge('tenant_users_connections', 'Open connections', connections.count);
  return {
    timeouts,
    traffic,
    connections,
    isTls: options.tls !== undefined,
    serverFactory: httpServers(timeouts, traffic, connections, options.tls),
    limit: rateLimit === undefined ? undefined : openRateLimit(rateLimit, now),
    addressLimit:
      addressLimit === undefined ? undefined : openRateLimit(addressLimit, now, 10 * addressLimit),
    trustProxy: options.trustProxy && [...options.trustProxy],
    log,
    hasDocs: options.docs === true,
    metrics,
  };
}
