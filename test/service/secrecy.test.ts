import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import known from '../../fixtures/hash-vectors.json' with { type: 'json' };
import { application, device, startTestService, type TestService } from '../test-service.ts';
import { errorReply } from './api-errors.ts';
import { contentOf } from './storage/content-of.ts';
import { define, temporaryDatabase } from './storage/temporary-database.ts';
import { lastingDatabase } from './storage/test-database.ts';

const [vector] = known.vectors;
const md5 = vector?.md5 ?? '';
const hmac = vector?.hmacsha256_base64_key ?? '';
const password = 'Own-pass-2026';
const next = 'Next-pass-2026';
const users = '/api/v2/tenant/users';

/** Secrets that no reply may repeat. */
const given = [password, next, 'P@ssw0rd123', md5, hmac, known.key, application.client_secret, '$argon2'];

/** Calls every operation that concerns a user; returns the answers, and the secrets that some of them returned. */
async function walkThrough({ client, request }: TestService) {
  const answers: unknown[] = [];
  const keep = <Answer>(answer: Answer): Answer => {
    answers.push(answer);
    return answer;
  };
  const own = keep(
    await request<{ user_id: string }>('POST', users, {
      body: { user_name: 'plain', pwd: password },
    }),
  );
  const hashes = [
    { algorithm: 'md5', value: md5 },
    { algorithm: 'hmacsha256_base64_key', value: hmac, key: known.key },
  ];
  for (const [number, hash] of hashes.entries()) {
    const body = { user_name: `legacy-${number}`, pwd_must_modify: false, 'hash-pwd': hash };
    keep(await request('POST', `${users}/import-hash-pwd`, { body }));
    keep(await request('POST', `${users}/import-hash-pwd`, { body }));
  }
  keep(await request('POST', users, { body: { user_name: 'plain', pwd: password } }));
  keep(await request('POST', users, { body: `{"pwd":"${password}"` }));
  keep(await client.listUsers({ offset: 0, limit: 10 }));
  const state = await client.logIn('plain', password, device);
  const session = await client.logIn('legacy-0', 'P@ssw0rd123', device);
  keep(await request('PUT', `${users}/${own.body.user_id}/change-password`, { body: { password: next } }));
  const session_token = session.status === 'SUCCESS' ? session.session_token : '';
  const spent = await client.issueSsoTicket(session_token, device);
  keep(await client.verifySsoTicket({ sso_ticket: spent.sso_ticket, ...device }));
  const ticket = await client.issueSsoTicket(session_token, device);
  keep(await client.listUsers({ offset: 0, limit: 10 }));
  keep(await client.getUser(own.body.user_id));
  const { access_token } = await client.obtainToken();
  const state_token = state.status === 'PASSWORD_EXPIRED' ? state.state_token : '';
  return {
    answers,
    secrets: [access_token, session_token, state_token, spent.sso_ticket, ticket.sso_ticket],
  };
}

test('no reply repeats a password, a hash, an HMAC key or a token', async () => {
  const { answers, secrets } = await walkThrough(await startTestService());
  const text = JSON.stringify(answers);
  expect(text).toContain('legacy-1');
  expect(new Set(secrets).size).toBe(5);
  expect([...given, ...secrets].filter((secret) => secret === '' || text.includes(secret))).toEqual([]);
});

test('the database contains no token, ticket, password or application secret in clear', async () => {
  const database = await lastingDatabase();
  const service = await startTestService({ database });
  const { secrets } = await walkThrough(service);
  const bytes = await contentOf(database);
  expect(bytes.includes('legacy-1')).toBe(true);
  const clear = [...secrets, password, next, 'P@ssw0rd123', application.client_secret];
  // Some secrets begin with the number of their tenant; the rest alone must not be there either.
  const forms = clear.flatMap((secret) => [secret, secret.replace(/^(1\.|ssoTicket-)/, '')]);
  expect(forms.filter((form) => form === '' || bytes.includes(form))).toEqual([]);
});

test('a failure of the service is answered without its cause, and reported without the secrets that it concerned', async () => {
  const database = await temporaryDatabase();
  const { request, reports, client } = await startTestService({ database });
  const { access_token } = await client.obtainToken();
  await define(database, 'DROP TABLE users');

  const hash = { algorithm: 'hmacsha256_base64_key', value: hmac, key: known.key };
  const replies = [
    await request('POST', users, { body: { user_name: 'plain', pwd: password } }),
    await request('POST', `${users}/import-hash-pwd`, { body: { user_name: 'plain', 'hash-pwd': hash } }),
    await request('GET', `${users}?offset=0&limit=10`),
  ];
  for (const { status, body } of replies) expect({ status, body }).toEqual(errorReply('systemBusy'));
  expect(reports).toHaveLength(3);
  const text = inspect(reports.splice(0), { depth: Number.POSITIVE_INFINITY, showHidden: true });
  expect(text).toMatch(/no such table: users|relation "users" does not exist/);
  expect([...given, access_token].filter((secret) => text.includes(secret))).toEqual([]);
});
