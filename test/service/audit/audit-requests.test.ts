import { once } from 'node:events';
import { readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditEvent } from '../../../src/contract/audit-line.ts';
import { openPasswords } from '../../../src/service/passwords/passwords.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { application, device, startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { openRaw } from '../http/raw-connection.ts';

const users = '/api/v2/tenant/users';
const pwd = 'lanteD-77-word';
const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const who = { tenant: 'default', application: application.client_id };

/** Comparisons of hashes that take no time: hashing is not tested here. */
const passwords = openPasswords({
  hash: async (password) => `$argon2id$${password}`,
  verify: async (stored, password) => stored === `$argon2id$${password}`,
});

async function startAudited() {
  const file = join(await temporaryDirectory(), 'audit.jsonl');
  const service = await startTestService({
    audit: { file },
    passwords,
    tenants: [{ ...defaultTenant, login: { max_attempts: 2, lock_seconds: 60 } }],
  });
  const text = () => readFileSync(file, 'utf8');
  const lines = () =>
    text()
      .split('\n')
      .slice(0, -1)
      .map((one) => JSON.parse(one) as AuditEvent & { time: string });
  /** The lines that were added meanwhile, without the fields that every line has. */
  const during = async (work: Promise<unknown>) => {
    const before = lines().length;
    await work.catch(() => undefined);
    return lines()
      .slice(before)
      .map(({ time: _, address: __, request_id: ___, ...rest }) => rest);
  };
  return { ...service, file, text, lines, during };
}

