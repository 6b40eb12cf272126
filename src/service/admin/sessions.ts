import type { EndedSessions } from '../../contract/administration.ts';
import { endAccess, findApplication } from '../storage/access/applications.ts';
import { findLogin } from '../storage/access/find-login.ts';
import { countAccess, countSessions } from '../storage/access/grants.ts';
import { findShown } from '../storage/users/find-users.ts';
import { endGrants } from '../storage/users/update-user.ts';
import { unknownApplication } from './applications.ts';
import { onTenant } from './on-tenant.ts';

/** Ends the sessions of a user, found by id or login name. Returns `undefined` if there is no such user. */
export function endSessionsOfUser(
  location: string,
  tenantId: string | undefined,
  name: string,
  now: number,
): Promise<EndedSessions | undefined> {
  return onTenant(location, tenantId, async (database, tenant) => {
    const row =
      (await findShown(database, tenant, 'user_id', name)) ?? (await findLogin(database, tenant, name)).row;
    if (!row) return undefined;
    const { user_id } = row;
    const sessions = await countSessions(database, tenant, user_id, now);
    await database.commit([endGrants(tenant, user_id)]);
    return { tenant_id: tenant.definition.tenant_id, user_id, client_id: null, sessions, tokens: 0 };
  });
}

/** Ends the access tokens of an application, and the sessions of users who logged in with it. */
export function endSessionsOfApplication(
  location: string,
  tenantId: string | undefined,
  client_id: string,
  now: number,
): Promise<EndedSessions> {
  return onTenant(location, tenantId, async (database, tenant) => {
    const counts = await countAccess(database, tenant, client_id, now);
    const stored = await findApplication(database, client_id);
    // An application given at the start of the service is not stored, but its sessions and tokens are.
    const isKnown = stored?.tenant === tenant.key || counts.sessions + counts.tokens > 0;
    if (!isKnown) throw unknownApplication();
    await database.commit(endAccess({ tenant: tenant.key, client_id }));
    return { tenant_id: tenant.definition.tenant_id, user_id: null, client_id, ...counts };
  });
}
