import { request as send } from 'undici';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../src/client/client.ts';
import type { TenantAccess } from '../src/service/open-context.ts';
import { type RunningService, type ServiceOptions, startService } from '../src/service/open-service.ts';
import { claimTenant } from './built-setup.ts';
import { testClock } from './clocks.ts';
import { preparedKeyPair } from './prepared-keys.ts';
import { watchReplies } from './service/openapi/watch-replies.ts';
import { keptDatabase } from './service/storage/test-database.ts';
import { testPasswords } from './test-passwords.ts';

/** What a raw request sends. */
interface RequestParts {
  /** A text is sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Added to `content-type: application/json; charset=utf-8`, which is sent with every body, or replaces it. */
  headers?: Record<string, string>;
  /** Bearer token; by default a valid one, and `null` sends none. */
  token?: string | null;
}

/** The answer; `body` is parsed if it is JSON. */
interface Reply<Body> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/** A real service on an empty database, reached over HTTP. */
export interface TestService extends RunningService {
  tenants: TenantAccess[];
  /** Has the credentials of the service's application. */
  client: Client;
  /** Another client of the same service. */
  connect(options?: Partial<ClientOptions>): Client;
  /** A single request, for tests of forms: it is never retried, and no status is an error. */
  request<Body = unknown>(method: string, path: string, parts?: RequestParts): Promise<Reply<Body>>;
  /** The metrics of a service that has them: `startTestService({ metrics: { port: 0 } })`. */
  readMetrics(): Promise<string>;
  /** Failures of the service itself. A test that expects one removes it: `reports.splice(0)`. */
  reports: unknown[];
}

/** Credentials of the application that every test service knows. */
export const application = { client_id: 'test-application', client_secret: 'test-secret-7d41c0' };

/** A device to log in from. */
export const device = {
  operating_sys_version: 'macOS 14.5',
  device_ip: '10.0.0.7',
  device_fingerprint: 'f-3c1a',
};

/** Whether this run tests `serve` of the built program. */
const isBuilt = process.env.TEST_SERVICE === 'built';

async function startOwnService(options: Partial<ServiceOptions>) {
  const database = options.database ?? (await keptDatabase());
  const service = await startService({
    application,
    makeKeyPair: preparedKeyPair,
    passwords: testPasswords,
    ...options,
    database,
  });
  return { service, credentials: application };
}

/**
 * An empty tenant of the built service. A test that needs options of its own is skipped, since that process has fixed
 * options.
 */
function useBuiltService(options: Partial<ServiceOptions>) {
  const names = Object.keys(options);
  if (names.length > 0)
    TestRunner.getCurrentTest()?.context.skip(`the built service takes no ${names.join(', ')}`);
  const { baseUrl, tenantId, application: credentials } = claimTenant();
  const service: RunningService = {
    baseUrl,
    metricsUrl: undefined,
    openAccess: () => Promise.resolve([{ tenant_id: tenantId, client_id: credentials.client_id }]),
    drain: () => Promise.resolve(0),
    isGivenRefused: false,
    lostLines: () => undefined,
    close: () => Promise.resolve(),
  };
  return { service, credentials };
}

/**
 * Starts a service for the running test and stops it, with its clients, when the test ends. The test fails if the
 * service reported a failure, or sent a reply that the description of the API does not have. `now` sets the clock: `let
 * time = …; startTestService({ now: () => time })`.
 */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const reports: unknown[] = [];
  const report = (failure: unknown) => void reports.push(failure);
  const { service, credentials } = isBuilt
    ? useBuiltService(options)
    : await startOwnService({ report, ...options });
  // Injected answers are not in the description of the API.
  const watch = options.faults ? undefined : watchReplies(service.baseUrl);
  onTestFinished(async () => {
    await service.close();
    watch?.end();
    // The stack shows the place of a failure, which its message does not.
    expect(reports.map((report) => (report instanceof Error ? report.stack : report))).toEqual([]);
    expect(watch?.faults ?? []).toEqual([]);
  });

  function connect(more: Partial<ClientOptions> = {}): Client {
    const { client_id: clientId, client_secret: clientSecret } = credentials;
    const client = createClient({
      baseUrl: service.baseUrl,
      clientId,
      clientSecret,
      clock: testClock,
      ...more,
    });
    onTestFinished(() => client.close());
    return client;
  }

  const client = connect();
  return {
    ...service,
    tenants: await service.openAccess(),
    client,
    connect,
    reports,
    readMetrics: async () => (await send(service.metricsUrl ?? '')).body.text(),
    async request<Body>(method: string, path: string, parts: RequestParts = {}): Promise<Reply<Body>> {
      const token = parts.token === undefined ? (await client.obtainToken()).access_token : parts.token;
      const { body } = parts;
      const reply = await send(service.baseUrl + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...parts.headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await reply.body.text();
      const isJson = text !== '' && String(reply.headers['content-type']).startsWith('application/json');
      return { status: reply.statusCode, headers: reply.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}
