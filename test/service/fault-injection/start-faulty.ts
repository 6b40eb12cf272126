import { request as send } from 'undici';
import type { User } from '../../../src/contract/wire.ts';
import type { AuditTarget } from '../../../src/service/audit/audit-log.ts';
import { type Faults, planFaults } from '../../../src/service/fault-injection/plan.ts';
import { startTestService, type TestService } from '../../test-service.ts';
import { scriptOf } from './script-of.ts';

/** What a caller saw: an answer, or a connection that broke. */
export interface Seen {
  status?: number;
  /** The whole text as it came; parsed if it is JSON. */
  body?: unknown;
  retryAfter?: string | undefined;
  contentType?: string | undefined;
  /** Code of the failure, if no complete answer came. */
  broke?: string;
}

/** A service with a fault script, and a caller that retries nothing. */
export interface FaultyService extends TestService {
  faults: Faults;
  /** Creates a user of this name and returns the answer or the failure. */
  create(userName: string): Promise<Seen>;
  /** Makes one call and returns the answer or the failure. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Seen>;
  /** User names in the database, in the order of their creation; read without going through the faults. */
  stored(): Promise<string[]>;
}

const users = '/api/v2/tenant/users';

/** An entry of a fault script, as the file has it. */
export type Entry = { operation: unknown; when?: unknown; do: unknown };

/**
 * Starts a service with injected faults for the running test. The script must leave out `listUsers` and the token call
 * of the caller.
 */
export async function startFaulty(
  entries: readonly Entry[],
  { seed, now = Date.now, audit }: { seed?: number; now?: () => number; audit?: AuditTarget } = {},
): Promise<FaultyService> {
  const json = JSON.stringify({ ...(seed === undefined ? {} : { seed }), faults: entries });
  const faults = planFaults(scriptOf(json), now);
  const service = await startTestService({ faults, now, audit });
  const { access_token: token } = await service.client.obtainToken();

  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Seen> {
    try {
      const reply = await send(service.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.body.text();
      const contentType = reply.headers['content-type']?.toString();
      return {
        status: reply.statusCode,
        body: contentType?.startsWith('application/json') ? JSON.parse(text) : text,
        contentType,
        retryAfter: reply.headers['retry-after']?.toString(),
      };
    } catch (cause) {
      return { broke: cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause) };
    }
  }

  return {
    ...service,
    faults,
    call,
    create: (user_name) => call('POST', users, { user_name }),
    async stored() {
      const page = await service.client.listUsers({ offset: 0, limit: 100 });
      return page.users.map((user: User) => user.user_name);
    },
  };
}
