import type { FastifyInstance, FastifyRequest } from 'fastify';
import { companions } from '../../contract/operations.ts';
import type { LoginAnswer } from '../../contract/wire.ts';
import { objectOf, textOf } from '../body.ts';
import type { Parts } from '../parts.ts';
import { comparePassword, hashPassword } from '../passwords/stored-password.ts';
import { refusal } from '../refusal.ts';
import { findLogin } from '../store/find-login.ts';
import type { GrantKind } from '../store/grants.ts';
import { countLogin, keepHash } from '../store/record-login.ts';
import type { UserRow } from '../store/user-row.ts';
import { issuerOf } from './issuer-of.ts';

/**
 * Companion: logs a user in by user name, mobile number or e-mail. The first login with a legacy hash replaces
 * it by one of the service's own scheme (decision 35). A wrong password, an unknown and a disabled user get the
 * same answer. Throws `deviceHeaderMissing`, `loginRefused`.
 */
export function logIn(app: FastifyInstance, parts: Parts): void {
  app.route({
    ...companions.logIn,
    async handler(request): Promise<LoginAnswer> {
      const headers = deviceHeaders(request);
      const key = await parts.applications.tenantOf(headers.clientId);
      const tenant = key === undefined ? undefined : parts.tenants.get(key);
      if (!tenant) throw refusal('loginRefused');
      const body = objectOf(request.body);
      const password = textOf(body, 'password');
      const found = await findLogin(parts.database, tenant, textOf(body, 'user_name'));
      // Taken for unknown before the comparison: a right password must not be told by a quick answer.
      const row = found?.disabled === 1 ? undefined : found;
      const { matches, outdated } = await comparePassword(row?.password ?? null, password);
      if (!row || !matches) throw refusal('loginRefused');

      const grant = { user_id: row.user_id, device_fingerprint: headers.fingerprint };
      const { secret, lifetime, statement } = parts.grants.make(tenant, kindFor(row), grant);
      const rehash = outdated ? [keepHash(tenant, row, await hashPassword(password))] : [];
      if (row.pwd_must_modify === 1) {
        await parts.database.commit([statement, ...rehash]);
        return { status: 'PASSWORD_EXPIRED', state_token: secret };
      }
      const now = parts.now();
      await parts.database.commit([statement, ...rehash, countLogin(tenant, row, now)]);
      const iat = Math.floor(now / 1000);
      const claims = { sub: row.user_id, aud: headers.clientId, iat, exp: iat + lifetime };
      const id_token = await parts.keys.sign({ iss: issuerOf(request), ...claims });
      return { status: 'SUCCESS', session_token: secret, expire: lifetime, id_token };
    },
  });
}

function kindFor(row: UserRow): GrantKind {
  return row.pwd_must_modify === 1 ? 'state' : 'session';
}

const names = {
  clientId: 'X-client-id',
  fingerprint: 'X-device-fingerprint',
  system: 'X-operating-sys-version',
  agent: 'X-agent',
} as const;

function deviceHeaders(request: FastifyRequest): Record<keyof typeof names, string> {
  const entries = Object.entries(names).map(([name, header]) => {
    const value = request.headers[header.toLowerCase()];
    if (typeof value !== 'string' || value === '') throw refusal('deviceHeaderMissing', header);
    return [name, value];
  });
  return Object.fromEntries(entries) as Record<keyof typeof names, string>;
}
