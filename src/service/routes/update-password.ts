import type { FastifyInstance } from 'fastify';
import { companions } from '../../contract/operations.ts';
import { objectOf, textOf } from '../body.ts';
import type { Parts } from '../parts.ts';
import { comparePassword, hashPassword } from '../passwords/stored-password.ts';
import { refusal } from '../refusal.ts';
import { findUser } from '../store/find-users.ts';
import { countLogin, setPassword } from '../store/record-login.ts';
import { tenantKeyOf } from '../store/secrets.ts';

/**
 * Companion: a user whose password must change sets a new one with the state token of the login, and is logged
 * in by it. Throws `stateInvalid`, `passwordEmpty`, `loginRefused`.
 */
export function updatePassword(app: FastifyInstance, parts: Parts): void {
  app.route({
    ...companions.updatePassword,
    async handler({ body, headers }): Promise<{ status: 'SUCCESS'; session_token: string; expire: number }> {
      const state = String(headers['x-state-token'] ?? '');
      const tenant = parts.tenants.get(tenantKeyOf(state) ?? 0);
      const grant = tenant && (await parts.grants.find(tenant, 'state', state));
      const row = grant && (await findUser(parts.database, tenant, 'user_id', grant.user_id));
      if (!tenant || !grant || !row || row.disabled === 1) throw refusal('stateInvalid');

      const given = objectOf(body);
      const password = textOf(given, 'new_password');
      if (password === '') throw refusal('passwordEmpty');
      const { matches } = await comparePassword(row.password, textOf(given, 'old_password'));
      if (!matches) throw refusal('loginRefused');

      const now = parts.now();
      const change = { stored: await hashPassword(password), mustModify: false };
      const session = parts.grants.make(tenant, 'session', grant);
      const done = await parts.database.commit([
        parts.grants.spend(tenant, 'state', state),
        setPassword(tenant, row, change, now),
        countLogin(tenant, row, now),
        session.statement,
      ]);
      if (!done) throw refusal('stateInvalid');
      return { status: 'SUCCESS', session_token: session.secret, expire: session.lifetime };
    },
  });
}
