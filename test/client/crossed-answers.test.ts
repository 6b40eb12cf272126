import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { NetworkError } from '../../src/client/errors.ts';
import { testClock } from '../clocks.ts';
import { goodHashes } from '../migration/hashes.ts';
import { runImport } from '../migration/run-import.ts';
import { application, startTestService } from '../test-service.ts';
import { json, startPeer } from './start-peer.ts';

test.each([undefined, 'gateway-17', '550e8400-e29b-41d4-a716-446655440000'])(
  'a tenant that does not return the id of a request, or returns its own (%s), is accepted',
  async (id) => {
    const peer = await startPeer({
      call: (received, response) => {
        if (id !== undefined) response.setHeader('x-request-id', id);
        json(200, { user_id: 'u-1' })(received, response);
      },
    });
    expect(await peer.connect().getUser('u-1')).toMatchObject({ user_id: 'u-1' });
    const [first, second] = [peer.tokenCalls[0], peer.calls[0]].map((call) => call?.headers['x-request-id']);
    expect(first).toMatch(/^[0-9a-f]{12}-1$/);
    expect(second).toBe(String(first).replace(/1$/, '2'));
  },
);

const mixedUp = 'the answer belongs to another request; a proxy in between mixes answers up';

test.each([
  ['getUser', 'none', 4],
  ['updateUser', 'unknown', 1],
  ['disableUser', 'none', 4],
] as const)('%s takes no answer about another user', async (name, effect, times) => {
  const peer = await startPeer({ call: json(200, { user_id: 'u-2', user_name: 'bob', disabled: true }) });
  const client = peer.connect().withoutRetries();
  await expect(client[name]('u-1', {})).rejects.toMatchObject({ message: `${peer.baseUrl}: ${mixedUp}` });
  peer.calls.length = 0;
  await expect(peer.connect()[name]('u-1', {})).rejects.toMatchObject({ fault: 'interrupted', effect });
  expect(peer.calls).toHaveLength(times);
});

test('a user is read again if the first answer was about somebody else', async () => {
  const peer = await startPeer({
    call: (received, response) =>
      json(200, { user_id: peer.calls.length === 1 ? 'U-2' : 'U-1' })(received, response),
  });
  expect(await peer.connect().getUser('u-1')).toMatchObject({ user_id: 'U-1' });
});

/** A proxy that answers one request with the answer of the one before it. */
async function startMixingProxy(target: string, isMixed: (number: number) => boolean): Promise<string> {
  let last: { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer } | undefined;
  let creates = 0;
  const server = createServer((request, response) => {
    const isCreate = request.method === 'POST' && !request.url?.includes('token');
    if (isCreate) creates += 1;
    const before = isCreate && isMixed(creates) ? last : undefined;
    const onward = forward(
      new URL(request.url ?? '', target),
      { method: request.method ?? 'GET', headers: request.headers },
      async (reply) => {
        const body = Buffer.concat(await reply.toArray());
        const own = { status: reply.statusCode ?? 0, headers: reply.headers, body };
        if (isCreate) last = own;
        const shown = before ?? own;
        response.writeHead(shown.status, shown.headers).end(shown.body);
      },
    );
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an import through a proxy that mixes up answers gives every row its own user', async () => {
  const service = await startTestService();
  const baseUrl = await startMixingProxy(service.baseUrl, (number) => number % 4 === 3);
  const client = createClient({
    baseUrl,
    clientId: application.client_id,
    clientSecret: application.client_secret,
    clock: testClock,
  });
  onTestFinished(() => client.close());
  const names = Array.from({ length: 12 }, (_, index) => `user${index}`);
  const rows = names.map((name) => `${name},md5,${goodHashes.md5}\n`).join('');
  const { summary, users } = await runImport(
    `user_name,algorithm,hash\n${rows}`,
    { concurrency: 1, clock: testClock },
    client.withoutRetries(),
  );
  expect(summary).toMatchObject({ created: 12, found_by_look_up: 4, unknown: 0, failed: 0 });
  const there = await service.client.listUsers({ offset: 0, limit: 20 });
  expect(users.map(({ user_name, user_id }) => [user_name, user_id]).sort()).toEqual(
    there.users.map(({ user_name, user_id }) => [user_name, user_id]).sort(),
  );

  const { importHashedUser } = client.withoutRetries();
  const failures: unknown[] = [];
  for (const name of ['x1', 'x2', 'x3', 'x4']) {
    await importHashedUser({ user_name: name }).catch((failure: unknown) => failures.push(failure));
  }
  expect(failures).toHaveLength(1);
  expect(failures[0]).toBeInstanceOf(NetworkError);
  expect(failures[0]).toMatchObject({
    effect: 'unknown',
    message: `${baseUrl}: ${mixedUp}`,
  });
});
