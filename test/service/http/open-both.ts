import type { AddressInfo } from 'node:net';
import { request as send } from 'undici';
import { onTestFinished } from 'vitest';
import type { Reply, Request } from '../../../src/contract/exchange.ts';
import { openService } from '../../../src/service/open-service.ts';
import { preparedKeyPair } from '../../prepared-keys.ts';
import { testPasswords } from '../../test-passwords.ts';
import { application } from '../../test-service.ts';
import { testDatabase } from '../storage/test-database.ts';

export const json = { 'content-type': 'application/json; charset=utf-8' };
export const form = { 'content-type': 'application/x-www-form-urlencoded' };
export const tokenBody = new URLSearchParams({ grant_type: 'client_credentials', ...application }).toString();
export const users = '/api/v2/tenant/users';

/** One service that is called in both ways. */
export async function openBoth() {
  const { app, answer, close } = await openService({
    database: await testDatabase(),
    application,
    makeKeyPair: preparedKeyPair,
    passwords: testPasswords,
  });
  onTestFinished(close);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  // The issuer of an id token is the host that was called.
  const host = `127.0.0.1:${port}`;
  const direct = (request: Request) =>
    new Promise<Reply>((done, fail) => {
      const answered = (reply?: Reply) => (reply ? done(reply) : fail(new Error('too long')));
      answer({ ...request, headers: { host, ...request.headers } }, answered, 2 ** 26);
    });
  async function overHttp({ method, path, headers, body }: Request): Promise<Reply> {
    const reply = await send(`http://${host}${path}`, { method, headers, body: body?.() ?? null });
    const text = await reply.body.text();
    return { status: reply.statusCode, headers: reply.headers, text, bytes: Buffer.byteLength(text) };
  }
  const token = await direct({
    method: 'POST',
    path: '/api/v2/tenant/token',
    headers: form,
    body: () => tokenBody,
  });
  const bearer = { ...json, authorization: `Bearer ${JSON.parse(token.text).access_token}` };
  return { answer, direct, overHttp, bearer, app };
}
