import { request as send } from 'undici';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../src/client/client.ts';
import { type RunningService, type ServiceOptions, startService } from '../src/service/open-service.ts';
import { claimTenant } from './built-setup.ts';
import { testClock } from './clocks.ts';
import { preparedKeyPair } from './prepared-keys.ts';
import { watchReplies } from './service/openapi/watch-replies.ts';
import { keptDatabase } from './service/storage/test-database.ts';
import { testPasswords } from './test-passwords.ts';

/** What a raw request sends. */
interface RequestParts {
  /** Sent as it is when it is a text, as JSON otherwise. */
  body?: unknown;
  /** Beside or instead of `content-type: application/json; charset=utf-8`, which goes with every body. */
  headers?: Record<string, string>;
  /** Bearer token; default a live one, `null` sends none. */
  token?: string | null;
}

/** What came back; `body` is parsed where it is JSON. */
interface Reply<Body> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

/** A real service on an empty database, reached over HTTP. */
export interface TestService extends RunningService {
  /** Knows the service's application. */
  client: Client;
  /** One more client of the same service. */
  connect(options?: Partial<ClientOptions>): Client;
  /** A request as it stands, for tests of shapes: nothing is retried, no status is an error. */
  request<Body = unknown>(method: string, path: string, parts?: RequestParts): Promise<Reply<Body>>;
  /** The metrics, of a service that has them: `startTestService({ metrics: { port: 0 } })`. */
  readMetrics(): Promise<string>;
  /** Failures that were the service's own fault. A test that expects one takes it out: `reports.splice(0)`. */
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

/** Does this run test `serve` of the built program? */
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

/** An empty tenant of the built service; a test that needs options of its own is skipped, since that process has none. */
function useBuiltService(options: Partial<ServiceOptions>) {
  const names = Object.keys(options);
  if (names.length > 0)
    TestRunner.getCurrentTest()?.context.skip(`the built service takes no ${names.join(', ')}`);
  const { baseUrl, tenantId, application: credentials } = claimTenant();
  const service: RunningService = {
    baseUrl,
    tenants: [{ tenantId, clientId: credentials.client_id }],
    drain: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  };
  return { service, credentials };
}

/**
 * Starts a service for the running test and stops it, with its clients, when the test ends. The test fails when
 * the service reported a failure, or sent a reply that the description of the API does not have. `now` sets the clock: `let time = …; startTestService({ now: () => time })`.
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
    // With the place of a failure, which its message does not have.
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
