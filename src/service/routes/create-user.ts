import type { UserReference } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import type { ApiRequest, ApiRoute } from '../context/route.ts';
import { readBoolean, readTextField, requireObject } from '../http/body.ts';
import { checkPasswordPolicy } from '../passwords/policy/check-password.ts';
import { insertUser, type NewPassword } from '../storage/users/insert-user.ts';
import type { NewValues } from '../storage/users/user-values.ts';
import { checkNewUser } from '../validation/check-values.ts';
import { waitingAs } from './user-passwords.ts';

/** Creates a user with a plain password that meets the tenant's policy, or without a password (§4.3). */
export const createUser: ApiRoute<UserReference> = async (context, request) => {
  const body = requireObject(request.body);
  const mustModify = readBoolean(body, 'pwd_must_modify');
  const pwd = readTextField(body, 'pwd');
  const checked = checkNewUser(body, request.tenant.definition, pwd !== '');
  if (pwd !== '') await checkPasswordPolicy(pwd, checked.attributes, request.tenant.definition);
  const stored = pwd === '' ? null : await context.passwords.hash(pwd, waitingAs('administration', request));
  return addUser(context, request, checked, { stored, mustModify });
};

/** Stores a new user. Rejects with an "already exists" error. Not an async function, to save memory. */
export function addUser(
  { database, now }: ServiceContext,
  request: ApiRequest,
  checked: NewValues,
  password: NewPassword,
): Promise<UserReference> {
  return insertUser(database, request.tenant, checked, password, now()).then((user_id) => {
    request.auditFacts = { user_id };
    return { user_id };
  });
}
