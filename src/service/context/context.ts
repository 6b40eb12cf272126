import type { IdTokens } from '../identity/id-tokens.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Turns } from '../passwords/turns.ts';
import type { Applications } from '../storage/access/applications.ts';
import type { Tokens } from '../storage/access/tokens.ts';
import type { Database } from '../storage/engine/database.ts';
import type { UserPages } from '../storage/users/user-pages.ts';
import type { Tenant } from '../tenant/definition.ts';

/** Everything that a route may use outside itself. */
export interface ServiceContext {
  database: Database;
  /** Tenants by their key in the rows of the database. */
  tenants: ReadonlyMap<number, Tenant>;
  passwords: Passwords;
  /** Runs the logins with one typed name one after another. */
  loginTurns: Turns;
  applications: Applications;
  tokens: Tokens;
  userPages: UserPages;
  idTokens: IdTokens;
  /** Returns the address that id tokens name as their issuer; never one that a caller claims (decision 5). */
  issuer(): string;
  /** Epoch milliseconds. */
  now(): number;
  /** Reports a failure of the service itself; the caller gets `systemBusy`. */
  report(error: unknown, requestId?: string): void;
}
