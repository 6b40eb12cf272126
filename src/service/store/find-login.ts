import { parseMobile } from '../rules/parse-mobile.ts';
import type { Tenant } from '../tenant/tenant.ts';
import type { Database } from './database.ts';
import { findUser } from './find-users.ts';
import { keyOf, type UserRow } from './user-row.ts';

/** The user whom a login names by user name, e-mail or mobile number, looked for in this order. */
export async function findLogin(
  database: Database,
  tenant: Tenant,
  login: string,
): Promise<UserRow | undefined> {
  const mobile = mobileKey(login, tenant);
  return (
    (await findUser(database, tenant, 'user_name_key', keyOf(login))) ??
    (await findUser(database, tenant, 'email_key', keyOf(login))) ??
    (mobile === undefined ? undefined : await findUser(database, tenant, 'mobile_key', mobile))
  );
}

function mobileKey(login: string, tenant: Tenant): string | undefined {
  try {
    return parseMobile(login, tenant.definition);
  } catch {
    return undefined;
  }
}
