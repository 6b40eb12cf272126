import { expect, test } from 'vitest';
import { application, device, startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { json, openBoth } from '../http/open-both.ts';

test('blanks at the ends of a fingerprint do not count, because a header loses them', async () => {
  const { client } = await startTestService();
  await client.createUser({ user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify: false });
  const padded = { ...device, device_fingerprint: ' f\t' };
  const login = await client.logIn('ann', 'qwe123!@#', padded);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  const { sso_ticket } = await client.issueSsoTicket(session, padded);
  const verified = client.verifySsoTicket({ ...device, sso_ticket, device_fingerprint: 'f ' });
  expect(await verified).toMatchObject({ userName: 'ann' });
});

test('a fingerprint that is another text in a header than in a body is refused at login', async () => {
  const { direct, overHttp } = await openBoth();
  const headers = {
    'x-client-id': application.client_id,
    'x-device-fingerprint': 'ger\u00e4t',
    'x-operating-sys-version': 'any',
    'x-agent': 'any',
  };
  const login = {
    method: 'POST',
    path: '/api/v2/sdk/login',
    headers: { ...json, ...headers },
    body: () => '{}',
  };
  const reason = 'X-device-fingerprint has characters that are not ASCII';
  for (const { status, text } of [await direct(login), await overHttp(login)])
    expect({ status, body: JSON.parse(text) }).toEqual(errorReply('requestInvalid', reason));
});

// To begin again at each blank would take hours.
test('blanks within a fact about a device are read once', async () => {
  const { direct } = await openBoth();
  const long = `f${' '.repeat(1_000_000)}f`;
  const headers = { ...json, 'x-client-id': long };
  const { status, text } = await direct({
    method: 'POST',
    path: '/api/v2/sdk/login',
    headers,
    body: () => '{}',
  });
  expect({ status, body: JSON.parse(text) }).toEqual(
    errorReply('requestInvalid', 'X-client-id has more than 512 characters'),
  );
});
