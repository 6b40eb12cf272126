import type { UserReference } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { readBoolean, requireObject } from '../http/body.ts';
import { checkHashedPassword, readHashedPassword } from '../passwords/check-hashed-password.ts';
import { storedLegacyHash } from '../passwords/stored-password.ts';
import { checkNewUser } from '../validation/check-values.ts';
import { addUser } from './create-user.ts';

/** Creates a user with the password hash of an older system (§4.4). */
export const importHashedUser: ApiRoute<UserReference> = async (context, request) => {
  const body = requireObject(request.body);
  const mustModify = readBoolean(body, 'pwd_must_modify');
  const hash = readHashedPassword(body['hash-pwd']);
  const checked = checkNewUser(body, request.tenant.definition, hash !== undefined && hash.value !== '');
  const stored = hash
    ? storedLegacyHash(checkHashedPassword(hash, request.tenant.definition.password))
    : null;
  return addUser(context, request, checked, { stored, mustModify });
};
