import type { IdTokens } from '../identity/id-tokens.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Turns } from '../passwords/turns.ts';
import type { Applications } from '../storage/access/applications.ts';
import type { Grants } from '../storage/access/grants.ts';
import type { Tokens } from '../storage/access/tokens.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Tenant } from '../tenant/definition.ts';

/** Everything that a route may use outside itself. */
export interface ServiceContext {
  database: Database;
  /** Tenants by the key in their rows. */
  tenants: ReadonlyMap<number, Tenant>;
  passwords: Passwords;
  /** The turns of the logins of one person. */
  loginTurns: Turns;
  applications: Applications;
  tokens: Tokens;
  grants: Grants;
  idTokens: IdTokens;
  /** The address that id tokens name as their issuer; never what a caller claims (decision 5). */
  issuer(): string;
  /** Epoch milliseconds. */
  now(): number;
  /** Reports a failure of the service itself; the caller gets `systemBusy`. */
  report(error: unknown, requestId?: string): void;
}
