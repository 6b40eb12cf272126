import type { FastifyInstance } from 'fastify';
import { operations } from '../../contract/operations.ts';
import type { User } from '../../contract/wire.ts';
import type { Parts } from '../parts.ts';
import { refusal } from '../refusal.ts';
import { findShown } from '../store/find-users.ts';
import { userOf } from '../store/user-row.ts';

/** Finds a user by user id (§4.5). */
export function getUser(app: FastifyInstance, parts: Parts): void {
  app.route<{ Params: { user_id: string } }>({
    ...operations.getUser,
    async handler({ params, tenant }): Promise<User> {
      const row = await findShown(parts.database, tenant, 'user_id', params.user_id);
      if (!row) throw refusal('userNotFound');
      return userOf(row, tenant.definition.timeZone);
    },
  });
}
