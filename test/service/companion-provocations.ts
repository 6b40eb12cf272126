import type { ErrorName, LocalErrorName } from '../../src/contract/errors.ts';
import type { CompanionName } from '../../src/contract/operations.ts';
import { application, device, type TestService } from '../test-service.ts';
import type { Provocation } from './provocations.ts';

const pwd = 'qwe123!@#';
const ann = { user_name: 'annabel', pwd, pwd_must_modify: false };

const deviceHeaders = {
  'x-client-id': application.client_id,
  'x-device-fingerprint': device.device_fingerprint,
  'x-operating-sys-version': device.operating_sys_version,
  'x-agent': 'test',
};

/** A login by a user name and a password, with other headers if given. */
function login(password: string, headers: Partial<typeof deviceHeaders> = {}): Provocation {
  return async ({ client, tenants, request }) => {
    await client.createUser(ann).catch(() => undefined);
    const sent = { ...deviceHeaders, 'x-client-id': tenants[0]?.client_id ?? '', ...headers };
    const body = { user_name: ann.user_name, password };
    return request('POST', '/api/v2/sdk/login', { token: null, headers: sent, body });
  };
}

/** A new password for a user who must change theirs: with the state token of a login, or another one. */
function update(new_password: string, more: { user_name?: string; old?: string; state?: string } = {}) {
  return async ({ client, request }: TestService) => {
    const { user_name = ann.user_name, old = pwd, state } = more;
    await client.createUser({ user_name, pwd });
    const answer = await client.logIn(user_name, pwd, device);
    const token = answer.status === 'PASSWORD_EXPIRED' ? answer.state_token : '';
    const send = () =>
      request('POST', '/api/v2/sdk/pwd/update', {
        token: null,
        headers: { 'x-state-token': state ?? token },
        body: { old_password: old, new_password },
      });
    return send;
  };
}

/** Calls once. */
const once =
  (prepare: (service: TestService) => Promise<() => ReturnType<Provocation>>): Provocation =>
  async (service) =>
    (await prepare(service))();

/** Calls again after as many failures as the default tenant allows. */
const afterFive =
  (prepare: (service: TestService) => Promise<() => ReturnType<Provocation>>): Provocation =>
  async (service) => {
    const call = await prepare(service);
    for (let attempt = 0; attempt < 5; attempt += 1) await call();
    return call();
  };

/** The calls by which a user gets a new password, which is refused. */
function newPassword(
  password: string,
  user_name = ann.user_name,
): { updatePassword: Provocation; changePassword: Provocation } {
  return {
    updatePassword: once(update(password, { user_name })),
    async changePassword({ client, request }) {
      const { user_id } = await client.createUser({ user_name, pwd });
      return request('PUT', `/api/v2/tenant/users/${user_id}/change-password`, { body: { password } });
    },
  };
}

/** A ticket for a session, or for the given session token. */
function ticket(values: object, given?: string): Provocation {
  return async ({ client, request }) => {
    await client.createUser(ann);
    const answer = await client.logIn(ann.user_name, pwd, device);
    const session_token = given ?? (answer.status === 'SUCCESS' ? answer.session_token : '');
    const body = { session_token, ...device, ...values };
    return request('POST', '/api/v2/tenant/sso/session-token/sso-ticket', { body });
  };
}

/** The API errors of the companions. */
export const companionProvocations: Partial<
  Record<ErrorName | LocalErrorName, Partial<Record<CompanionName, Provocation>>>
> = {
  userNotFound: {
    changePassword: ({ request }) =>
      request('PUT', '/api/v2/tenant/users/nobody/change-password', {
        body: { password: 'New-pass-2026' },
      }),
  },
  passwordEmpty: newPassword(''),
  passwordUsedBefore: newPassword(pwd),
  passwordReversedUserName: newPassword('Ann-secret-7', '7-terces-nnA'),
  passwordContainsUser: newPassword('xAnnabel-26'),
  passwordComplexity: newPassword('onlysmallletters'),
  passwordWeak: newPassword('P@ssw0rd'),
  passwordRepeats: newPassword('Aaaaaaa-bcd-1'),
  passwordLength: newPassword('Ab1!'),
  stateInvalid: { updatePassword: once(update('New-pass-2026', { state: 'unknown' })) },
  deviceHeaderMissing: { logIn: login(pwd, { 'x-agent': '' }) },
  applicationUnknown: { logIn: login(pwd, { 'x-client-id': 'unknown' }) },
  loginRefused: { logIn: login('wrong'), updatePassword: once(update('New-pass-2026', { old: 'wrong' })) },
  loginLocked: {
    logIn: afterFive(async (service) => () => login('wrong')(service)),
    updatePassword: afterFive(update('New-pass-2026', { old: 'wrong' })),
  },
  fingerprintDiffers: { issueSsoTicket: ticket({ device_fingerprint: 'another' }) },
  ssoFieldMissing: { issueSsoTicket: ticket({ device_fingerprint: undefined }) },
  sessionInvalid: { issueSsoTicket: ticket({}, 'unknown') },
};
