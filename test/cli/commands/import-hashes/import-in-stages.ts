import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { companions } from '../../../../src/contract/operations.ts';
import { application } from '../../../test-service.ts';
import { type TestWorld, unlessGiven } from '../../../world.ts';

const md5 = (secret: string) => createHash('md5').update(secret).digest('hex');

/** Rows of users 1 to 40; the canaries are in rows 30 and 35. */
export const rows = Array.from({ length: 40 }, (_, at) => rowOf(at + 1));

function rowOf(number: number): string {
  return `user${number},user${number}@example.com,${md5(`Old secret ${number}`)}`;
}

interface Circumstances {
  args?: readonly string[];
  baseUrl?: string;
  signal?: AbortSignal;
  canaries?: readonly string[];
}

/** Imports these lines with `--ramp`, by default with two canaries of `rows`. */
export async function importing(
  world: TestWorld,
  lines: readonly string[],
  ramp: string,
  given: Circumstances = {},
) {
  const { args = [], baseUrl = world.baseUrl, signal } = given;
  const { canaries = ['user30,Old secret 30', 'user35,Old secret 35'] } = given;
  const [file, known, job] = ['legacy.csv', 'known.csv', 'job'].map((name) => join(world.directory, name));
  await writeFile(file ?? '', `user_name,email,hash\n${lines.join('\n')}\n`);
  await writeFile(known ?? '', `${canaries.join('\n')}\n`);
  const how = [
    ...unlessGiven(args, '--canary', known ?? ''),
    '--algorithm',
    'md5',
    '--set',
    'pwd_must_modify=false',
  ];
  const { client_id, client_secret } = application;
  const env = { TENANT_USERS_CLIENT_ID: client_id, TENANT_USERS_CLIENT_SECRET: client_secret };
  const ended = await world.runWith(
    { env: { ...env, TENANT_USERS_BASE_URL: baseUrl }, ...(signal ? { signal } : {}) },
    ...[
      'import-hashes',
      file ?? '',
      ...unlessGiven(args, '--job', job ?? ''),
      '--ramp',
      ramp,
      ...how,
      ...args,
    ],
  );
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  return { ...ended, job: job ?? '', names: users.map(({ user_name: name }) => name) };
}

/** What the login of a tenant does: it is not there, is barred by a gateway, refuses the application, wants more, or gets a wrong or the right password. */
export type Logins = 'unknown' | 'barred' | 'refused' | 'unfinished' | 'wrong' | 'right';

/** The world at another address, with such a login. */
export async function behind(world: TestWorld, logins: () => Logins): Promise<string> {
  const server = createServer(async (asked, answer) => {
    const sent = await text(asked);
    const isLogin = asked.url === companions.logIn.url;
    if (isLogin && logins() === 'unknown') return void answer.writeHead(404).end('no such page');
    if (isLogin && logins() === 'barred') return void answer.writeHead(401).end();
    if (isLogin && logins() === 'unfinished') return void answer.end('{"status":"MFA_REQUIRED"}');
    if (isLogin && logins() === 'refused')
      return void answer.writeHead(400).end('{"error_code":"SDK.COMMON.1012","error_msg":"Unknown client"}');
    const body = isLogin && logins() === 'wrong' ? sent.replace('Old secret', 'Wrong secret') : sent;
    const {
      host: _host,
      'content-length': _length,
      'transfer-encoding': _encoding,
      ...headers
    } = asked.headers;
    const method = asked.method as 'GET';
    const got = await request(`${world.baseUrl}${asked.url}`, { method, headers, body: body || null });
    answer.writeHead(got.statusCode, { 'content-type': String(got.headers['content-type']) });
    answer.end(await got.body.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