test('each login, token, ticket and change leaves a line: who did what to whom, and with which outcome', async () => {
  const { client, request, during, lines, text, reports } = await startAudited();
  expect(lines().map(({ event }) => event)).toEqual(['applyTenant', 'startService']);
  expect(await during(client.obtainToken())).toEqual([{ event: 'obtainToken', outcome: 'done', ...who }]);
  const ann = { user_name: 'planted-one', email: 'planted@example.com', pwd, pwd_must_modify: true };
  const [created] = await during(client.createUser(ann));
  const user_id = created?.user_id ?? '';
  expect(created).toEqual({
    event: 'createUser',
    outcome: 'done',
    ...who,
    user_id: expect.stringMatching(/^\d{17}-/),
  });
  const person = { ...who, user_id };
  const imported = {
    user_name: 'planted-two',
    'hash-pwd': { algorithm: 'md5' as const, value: md5 },
    pwd_must_modify: false,
  };
  expect(await during(client.importHashedUser(imported))).toEqual([
    { event: 'importHashedUser', outcome: 'done', ...who, user_id: expect.stringMatching(/^\d{17}-/) },
  ]);
  expect(await during(client.createUser(ann))).toEqual([
    { event: 'createUser', outcome: 'refused', code: 'SVC.TENANT.USER.0034', ...who },
  ]);
  expect(await during(client.updateUser(user_id, { name: 'Planted', attr_gender: 'female' }))).toEqual([
    { event: 'updateUser', outcome: 'done', ...person, attributes: ['name', 'attr_gender'] },
  ]);

  const attempt = (name: string, password: string) => client.logIn(name, password, device);
  expect(await during(attempt('planted-one', 'Planted-wrong'))).toEqual([
    { event: 'logIn', outcome: 'refused', code: 'SDK.LOGIN.1005', ...person },
  ]);
  expect(await during(attempt('Planted-nobody', pwd))).toEqual([
    { event: 'logIn', outcome: 'refused', code: 'SDK.LOGIN.1005', ...who },
  ]);
  expect(await during(attempt('planted-one', pwd))).toEqual([
    { event: 'logIn', outcome: 'done', code: 'PASSWORD_EXPIRED', ...person },
  ]);
  const { body: expired } = await request<{ state_token: string }>('POST', '/api/v2/sdk/login', {
    token: null,
    body: { user_name: 'planted-one', password: pwd },
    headers: {
      'x-client-id': application.client_id,
      'x-device-fingerprint': device.device_fingerprint,
      'x-operating-sys-version': '1',
      'x-agent': 'a',
    },
  });
  const update = request<{ session_token: string }>('POST', '/api/v2/sdk/pwd/update', {
    token: null,
    body: { old_password: pwd, new_password: `${pwd}x` },
    headers: { 'x-state-token': expired.state_token },
  });
  expect(await during(update)).toEqual([
    { event: 'updatePassword', outcome: 'done', tenant: 'default', user_id },
  ]);
  const { session_token } = (await update).body;
  const ticket = client.issueSsoTicket(session_token, device);
  expect(await during(ticket)).toEqual([{ event: 'issueSsoTicket', outcome: 'done', ...person }]);
  const { sso_ticket } = await ticket;
  const exchange = () => client.verifySsoTicket({ sso_ticket, ...device });
  expect(await during(exchange())).toEqual([{ event: 'verifySsoTicket', outcome: 'done', ...person }]);
  expect(await during(exchange())).toEqual([
    { event: 'verifySsoTicket', outcome: 'refused', code: 'SVC.TENANT.SSO.0001', ...who },
  ]);
  expect(
    await during(request('PUT', `${users}/${user_id}/change-password`, { body: { password: `${pwd}y` } })),
  ).toEqual([{ event: 'changePassword', outcome: 'done', ...person }]);
  expect(await during(client.disableUser(user_id))).toEqual([
    { event: 'disableUser', outcome: 'done', ...person },
  ]);
  expect(await during(client.disableUser('Planted-id'))).toEqual([
    { event: 'disableUser', outcome: 'refused', code: 'SVC.TENANT.USER.0001', ...who },
  ]);
  for (let guess = 0; guess < 2; guess += 1) await during(attempt('Planted-nobody', 'Planted-wrong'));
  expect(await during(attempt('Planted-nobody', 'Planted-wrong'))).toEqual([
    { event: 'logIn', outcome: 'locked', code: 'SDK.LOGIN.1003', ...who },
  ]);
  const asks = (query: string) =>
    request('POST', `/api/v2/tenant/token?grant_type=client_credentials&${query}`, { token: null });
  expect(await during(asks(`client_id=${application.client_id}&client_secret=Planted-secret`))).toEqual([
    { event: 'obtainToken', outcome: 'refused', code: 'invalid_client', ...who },
  ]);
  expect(await during(asks('client_id=Planted-secret&client_secret=x'))).toEqual([
    { event: 'obtainToken', outcome: 'refused', code: 'invalid_client' },
  ]);
  expect(await during(request('PUT', `${users}/${user_id}/disable`, { token: '1.Planted' }))).toEqual([
    { event: 'disableUser', outcome: 'refused', code: 'invalid_token', user_id },
  ]);
  expect(await during(client.getUser(user_id))).toEqual([]);

  const { address, request_id, time } = lines().at(-1) ?? {};
  expect({ address, request_id, time }).toEqual({
    address: '127.0.0.1',
    request_id: expect.stringMatching(/^[0-9a-f]{12}-/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
  });
  const secrets = [
    'lanted',
    'lanteD',
    md5,
    session_token,
    sso_ticket,
    expired.state_token,
    application.client_secret,
  ];
  expect(secrets.filter((secret) => text().includes(secret))).toEqual([]);
  expect(reports).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'while the log cannot be written, nothing that would leave a line is done, but look-ups work',
  async () => {
    const { client, request, file, lines, reports } = await startAudited();
    const { access_token: token } = await client.obtainToken();
    unlinkSync(file);
    symlinkSync('/dev/full', file);
    const create = (user_name: string) => request('POST', users, { token, body: { user_name } });
    expect(await create('ann')).toMatchObject({ status: 200 });
    expect(reports.splice(0)).toMatchObject([{ name: 'AuditError', code: 'ENOSPC' }]);
    expect(await create('bob')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const list = `${users}?offset=0&limit=10`;
    expect(await request('GET', list, { token })).toMatchObject({ status: 200, body: { total: 1 } });
    expect(await request('GET', '/readyz', { token: null })).toMatchObject({
      status: 503,
      body: { status: 'audit log cannot be written' },
    });
    unlinkSync(file);
    expect(await create('cid')).toMatchObject({ status: 200 });
    expect(lines().map(({ event }) => event)).toEqual(['createUser', 'createUser']);
  },
);

test('a caller who hangs up before the answer leaves a line, too, because the attempt was counted', async () => {
  const { client, baseUrl, lines } = await startAudited();
  await client.createUser({ user_name: 'ann' });
  const body = '{"user_name":"ann","password":"wrong"}';
  const { socket } = openRaw(baseUrl);
  socket.write(
    `POST /api/v2/sdk/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-client-id: ${application.client_id}\r\nX-device-fingerprint: f\r\nX-operating-sys-version: 1\r\nX-agent: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.end();
  socket.destroySoon();
  await expect
    .poll(() => lines().at(-1))
    .toMatchObject({ event: 'logIn', outcome: expect.stringMatching(/refused|failed/) });
});

test('a caller who is rejected before any credentials are checked leaves no line', async () => {
  const file = join(await temporaryDirectory(), 'audit.jsonl');
  const { request } = await startTestService({ audit: { file }, addressLimit: 1, now: () => 0 });
  const disable = () => request('PUT', `${users}/nobody/disable`, { token: '1.unknown' });
  const statuses: number[] = [];
  for (let call = 0; call < 12; call += 1) statuses.push((await disable()).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  const refused = readFileSync(file, 'utf8')
    .split('\n')
    .filter((one) => one.includes('invalid_token'));
  expect(refused).toHaveLength(10);
});

test('a caller who resets the connection after sending a change leaves an address in the log, or changes nothing', async () => {
  const { baseUrl, client, lines } = await startAudited();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const { access_token } = await client.obtainToken();
  const body = '{"name":"Ann"}';
  const head = `PUT ${users}/${user_id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${access_token}\r\n`;
  const change = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  // Most connections are reset before the service accepts them, the last one after an answer.
  for (let count = 0; count < 20; count += 1) {
    const { socket, ended } = openRaw(baseUrl);
    socket.write(change, () => socket.resetAndDestroy());
    await ended;
  }
  const { socket, ended } = openRaw(baseUrl);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write(change, () => socket.resetAndDestroy());
  await ended;
  const changes = () => lines().filter(({ event }) => event === 'updateUser');
  await expect.poll(() => changes().length).toBeGreaterThan(0);
  expect(changes().filter(({ address }) => address !== '127.0.0.1')).toEqual([]);
});

test('a start whose port is in use is recorded as failed, with the definition that it applied', async () => {
  const { baseUrl } = await startTestService();
  const file = join(await temporaryDirectory(), 'audit.jsonl');
  const port = Number(new URL(baseUrl).port);
  const start = startTestService({ audit: { file }, tenants: [defaultTenant], port });
  await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((one) => JSON.parse(one))).toMatchObject([
    { event: 'applyTenant', outcome: 'done', tenant: 'default' },
    { event: 'startService', outcome: 'failed' },
  ]);
});
