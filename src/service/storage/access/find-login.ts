import { foldCase } from '../../../contract/normal-forms.ts';
import type { Tenant } from '../../tenant/definition.ts';
import { mobileKey } from '../../tenant/mobile-key.ts';
import type { Database } from '../engine/database.ts';
import type { UserRow } from '../users/user-row.ts';
import { secretDigest } from './secrets.ts';

/** Whom a login names, and the account its failures are counted for. */
export interface LoginName {
  row: UserRow | undefined;
  /** The user id, or a digest of a name that no user has: what one types there may be a password. */
  account: string;
}

const select = (place: number, column: string) =>
  `SELECT ${place} AS place, users.* FROM users WHERE tenant = ? AND ${column} = ?`;

const byAnyKey = `${select(1, 'user_name_key')} UNION ALL ${select(2, 'email_key')}
  UNION ALL ${select(3, 'mobile_key')} ORDER BY place LIMIT 1`;

/**
 * The user whom a login names by user name, e-mail or mobile number, looked for in this order: by one query,
 * so that a name that is found late or never takes no longer.
 */
export async function findLogin(database: Database, tenant: Tenant, login: string): Promise<LoginName> {
  const key = foldCase(login);
  const mobile = mobileKeyOf(login, tenant);
  const values = [tenant.key, key, tenant.key, key, tenant.key, mobile];
  const [row] = await database.query<UserRow>(byAnyKey, values);
  return { row, account: row ? row.user_id : `unknown-${secretDigest(mobile ?? key)}` };
}

function mobileKeyOf(login: string, tenant: Tenant): string | null {
  try {
    return mobileKey(login, tenant.definition);
  } catch {
    return null;
  }
}
