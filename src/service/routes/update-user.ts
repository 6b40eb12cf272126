import type { FastifyInstance } from 'fastify';
import { operations } from '../../contract/operations.ts';
import type { UserReference } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import { apiError } from '../errors/api-error.ts';
import { requireObject } from '../http/body.ts';
import { updateUserRow } from '../storage/users/update-user.ts';
import { checkChanges } from '../validation/check-values.ts';

/** Changes only the attributes that the body names (§4.10). */
export function updateUser(app: FastifyInstance, context: ServiceContext): void {
  app.route<{ Params: { user_id: string } }>({
    ...operations.updateUser,
    async handler(request): Promise<UserReference> {
      const { params, body, tenant } = request;
      const changes = checkChanges(requireObject(body), tenant.definition);
      const extensions = Object.keys(changes.extension).map((key) => `extension.${key}`);
      request.auditFacts = { attributes: [...Object.keys(changes.attributes), ...extensions] };
      const rejected = await updateUserRow(context.database, tenant, params.user_id, changes, context.now());
      if (rejected) throw apiError(...rejected);
      return { user_id: params.user_id };
    },
  });
}
