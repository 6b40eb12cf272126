import { foldCase } from '../../../contract/normal-forms.ts';
import type { Tenant } from '../../tenant/definition.ts';
import { mobileKeyOf } from '../../tenant/mobile-key.ts';
import type { Database } from '../engine/database.ts';
import type { UserRow } from '../users/user-row.ts';
import { secretDigest } from './secrets.ts';

const select = (rank: number, column: string) =>
  `SELECT ${rank} AS match_rank, users.* FROM users WHERE tenant = ? AND ${column} = ?`;

const byAnyKey = `${select(1, 'user_name_key')} UNION ALL ${select(2, 'email_key')}
  UNION ALL ${select(3, 'mobile_key')} ORDER BY match_rank LIMIT 1`;

/**
 * Finds the user that a login names by user name, e-mail address or mobile number, in this order. It uses one query, so that the
 * time does not reveal which of them matched, if any. Returns also the accounts for which the attempt is counted.
 */
export async function findLogin(database: Database, tenant: Tenant, login: string) {
  const key = foldCase(login);
  const mobileKey = mobileKeyOf(login, tenant.definition);
  const values = [tenant.key, key, tenant.key, key, tenant.key, mobileKey];
  const [row] = await database.query<UserRow>(byAnyKey, values);
  const typed = typedAccount(mobileKey ?? key);
  return { row, accounts: { person: row?.user_id ?? typed, typed } };
}

/** Returns all accounts for which the attempts of a user can be counted; a user name may read as a mobile number. */
export function accountsOf(
  { user_id, user_name_key, email_key, mobile_key }: UserRow,
  tenant: Tenant,
): string[] {
  const keys = [user_name_key, mobileKeyOf(user_name_key, tenant.definition), email_key, mobile_key];
  return [user_id, ...keys.filter((key) => key !== null).map(typedAccount)];
}

/** Uses a digest, because somebody may have typed a password instead of a name. */
function typedAccount(key: string): string {
  return `typed-${secretDigest(key)}`;
}
