import type { UserReference } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { readBoolean, readTextField, requireObject } from '../http/body.ts';
import { accountsOf } from '../storage/access/find-login.ts';
import { clearAttempts } from '../storage/access/login-attempts.ts';
import { rememberPassword } from '../storage/access/password-history.ts';
import { findUser } from '../storage/users/find-users.ts';
import { setPassword } from '../storage/users/set-password.ts';
import { endGrants } from '../storage/users/update-user.ts';
import { choosePassword, waitingAs } from './user-passwords.ts';

/**
 * Companion: gives a user a new password, and takes a lock away (decision 40). Throws `passwordEmpty`, `userNotFound`, and the errors of the
 * tenant's password policy (§7.3).
 */
export const changePassword: ApiRoute<UserReference> = async (context, request) => {
  const { params, body, tenant } = request;
  const given = requireObject(body);
  const password = readTextField(given, 'password');
  if (password === '') throw apiError('passwordEmpty');
  const mustModify = readBoolean(given, 'must_modify');
  const waiting = waitingAs('administration', request);
  for (;;) {
    const row = await findUser(context.database, tenant, params.user_id);
    if (!row) throw apiError('userNotFound');
    const stored = await choosePassword(context, tenant, row, password, waiting);
    const former = row.password && (await context.passwords.wrap(row.password, waiting));
    const change = setPassword(tenant, row, { stored, mustModify }, context.now());
    const isDone = await context.database.commit([
      change,
      ...rememberPassword(tenant, { ...row, password: former }),
      endGrants(tenant, row.user_id),
      clearAttempts(tenant, accountsOf(row, tenant)),
    ]);
    if (isDone) return { user_id: params.user_id };
  }
};
