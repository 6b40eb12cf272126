import type { Applications } from './store/applications.ts';
import type { Database } from './store/database.ts';
import type { Grants } from './store/grants.ts';
import type { SigningKeys } from './store/signing-keys.ts';
import type { Tokens } from './store/tokens.ts';
import type { Tenant } from './tenant/tenant.ts';

/** Everything a route is built from. */
export interface Parts {
  database: Database;
  /** Tenants by the key their rows carry. */
  tenants: ReadonlyMap<number, Tenant>;
  applications: Applications;
  tokens: Tokens;
  grants: Grants;
  keys: SigningKeys;
  /** Epoch milliseconds. */
  now(): number;
  /** Told of every failure that is the service's own fault; such a failure is answered with `systemBusy`. */
  report(error: unknown, requestId?: string): void;
}
