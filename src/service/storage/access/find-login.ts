import { foldCase } from '../../../contract/normal-forms.ts';
import type { Tenant } from '../../tenant/definition.ts';
import { readMobileKey } from '../../tenant/mobile-key.ts';
import type { Database } from '../engine/database.ts';
import type { UserRow } from '../users/user-row.ts';
import { secretDigest } from './secrets.ts';

/** The user whom a login names, and the account whose failures are counted. */
export interface LoginName {
  row: UserRow | undefined;
  /** The user id, or a digest of a name that no user has: somebody may have typed a password there. */
  account: string;
}

const select = (rank: number, column: string) =>
  `SELECT ${rank} AS match_rank, users.* FROM users WHERE tenant = ? AND ${column} = ?`;

const byAnyKey = `${select(1, 'user_name_key')} UNION ALL ${select(2, 'email_key')}
  UNION ALL ${select(3, 'mobile_key')} ORDER BY match_rank LIMIT 1`;

/**
 * Finds the user whom a login names by user name, e-mail or mobile number, in this order. One query does it, so that the
 * time does not show which of them matched, or none.
 */
export async function findLogin(database: Database, tenant: Tenant, login: string): Promise<LoginName> {
  const key = foldCase(login);
  const mobile = readMobileKey(login, tenant.definition);
  const mobileKey = 'key' in mobile ? mobile.key : null;
  const values = [tenant.key, key, tenant.key, key, tenant.key, mobileKey];
  const [row] = await database.query<UserRow>(byAnyKey, values);
  return { row, account: row ? row.user_id : `unknown-${secretDigest(mobileKey ?? key)}` };
}
