import type { UserReference } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { readBoolean, requireObject } from '../http/body.ts';
import { checkHashedPassword, readHashedPassword } from '../passwords/check-hashed-password.ts';
import { storedLegacyHash } from '../passwords/stored-password.ts';
import { insertUser } from '../storage/users/insert-user.ts';
import { checkNewUser } from '../validation/check-values.ts';

/** Creates a user with the password hash of an older system (§4.4). */
export const importHashedUser: ApiRoute<UserReference> = async (context, request) => {
  const body = requireObject(request.body);
  const mustModify = readBoolean(body, 'pwd_must_modify');
  const hash = readHashedPassword(body['hash-pwd']);
  const checked = checkNewUser(body, request.tenant.definition, hash !== undefined);
  const stored = hash
    ? storedLegacyHash(checkHashedPassword(hash, request.tenant.definition.password))
    : null;
  const password = { stored, mustModify };
  const result = await insertUser(context.database, request.tenant, checked, password, context.now());
  if ('rejected' in result) throw apiError(...result.rejected);
  request.auditFacts = { user_id: result.userId };
  return { user_id: result.userId };
};
