import type { FastifyInstance } from 'fastify';
import { companions } from '../../contract/operations.ts';
import type { UserReference } from '../../contract/wire.ts';
import { objectOf, textOf, truthOf } from '../body.ts';
import type { Parts } from '../parts.ts';
import { hashPassword } from '../passwords/stored-password.ts';
import { refusal } from '../refusal.ts';
import { findUser } from '../store/find-users.ts';
import { setPassword } from '../store/record-login.ts';

/** Companion: gives a user a new password. Throws `passwordEmpty`, `userNotFound`. */
export function changePassword(app: FastifyInstance, parts: Parts): void {
  app.route<{ Params: { user_id: string } }>({
    ...companions.changePassword,
    async handler({ params, body, tenant }): Promise<UserReference> {
      const given = objectOf(body);
      const password = textOf(given, 'password');
      if (password === '') throw refusal('passwordEmpty');
      const change = {
        stored: await hashPassword(password),
        mustModify: truthOf(given, 'must_modify', true),
      };
      for (;;) {
        const row = await findUser(parts.database, tenant, 'user_id', params.user_id);
        if (!row) throw refusal('userNotFound');
        if (await parts.database.commit([setPassword(tenant, row, change, parts.now())])) break;
      }
      return { user_id: params.user_id };
    },
  });
}
