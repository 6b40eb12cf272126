import { expect, test } from 'vitest';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

const path = '/api/v2/sdk/pwd/update';
const old_password = 'qwe123!@#';
const new_password = 'New-pass-2026';

/** A user whose password must change, and the state token that the login returned. */
async function startExpired() {
  let time = Date.UTC(2026, 0, 1);
  const service = await startTestService({ now: () => time });
  const { user_id } = await service.client.createUser({ user_name: 'ann', pwd: old_password });
  const obtainState = async () => {
    const answer = await service.client.logIn('ann', old_password, device);
    return answer.status === 'PASSWORD_EXPIRED' ? answer.state_token : '';
  };
  const state = await obtainState();
  return {
    ...service,
    user_id,
    state,
    obtainState,
    update: (token: string, body: object) =>
      service.request<{ session_token: string }>('POST', path, {
        token: null,
        headers: { 'x-state-token': token },
        body,
      }),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test('a user whose password must change gets a state token instead of a session', async () => {
  const { client, user_id } = await startExpired();
  const answer = await client.logIn('ann', old_password, device);
  expect(answer).toEqual({ status: 'PASSWORD_EXPIRED', state_token: expect.stringMatching(/^\S{20,}$/) });
  const user = await client.getUser(user_id);
  expect(user).toMatchObject({ usr_auth_times: '0' });
  expect(user).not.toHaveProperty('usr_last_login');
});

test('the new password opens a session immediately and at every login from then on', async () => {
  const { client, update, state, user_id, pass } = await startExpired();
  pass(60_000);
  const { status, body } = await update(state, { old_password, new_password });
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: 'SUCCESS', session_token: expect.any(String), expire: 1800 },
  });
  expect(await client.issueSsoTicket(body.session_token, device)).toMatchObject({ expire: 300 });
  expect(await client.getUser(user_id)).toMatchObject({
    usr_auth_times: '1',
    pwd_change_at: '2026-01-01 00:01:00',
    usr_last_login: '2026-01-01 00:01:00',
  });
  expect(await client.logIn('ann', new_password, device)).toMatchObject({ status: 'SUCCESS' });
  await expect(client.logIn('ann', old_password, device)).rejects.toMatchObject(
    apiErrorOf('loginRefused', '4'),
  );
});

test('a user imported with a hash changes the password in the same way', async () => {
  const { client, request } = await startTestService();
  const hash = { algorithm: 'md5', value: 'E10ADC3949BA59ABBE56E057F20F883E' } as const;
  await client.importHashedUser({ user_name: 'bob', 'hash-pwd': hash });
  const answer = await client.logIn('bob', '123456', device);
  const state = answer.status === 'PASSWORD_EXPIRED' ? answer.state_token : '';
  const headers = { 'x-state-token': state };
  const body = { old_password: '123456', new_password };
  expect(await request('POST', path, { token: null, headers, body })).toMatchObject({ status: 200 });
  expect(await client.logIn('bob', new_password, device)).toMatchObject({ status: 'SUCCESS' });
});

test('a change uses the state token up, also when many changes run in parallel', async () => {
  const { update, state } = await startExpired();
  const changes = Array.from({ length: 10 }, (_, number) =>
    update(state, { old_password, new_password: `${new_password}-${number}` }),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(await update(state, { old_password, new_password })).toMatchObject(errorReply('stateInvalid'));
});

test('a wrong old password does not use the state token up', async () => {
  const { update, state } = await startExpired();
  for (const [index, wrong] of ['wrong', '', undefined].entries()) {
    const reply = await update(state, { old_password: wrong, new_password });
    expect(reply).toMatchObject(errorReply('loginRefused', String(4 - index)));
  }
  expect(await update(state, { old_password, new_password })).toMatchObject({ status: 200 });
});

test.each(['', undefined, null])('the new password %j counts as empty', async (empty) => {
  const { update, state } = await startExpired();
  expect(await update(state, { old_password, new_password: empty })).toMatchObject(
    errorReply('passwordEmpty'),
  );
});

test('a state token that is missing, garbage, a session or expired is rejected', async () => {
  const { client, update, state, obtainState, pass } = await startExpired();
  await client.createUser({ user_name: 'bob', pwd: old_password, pwd_must_modify: false });
  const session = await client.logIn('bob', old_password, device);
  const { session_token } = session.status === 'SUCCESS' ? session : { session_token: '' };
  const { access_token } = await client.obtainToken();
  for (const token of ['', 'garbage', session_token, access_token, `9${state}`]) {
    expect(await update(token, { old_password, new_password })).toMatchObject(errorReply('stateInvalid'));
  }
  pass(1_800_000);
  expect(await update(state, { old_password, new_password })).toMatchObject(errorReply('stateInvalid'));
  expect(await update(await obtainState(), { old_password, new_password })).toMatchObject({ status: 200 });
});

test('a user who was disabled in the meantime cannot change the password', async () => {
  const { client, update, state, user_id } = await startExpired();
  await client.disableUser(user_id);
  expect(await update(state, { old_password, new_password })).toMatchObject(errorReply('stateInvalid'));
});
