import { expect, test } from 'vitest';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

const user = {
  user_name: 'Ann',
  name: '张三',
  mobile: '+86-15200000000',
  email: 'ann@example.com',
  pwd: 'qwe123!@#',
  pwd_must_modify: false,
};

/** A user with a session, and functions that get and use tickets. */
async function startWithSession(values: object = user) {
  let time = Date.UTC(2026, 0, 1);
  const service = await startTestService({ now: () => time });
  const { client } = service;
  const { user_id } = await client.createUser({
    ...values,
    user_name: 'Ann',
    pwd: user.pwd,
    pwd_must_modify: false,
  });
  const login = await client.logIn('Ann', user.pwd, device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  return {
    ...service,
    user_id,
    session,
    obtain: async () => (await client.issueSsoTicket(session, device)).sso_ticket,
    verify: (sso_ticket: string, more: object = {}) =>
      client.verifySsoTicket({ sso_ticket, ...device, ...more }),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test.each(['operating_sys_version', 'device_ip', 'device_fingerprint'])(
  'a value of %s that is too long is rejected',
  async (name) => {
    const { client } = await startTestService();
    const call = client.verifySsoTicket({ sso_ticket: 'x', ...device, [name]: 'f'.repeat(513) });
    await expect(call).rejects.toMatchObject(
      apiErrorOf('requestInvalid', `${name} has more than 512 characters`),
    );
  },
);

test('a session gives tickets, and each is exchanged for the basic list of §2.4', async () => {
  const { client, session, user_id, verify } = await startWithSession();
  const ticket = await client.issueSsoTicket(session, device);
  expect(ticket).toEqual({ expire: 300, sso_ticket: expect.stringMatching(/^ssoTicket-[A-Za-z0-9]{32}$/) });
  expect(await verify(ticket.sso_ticket)).toEqual({
    id: user_id,
    userName: 'Ann',
    name: '张三',
    mobile: '+86-15200000000',
    email: 'ann@example.com',
  });
});

test('attributes that the user does not have are left out', async () => {
  const { user_id, obtain, verify } = await startWithSession({});
  expect(await verify(await obtain())).toEqual({ id: user_id, userName: 'Ann' });
});

test('a ticket is valid once, also when 20 exchanges run in parallel', async () => {
  const { obtain, verify, client } = await startWithSession();
  const twenty = Array.from({ length: 20 });
  // Opens the connections first: only then the calls arrive at the same time.
  await Promise.all(twenty.map(() => client.listUsers({ offset: 0, limit: 10 })));
  for (const _round of [1, 2, 3, 4, 5]) {
    const ticket = await obtain();
    const outcomes = await Promise.allSettled(twenty.map(() => verify(ticket)));
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failures).toHaveLength(19);
    for (const failure of failures) expect(failure).toMatchObject(apiErrorOf('ticketInvalid'));
  }
});

test('several tickets of one session are valid at the same time', async () => {
  const { obtain, verify, user_id } = await startWithSession();
  const [first, second] = [await obtain(), await obtain()];
  expect(first).not.toBe(second);
  for (const ticket of [second, first]) expect(await verify(ticket)).toMatchObject({ id: user_id });
});

test('another device fingerprint uses the ticket up', async () => {
  const { obtain, verify } = await startWithSession();
  const ticket = await obtain();
  const other = { device_fingerprint: `${device.device_fingerprint}x` };
  await expect(verify(ticket, other)).rejects.toMatchObject(apiErrorOf('fingerprintDiffers'));
  await expect(verify(ticket)).rejects.toMatchObject(apiErrorOf('ticketInvalid'));
});

test('only the fingerprint must be the same; address, system and agent may differ', async () => {
  const { obtain, verify, user_id } = await startWithSession();
  const moved = { device_ip: '10.9.9.9', operating_sys_version: 'Windows 11', agent: 'Mozilla/5.0' };
  expect(await verify(await obtain(), moved)).toMatchObject({ id: user_id });
});

test('a ticket expires after 300 seconds, a session after 1800', async () => {
  const { client, session, obtain, verify, pass, user_id } = await startWithSession();
  const [first, second] = [await obtain(), await obtain()];
  pass(299_999);
  expect(await verify(first)).toMatchObject({ id: user_id });
  pass(1);
  await expect(verify(second)).rejects.toMatchObject(apiErrorOf('ticketInvalid'));
  pass(1_499_999);
  await client.issueSsoTicket(session, device);
  pass(1);
  await expect(client.issueSsoTicket(session, device)).rejects.toMatchObject(apiErrorOf('sessionInvalid'));
});

test('a user who was disabled in the meantime cannot use a ticket', async () => {
  const { client, obtain, verify, user_id } = await startWithSession();
  const [before, ticket] = [await obtain(), await obtain()];
  await verify(before);
  await client.disableUser(user_id);
  await expect(verify(ticket)).rejects.toMatchObject(apiErrorOf('ticketInvalid'));
});

test('garbage, a session and an access token are not accepted as tickets, nor a ticket as a session', async () => {
  const { client, session, obtain, verify } = await startWithSession();
  const { access_token } = await client.obtainToken();
  for (const ticket of ['x', 'ssoTicket-', `ssoTicket-${'a'.repeat(32)}`, session, access_token]) {
    await expect(verify(ticket)).rejects.toMatchObject(apiErrorOf('ticketInvalid'));
  }
  for (const token of ['x', access_token, await obtain()]) {
    await expect(client.issueSsoTicket(token, device)).rejects.toMatchObject(apiErrorOf('sessionInvalid'));
  }
});

test('another device cannot get a ticket from a session', async () => {
  const { client, session } = await startWithSession();
  const other = { ...device, device_fingerprint: 'other' };
  await expect(client.issueSsoTicket(session, other)).rejects.toMatchObject(apiErrorOf('fingerprintDiffers'));
});

const calls = [
  ['/api/v2/tenant/sso/sso-ticket/verify', 'sso_ticket'],
  ['/api/v2/tenant/sso/session-token/sso-ticket', 'session_token'],
] as const;

test.each(calls)(
  'if %s is missing, the error names it, and no ticket is used up',
  async (path, secretField) => {
    const { request, session, obtain } = await startWithSession();
    const secret = secretField === 'sso_ticket' ? await obtain() : session;
    const whole = { [secretField]: secret, ...device, agent: 'test' };
    for (const field of [secretField, 'operating_sys_version', 'device_ip', 'device_fingerprint']) {
      for (const empty of [undefined, '', null]) {
        const reply = await request('POST', path, { body: { ...whole, [field]: empty } });
        expect(reply).toMatchObject(errorReply('ssoFieldMissing', field));
      }
      const reply = await request('POST', path, { body: { ...whole, [field]: 5 } });
      expect(reply).toMatchObject(errorReply('requestInvalid', `${field} must be a text`));
    }
    expect(await request('POST', path, { body: {} })).toMatchObject(
      errorReply('ssoFieldMissing', secretField),
    );
    expect(await request('POST', path, { body: { ...whole, agent: 5 } })).toMatchObject(
      errorReply('requestInvalid', 'agent must be a text'),
    );
    const { agent: _, ...required } = whole;
    expect(await request('POST', path, { body: required })).toMatchObject({ status: 200 });
  },
);

/** What ends the sessions and the tickets of a user (decision 39). */
const ends: [
  what: string,
  end: (service: Awaited<ReturnType<typeof startWithSession>>) => Promise<unknown>,
][] = [
  [
    'a new password',
    ({ request, user_id }) =>
      request('PUT', `/api/v2/tenant/users/${user_id}/change-password`, {
        body: { password: 'Gf4-kupQx', must_modify: false },
      }),
  ],
  [
    'the demand for a new one',
    ({ request, user_id }) =>
      request('PUT', `/api/v2/tenant/users/${user_id}/change-password`, { body: { password: 'Gf4-kupQx' } }),
  ],
  ['disabling', ({ client, user_id }) => client.disableUser(user_id)],
];

test.each(ends)('%s ends the sessions and tickets of the user, and of no other user', async (_what, end) => {
  const service = await startWithSession();
  const { client, session, obtain, verify } = service;
  await client.createUser({ user_name: 'bob', pwd: user.pwd, pwd_must_modify: false });
  const other = await client.logIn('bob', user.pwd, device);
  const ticket = await obtain();
  await end(service);
  await expect(client.issueSsoTicket(session, device)).rejects.toMatchObject(apiErrorOf('sessionInvalid'));
  await expect(verify(ticket)).rejects.toMatchObject(apiErrorOf('ticketInvalid'));
  const session_token = other.status === 'SUCCESS' ? other.session_token : '';
  expect(await client.issueSsoTicket(session_token, device)).toMatchObject({ expire: 300 });
});

test('when users change their own password, their earlier sessions end', async () => {
  const { client, request, user_id } = await startWithSession();
  const path = `/api/v2/tenant/users/${user_id}/change-password`;
  await request('PUT', path, { body: { password: 'Gf4-kupQx' } });
  const states = [
    await client.logIn('Ann', 'Gf4-kupQx', device),
    await client.logIn('Ann', 'Gf4-kupQx', device),
  ];
  const [one, other] = states.map((login) => (login.status === 'PASSWORD_EXPIRED' ? login.state_token : ''));
  const update = (state = '') =>
    request<{ session_token: string }>('POST', '/api/v2/sdk/pwd/update', {
      token: null,
      headers: { 'x-state-token': state },
      body: { old_password: 'Gf4-kupQx', new_password: 'Hq7-wpZmd' },
    });
  const { status, body } = await update(one);
  expect(status).toBe(200);
  expect(await update(other)).toMatchObject(errorReply('stateInvalid'));
  expect(await client.issueSsoTicket(body.session_token, device)).toMatchObject({ expire: 300 });
});
