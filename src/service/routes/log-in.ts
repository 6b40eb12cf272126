import type { FastifyInstance, FastifyRequest } from 'fastify';
import { companions } from '../../contract/operations.ts';
import type { LoginAnswer } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import { apiError } from '../errors/api-error.ts';
import { readTextBody, requireObject } from '../http/body.ts';
import { accountsOf, findLogin } from '../storage/access/find-login.ts';
import { admitLogin, clearAttempts } from '../storage/access/login-attempts.ts';
import type { StoredProfile, UserRow } from '../storage/users/user-row.ts';
import type { Tenant } from '../tenant/definition.ts';
import { checkDeviceFact } from './read-device.ts';
import { attemptLogin, waitingAs } from './user-passwords.ts';

/**
 * Companion: logs a user in by user name, mobile number or e-mail. The first login with a legacy hash replaces
 * it by one of the service's own scheme (decision 35). A wrong password, an unknown and a disabled user get the
 * same answer with the attempts left. Without attempts left the account is locked for a while, also for the right
 * password. Throws `deviceHeaderMissing`, `applicationUnknown`, `loginRefused`, `loginLocked`.
 */
export function logIn(app: FastifyInstance, context: ServiceContext): void {
  app.route({
    ...companions.logIn,
    async handler(request): Promise<LoginAnswer> {
      const headers = deviceHeaders(request);
      const key = await context.applications.tenantOf(headers.clientId);
      const tenant = key === undefined ? undefined : context.tenants.get(key);
      if (!tenant) throw apiError('applicationUnknown');
      const body = requireObject(request.body);
      const credentials = {
        login: readTextBody(body, 'user_name'),
        password: readTextBody(body, 'password'),
      };
      const { accounts, row: named } = await findLogin(context.database, tenant, credentials.login);
      const facts = { tenant: tenant.definition.tenant_id, application: headers.clientId };
      request.auditFacts = named ? { ...facts, user_id: named.user_id } : facts;
      const { row, answer } = await attemptLogin(context, tenant, accounts, async (attempt) => {
        for (;;) {
          const verified = await verify(context, tenant, { ...credentials, ...attempt }, request);
          const answer = await admit(context, tenant, verified, headers);
          if (answer) return { row: verified.row, answer };
        }
      });
      if (answer.status === 'PASSWORD_EXPIRED') {
        request.auditFacts = { ...request.auditFacts, code: answer.status };
        return answer;
      }
      const iat = Math.floor(context.now() / 1000);
      const { user_name } = JSON.parse(row.profile) as StoredProfile;
      const id_token = await context.idTokens.sign(tenant, {
        iss: context.issuer(),
        sub: row.user_id,
        aud: headers.clientId,
        iat,
        exp: iat + answer.expire,
        token_use: 'login',
        userName: user_name,
        api: JSON.stringify({ userName: user_name }),
      });
      return { ...answer, id_token };
    },
  });
}

/** A user whose password was verified, and its new stored form where the old one was outdated. */
interface Verified {
  row: UserRow;
  stored?: string;
}

interface Credentials {
  login: string;
  password: string;
  isPermitted: boolean;
  attemptsLeft: number;
}

async function verify(
  context: ServiceContext,
  tenant: Tenant,
  { login, password, isPermitted, attemptsLeft }: Credentials,
  request: FastifyRequest,
): Promise<Verified> {
  const { row: found } = await findLogin(context.database, tenant, login);
  // Who may not log in counts as unknown already here: the time of the answer must not show that the password is right.
  const row = found?.disabled === 1 || !isPermitted ? undefined : found;
  const waiting = waitingAs('logins', request);
  const { matches, outdated } = await context.passwords.compare(row?.password ?? null, password, waiting);
  if (!row || !matches) throw apiError('loginRefused', String(attemptsLeft));
  return outdated ? { row, stored: await context.passwords.hash(password, waiting) } : { row };
}

type Admitted =
  | { status: 'SUCCESS'; session_token: string; expire: number }
  | { status: 'PASSWORD_EXPIRED'; state_token: string };

/** `undefined` when the user was changed since the password was verified: it must be verified again. */
async function admit(
  { database, grants, now }: ServiceContext,
  tenant: Tenant,
  { row, stored }: Verified,
  { clientId, fingerprint }: Headers,
): Promise<Admitted | undefined> {
  const counts = row.pwd_must_modify === 0;
  const grant = { user_id: row.user_id, client_id: clientId, device_fingerprint: fingerprint };
  const { secret, lifetime, statement } = grants.make(tenant, counts ? 'session' : 'state', grant);
  const isAdmitted = await database.commit([
    admitLogin(tenant, row, { stored, counts }, now()),
    statement,
    clearAttempts(tenant, accountsOf(row)),
  ]);
  if (!isAdmitted) return undefined;
  return counts
    ? { status: 'SUCCESS', session_token: secret, expire: lifetime }
    : { status: 'PASSWORD_EXPIRED', state_token: secret };
}

const names = {
  clientId: 'X-client-id',
  fingerprint: 'X-device-fingerprint',
  system: 'X-operating-sys-version',
  agent: 'X-agent',
} as const;

type Headers = Record<keyof typeof names, string>;

function deviceHeaders(request: FastifyRequest): Headers {
  const entries = Object.entries(names).map(([name, header]) => {
    const value = request.headers[header.toLowerCase()];
    if (typeof value !== 'string' || value === '') throw apiError('deviceHeaderMissing', header);
    checkDeviceFact(header, value);
    return [name, value];
  });
  return Object.fromEntries(entries) as Headers;
}
