import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { environmentFor, startWorld } from '../../world.ts';
import { toolCalls } from './tool-calls.ts';

test.each([
  ['https://bob:pw@id.example.com', 'the base URL must not contain credentials, a query or a fragment', 2],
  ['https://id.example.com/?x=1', 'the base URL must not contain credentials, a query or a fragment', 2],
])('the tools never use another tenant than the one named: %s', async (address, message, code) => {
  const { runWith, baseUrl } = await startWorld();
  const stdin = toolCalls({ name: 'count_users', arguments: {} });
  const { exitCode, stdout, stderr } = await runWith(
    { stdin, env: environmentFor(baseUrl) },
    'mcp',
    '--base-url',
    address,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('pw');
});

test('a profile that does not exist ends the server at its start', async () => {
  const { runWith } = await startWorld();
  const stdin = toolCalls({ name: 'count_users', arguments: {} });
  expect(await runWith({ stdin, env: {} }, 'mcp', '--profile', 'gone')).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining('there is no profile "gone"'),
  });
});

test('plans are verified with the public key that the server read at its start', async () => {
  const { client, directory, run, runWith, baseUrl } = await startWorld();
  const root = join(directory, 'files');
  await mkdir(root);
  const [file, own, approver] = ['legacy.csv', 'own.pem', 'approver.pub'].map((name) => join(root, name));
  await writeFile(file ?? '', `user_name,algorithm,hash\nbob,md5,${goodHashes.md5}\n`);
  const [trusted, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const publicText = trusted.publicKey.export({ type: 'spki', format: 'pem' });
  await writeFile(approver ?? '', publicText);
  await writeFile(own ?? '', other.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await run('plan', file ?? '', '--to', join(root, 'plan'));
  await run('plan', 'sign', join(root, 'plan'), own ?? '');
  const stdout = new PassThrough();
  let printed = '';
  stdout.on('data', (part: Buffer) => {
    printed += part.toString();
  });
  // The public key of the approver is replaced while the server runs.
  async function* messages() {
    const [greeting = '', started = '', call = ''] = toolCalls({
      name: 'apply',
      arguments: { directory: 'plan' },
    })
      .trimEnd()
      .split('\n');
    yield `${greeting}\n${started}\n`;
    // The answer to the first message shows that the server has started.
    await once(stdout, 'data');
    await rm(approver ?? '');
    await writeFile(approver ?? '', other.publicKey.export({ type: 'spki', format: 'pem' }));
    yield `${call}\n`;
  }
  await runWith(
    { stdin: Readable.from(messages()), stdout, env: environmentFor(baseUrl) },
    ...['mcp', '--root', root, '--require-signature', approver ?? ''],
  );
  expect(printed).toContain('PLAN_SIGNATURE');
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test('a line that is no message is answered with its code of JSON-RPC', async () => {
  const { runWith, baseUrl } = await startWorld();
  const call = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
  const lines = [
    'no json',
    '',
    '{"jsonrpc":"2.0","id":1,"method":"pi',
    '3',
    '[]',
    call({ id: 2 }),
    call({ id: null, method: 'ping' }),
    call({ id: [3], method: 'ping' }),
    '{"id":"four","method":"ping"}',
    call({ id: 5, method: 'tools/call', params: 6 }),
    call({ id: 7, method: 'nope' }),
    call({ id: 8, method: 'ping' }),
  ];
  const stdin = `${toolCalls()}${lines.join('\r\n')}\n"the last`;
  const { exitCode, stdout, stderr } = await runWith({ stdin, env: environmentFor(baseUrl) }, 'mcp');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const codes = answers.map(({ id, error }) => [id, error?.code]).sort();
  expect(codes).toEqual(
    [
      [0, undefined],
      ...Array(3).fill([null, -32700]),
      ...Array(4).fill([null, -32600]),
      [2, -32600],
      ['four', -32600],
      [5, -32600],
      [7, -32601],
      [8, undefined],
    ].sort(),
  );
});
