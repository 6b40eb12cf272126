import type { UserReference } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import type { ApiRequest } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { insertUser, type NewPassword } from '../storage/users/insert-user.ts';
import type { NewValues } from '../storage/users/user-values.ts';

/** Stores a new user. Throws an "already exists" error. */
export async function addUser(
  { database, now }: ServiceContext,
  request: ApiRequest,
  checked: NewValues,
  password: NewPassword,
): Promise<UserReference> {
  const result = await insertUser(database, request.tenant, checked, password, now());
  if ('rejected' in result) throw apiError(...result.rejected);
  request.auditFacts = { user_id: result.userId };
  return { user_id: result.userId };
}
