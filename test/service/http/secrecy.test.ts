import { expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { application, device, startTestService } from '../../test-service.ts';
import { define, temporaryDatabase } from '../storage/temporary-database.ts';
import { collectLog } from './collect-log.ts';
import { openRaw } from './raw-connection.ts';

const users = '/api/v2/tenant/users';
const password = 'Planted-pass-2026';
const hash = known.vectors[0]?.hmacsha256_base64_key ?? '';

test('no planted secret is in logs, metrics, errors or the description of the API', async () => {
  const database = await temporaryDatabase();
  const log = collectLog();
  let audit = '';
  const service = await startTestService({
    database,
    docs: true,
    metrics: { port: 0 },
    log: log.log,
    audit: { to: { write: (text) => (audit += text) } },
  });
  const { client, request, reports } = service;
  const replies: string[] = [];
  const record = (reply: object) => void replies.push(JSON.stringify(reply));

  const { access_token: token } = await client.obtainToken();
  const { user_id } = await client.createUser({ user_name: 'ann', pwd: password, pwd_must_modify: false });
  const session = await client.logIn('ann', password, device);
  const session_token = session.status === 'SUCCESS' ? session.session_token : '';
  const { sso_ticket } = await client.issueSsoTicket(session_token, device);
  await client.verifySsoTicket({ sso_ticket, ...device });
  const secrets = [application.client_secret, password, hash, known.key, token, session_token, sso_ticket];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);

  // Secrets where they belong, where they do not belong, and in requests that are rejected.
  const imported = { 'hash-pwd': { algorithm: 'hmacsha256_base64_key', value: hash, key: known.key } };
  for (const secret of secrets) {
    const text = encodeURIComponent(secret);
    record(await request('GET', `${users}/${text}?pwd=${text}`, { token }));
    record(await request('GET', `/nowhere/${text}?pwd=${text}`, { token }));
    record(await request('GET', users, { token: secret === token ? `${secret}x` : secret }));
    record(await request('POST', users, { token, body: `{"pwd":"${secret}"` }));
    record(await request('POST', `${users}/user-by-email`, { token, body: { email: secret } }));
    record(
      await request('POST', `/api/v2/tenant/token?client_id=${text}&client_secret=${text}`, { token: null }),
    );
    const raw = openRaw(service.baseUrl);
    raw.socket.write(`GARBAGE ${secret}\r\n\r\n`);
    replies.push(await raw.ended);
  }
  record(
    await request('POST', '/api/v2/tenant/sso/sso-ticket/verify', { token, body: { sso_ticket, ...device } }),
  );

  // Makes the service itself fail while it handles the secrets.
  await define(database, 'DROP TABLE users');
  record(await request('POST', users, { token, body: { user_name: 'bob', pwd: password } }));
  record(
    await request('POST', `${users}/import-hash-pwd`, { token, body: { user_name: 'bob', ...imported } }),
  );
  record(await request('GET', `${users}/${user_id}`, { token }));
  expect(reports.splice(0)).toHaveLength(3);

  replies.push(await service.readMetrics());
  const pages = ['/openapi.json', '/docs', '/healthz', '/readyz'];
  for (const path of pages) record(await request('GET', path, { token: null }));
  await expect.poll(() => log.text()).toContain('/readyz');
  const faults = log.lines().filter(({ level }) => level === 'error');
  expect(faults).toHaveLength(3);
  expect(faults[0]).toMatchObject({
    request_id: expect.any(String),
    fault: { name: expect.any(String), message: expect.stringContaining('users'), stack: expect.any(Array) },
  });
  expect(audit).toContain('"event":"verifySsoTicket"');
  const everything = `${replies.join('\n')}\n${log.text()}\n${audit}`;
  expect(everything).toMatch(/no such table|does not exist/);
  const found = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  expect(found.filter((secret) => everything.includes(secret))).toEqual([]);
});
