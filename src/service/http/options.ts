import type { Logger } from 'pino';
import { openTraffic, type Traffic } from './draining.ts';
import { type LogOptions, logFault, openLog } from './log.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { openRateLimit, type RateLimit } from './rate-limit.ts';
import { defaultTimeouts, httpServers, type Timeouts, type Tls } from './server.ts';

/** Options of the HTTP server. */
export interface HttpOptions {
  /** Timeouts that differ from the default, in milliseconds. */
  timeouts?: Partial<Timeouts>;
  /** Serves HTTPS. */
  tls?: Tls | undefined;
  /** Most requests a second of one application, also at once after a pause; no limit when left out. */
  rateLimit?: number | undefined;
  /** Most requests a second of one address to the operations that need no bearer, ten times as many at once; default: no limit. */
  addressLimit?: number;
  /** Addresses and networks of proxies that are believed which address a request comes from. */
  trustProxy?: readonly string[] | undefined;
  /** No log when left out. */
  log?: LogOptions;
  /** Also answer `/openapi.json` and `/docs`. */
  docs?: boolean;
  /** Where the metrics are served, if at all: at a port of their own, since they are not for callers. */
  metrics?: { host?: string; port: number } | undefined;
}

/** What the HTTP server runs with: the log, metrics and limits that its options ask for. */
export interface HttpSetup {
  timeouts: Timeouts;
  traffic: Traffic;
  serverFactory: ReturnType<typeof httpServers>;
  limit?: RateLimit;
  addressLimit?: RateLimit;
  trustProxy?: string[];
  isTls: boolean;
  log?: Logger;
  hasDocs: boolean;
  metrics?: Metrics;
  /** Writes a failure to the log. */
  logFault(error: unknown, requestId?: string): void;
}

/** Opens log, metrics and limits as the options ask for them; the libraries of the others are not loaded. */
export async function setUpHttp(options: HttpOptions, now: () => number): Promise<HttpSetup> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const traffic = openTraffic();
  const log = options.log && (await openLog(options.log));
  return {
    timeouts,
    traffic,
    isTls: options.tls !== undefined,
    serverFactory: httpServers(timeouts, traffic, options.tls),
    ...(options.rateLimit === undefined ? {} : { limit: openRateLimit(options.rateLimit, now) }),
    ...(options.addressLimit === undefined
      ? {}
      : { addressLimit: openRateLimit(options.addressLimit, now, 10 * options.addressLimit) }),
    ...(options.trustProxy ? { trustProxy: [...options.trustProxy] } : {}),
    ...(log ? { log } : {}),
    hasDocs: options.docs === true,
    ...(options.metrics ? { metrics: await openMetrics(traffic) } : {}),
    logFault: (error, requestId) => log && logFault(log, error, requestId),
  };
}
