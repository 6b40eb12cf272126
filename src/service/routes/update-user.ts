import type { UserReference } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { requireObject } from '../http/body.ts';
import { updateUserRow } from '../storage/users/update-user.ts';
import { checkChanges } from '../validation/check-values.ts';

/** Changes only the attributes that the body names (§4.10). */
export const updateUser: ApiRoute<UserReference> = async (context, request) => {
  const { params, body, tenant } = request;
  const changes = checkChanges(requireObject(body), tenant.definition);
  const extensions = Object.keys(changes.extension).map((key) => `extension.${key}`);
  request.auditFacts = { attributes: [...Object.keys(changes.attributes), ...extensions] };
  await updateUserRow(context.database, tenant, params.user_id, changes, context.now());
  return { user_id: params.user_id };
};
