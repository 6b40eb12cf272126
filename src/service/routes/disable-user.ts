import type { UserReference } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { disableUserRow } from '../storage/users/update-user.ts';

/** Disables a user (§4.11). */
export const disableUser: ApiRoute<UserReference> = async (context, { params, tenant }) => {
  await disableUserRow(context.database, tenant, params.user_id, context.now());
  return { user_id: params.user_id };
};
