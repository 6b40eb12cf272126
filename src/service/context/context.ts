import type { Applications } from '../storage/access/applications.ts';
import type { Grants } from '../storage/access/grants.ts';
import type { SigningKeys } from '../storage/access/signing-keys.ts';
import type { Tokens } from '../storage/access/tokens.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Tenant } from '../tenant/definition.ts';

/** Everything a route is built from. */
export interface ServiceContext {
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
