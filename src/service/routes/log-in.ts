import type { FastifyRequest } from 'fastify';
import { type LoginAnswer, loginHeaders } from '../../contract/wire.ts';
import type { ServiceContext } from '../context/context.ts';
import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { readTextField, requireObject } from '../http/body.ts';
import { accountsOf, findLogin } from '../storage/access/find-login.ts';
import { makeGrant } from '../storage/access/grants.ts';
import { clearAttempts, type LoginAttempt } from '../storage/access/login-attempts.ts';
import { admitLogin } from '../storage/users/set-password.ts';
import type { StoredProfile, UserRow } from '../storage/users/user-row.ts';
import type { Tenant } from '../tenant/definition.ts';
import { checkDeviceFact, withoutBlanks } from './read-device.ts';
import { attemptLogin, waitingAs } from './user-passwords.ts';

/**
 * Companion: logs a user in by user name, mobile number or e-mail address. The first login with a legacy hash replaces the hash by
 * one of the service's own scheme (decision 35). A wrong password, an unknown user and a disabled user get the same answer, with
 * the attempts left. With none left, the account is locked for a while, also for the right password. Throws `deviceHeaderMissing`,
 * `applicationUnknown`, `loginRefused` or `loginLocked`.
 */
export const logIn: ApiRoute<LoginAnswer> = async (context, request) => {
  const headers = deviceHeaders(request);
  const tenant = await context.applications.tenantOf(headers.clientId);
  if (!tenant) throw apiError('applicationUnknown');
  const body = requireObject(request.body);
  const login = readTextField(body, 'user_name');
  const password = readTextField(body, 'password');
  const { accounts, row: named } = await findLogin(context.database, tenant, login);
  const facts = { tenant: tenant.definition.tenant_id, application: headers.clientId };
  request.auditFacts = named ? { ...facts, user_id: named.user_id } : facts;
  const read = async () => (await findLogin(context.database, tenant, login)).row;
  const answer = await attemptLogin(context, tenant, accounts, read, async (attempt, found) => {
    for (let row = found; ; row = await read()) {
      const verified = await verify(context, row, { password, ...attempt }, request);
      const admitted = await admit(context, tenant, verified, headers);
      if (admitted) return admitted;
      if (!(await context.applications.tenantOf(headers.clientId))) throw apiError('applicationUnknown');
    }
  });
  if (answer.status === 'PASSWORD_EXPIRED')
    request.auditFacts = { ...request.auditFacts, code: answer.status };
  return answer;
};

/** Returns the user whose password was verified, and its new stored form if the old one was outdated. */
async function verify(
  { passwords }: ServiceContext,
  found: UserRow | undefined,
  { password, isPermitted, attemptsLeft }: LoginAttempt & { password: string },
  request: FastifyRequest,
) {
  // A user who may not log in counts as unknown here, so that the time of the answer does not reveal that the password is right.
  const row = found?.disabled === 1 || !isPermitted ? undefined : found;
  const waiting = waitingAs('logins', request);
  const { matches, outdated } = await passwords.compare(row?.password ?? null, password, waiting);
  if (!row || !matches) throw apiError('loginRefused', String(attemptsLeft));
  return { row, stored: outdated ? await passwords.hash(password, waiting) : undefined };
}

/**
 * Returns `undefined` if the application was revoked, or the user changed, since the password was verified, which must then be
 * verified again.
 */
async function admit(
  { applications, database, idTokens, now }: ServiceContext,
  tenant: Tenant,
  { row, stored }: Awaited<ReturnType<typeof verify>>,
  { clientId, fingerprint }: Headers,
): Promise<LoginAnswer | undefined> {
  const counts = row.pwd_must_modify === 0;
  const grant = { user_id: row.user_id, client_id: clientId, device_fingerprint: fingerprint };
  const { secret, lifetime, statement } = makeGrant(tenant, counts ? 'session' : 'state', grant, now());
  // Signed before the commit: if the key cannot be read, nothing is done, and the call may be repeated.
  const { user_name: userName } = JSON.parse(row.profile) as StoredProfile;
  const claims = { sub: row.user_id, aud: clientId, token_use: 'login', userName } as const;
  const id_token = counts ? await idTokens.sign(tenant, claims, lifetime) : undefined;
  const isAdmitted = await database.commit([
    admitLogin(tenant, row, { stored, counts }, now()),
    { ...statement, ...applications.unlessRevoked(clientId) },
    clearAttempts(tenant, accountsOf(row, tenant)),
  ]);
  if (!isAdmitted) return undefined;
  if (id_token === undefined) return { status: 'PASSWORD_EXPIRED', state_token: secret };
  return { status: 'SUCCESS', session_token: secret, expire: lifetime, id_token };
}

const isAscii = /^[ -~\t]*$/;

type Headers = Record<keyof typeof loginHeaders, string>;

function deviceHeaders(request: FastifyRequest): Headers {
  const entries = Object.entries(loginHeaders).map(([name, header]) => {
    const value = withoutBlanks(String(request.headers[header.toLowerCase()] ?? ''));
    if (value === '') throw apiError('deviceHeaderMissing', header);
    checkDeviceFact(header, value);
    // Bytes that mean one text in a header mean another in a body, so a ticket could never be exchanged.
    if (header === loginHeaders.fingerprint && !isAscii.test(value))
      throw apiError('requestInvalid', `${header} has characters that are not ASCII`);
    return [name, value];
  });
  return Object.fromEntries(entries) as Headers;
}
