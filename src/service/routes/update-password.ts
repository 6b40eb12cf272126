import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { readTextField, requireObject } from '../http/body.ts';
import { accountsOf } from '../storage/access/find-login.ts';
import { findGrant, makeGrant, spendGrant } from '../storage/access/grants.ts';
import { clearAttempts } from '../storage/access/login-attempts.ts';
import { rememberPassword } from '../storage/access/password-history.ts';
import { readTenantKey } from '../storage/access/secrets.ts';
import { findUser } from '../storage/users/find-users.ts';
import { admitLogin, setPassword } from '../storage/users/set-password.ts';
import { endGrants } from '../storage/users/update-user.ts';
import { attemptLogin, choosePassword, waitingAs } from './user-passwords.ts';

/**
 * Companion: a user whose password must change sets a new one with the state token of the login, and is thereby logged in. A wrong
 * old password counts as a failed login. Throws `stateInvalid`, `passwordEmpty`, `loginRefused`, `loginLocked`, and the errors of
 * the tenant's password policy (§7.3).
 */
export const updatePassword: ApiRoute<{ status: 'SUCCESS'; session_token: string; expire: number }> = async (
  context,
  request,
) => {
  const { body, headers } = request;
  const state = String(headers['x-state-token'] ?? '');
  const tenant = context.tenants.get(readTenantKey(state) ?? 0);
  const grant = tenant && (await findGrant(context, tenant, 'state', state));
  const row = grant && (await findUser(context.database, tenant, grant.user_id));
  if (tenant && row) request.auditFacts = { tenant: tenant.definition.tenant_id, user_id: row.user_id };
  if (!tenant || !grant || !row || row.disabled === 1) throw apiError('stateInvalid');

  const given = requireObject(body);
  const password = readTextField(given, 'new_password');
  if (password === '') throw apiError('passwordEmpty');
  const oldPassword = readTextField(given, 'old_password');
  const waiting = waitingAs('logins', request);
  // The state token identifies its user, so there is nothing to hide: the attempts of the person are shown.
  const accounts = { person: row.user_id, typed: row.user_id };
  const read = async () => row;
  await attemptLogin(context, tenant, accounts, read, async ({ attemptsLeft }) => {
    const { matches } = await context.passwords.compare(row.password, oldPassword, waiting);
    if (!matches) throw apiError('loginRefused', String(attemptsLeft));
    await context.database.commit([clearAttempts(tenant, accountsOf(row, tenant))]);
  });

  const stored = await choosePassword(context, tenant, row, password, waiting);
  const now = context.now();
  const session = makeGrant(tenant, 'session', grant, now);
  const done = await context.database.commit([
    spendGrant(tenant, 'state', state),
    admitLogin(tenant, row, { counts: true }, now),
    setPassword(tenant, row, { stored, mustModify: false }, now),
    ...rememberPassword(tenant, row),
    endGrants(tenant, row.user_id),
    session.statement,
  ]);
  if (!done) throw apiError('stateInvalid');
  return { status: 'SUCCESS', session_token: session.secret, expire: session.lifetime };
};
