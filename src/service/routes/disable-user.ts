import type { UserReference } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { disableUserRow } from '../storage/users/update-user.ts';

/** Disables a user (§4.11). */
export const disableUser: ApiRoute<UserReference> = async (context, { params, tenant }) => {
  const rejected = await disableUserRow(context.database, tenant, params.user_id, context.now());
  if (rejected) throw apiError(...rejected);
  return { user_id: params.user_id };
};
