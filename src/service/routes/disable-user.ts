import type { FastifyInstance } from 'fastify';
import { operations } from '../../contract/operations.ts';
import type { UserReference } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import { apiError } from '../errors/api-error.ts';
import { disableUserRow } from '../storage/users/update-user.ts';

/** Disables a user (§4.11). */
export function disableUser(app: FastifyInstance, context: ServiceContext): void {
  app.route<{ Params: { user_id: string } }>({
    ...operations.disableUser,
    async handler({ params, tenant }): Promise<UserReference> {
      const rejected = await disableUserRow(context.database, tenant, params.user_id, context.now());
      if (rejected) throw apiError(...rejected);
      return { user_id: params.user_id };
    },
  });
}
