import { existsSync } from 'node:fs';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { serveMcp } from '../../../src/cli/mcp/serve-mcp.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';
import { writeKeys } from '../../write-keys.ts';
import { serveAgent, startAgent } from './start-agent.ts';

const ann = { user_name: 'ann', name: 'Ann Lee', email: 'ann@example.com', external_id: 'x-1' };
const header = 'user_name,name,email,algorithm,hash\n';

test('without a signing key no tool of the server changes anything, and the server ends with its input', async () => {
  const { agent, ended, toServer } = await startAgent();
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'status',
    'count_users',
    'get_user',
    'explain',
    'assess',
    'forecast',
    'job_status',
    'compare',
    'plan',
    'show_plan',
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  toServer.end();
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a code is explained with its own exit code', async () => {
  const { call } = await startAgent();
  expect(await call('explain', { code: 'NETWORK' })).toMatchObject({ code: 'NETWORK', exit_code: 9 });
});

test('a tool finds a user, and hides what identifies a person', async () => {
  const { world, root, call } = await startAgent();
  const { user_id } = await world.client.createUser(ann);
  expect(await call('count_users')).toEqual({ isError: false, total: 1, exit_code: 0 });
  expect(await call('get_user', { by: 'email', value: 'ann@example.com' })).toMatchObject({
    isError: false,
    user_id,
    user_name: '[hidden]',
    name: '[hidden]',
    email: '[hidden]',
    external_id: '[hidden]',
    disabled: false,
  });
  expect(await call('get_user', { by: 'user_name', value: '--help' })).toMatchObject({
    isError: true,
    error: { code: 'SVC.TENANT.USER.0001' },
  });
  const open = await serveAgent(world, root, '--with-values');
  expect(await open.call('get_user', { by: 'user_id', value: user_id })).toMatchObject(ann);
});

test('a file is assessed, planned and compared without showing its content', async () => {
  const { world, root, call } = await startAgent();
  await world.client.createUser(ann);
  const rows = [
    `ann,Ann Lee,ann@example.com,md5,${goodHashes.md5}`,
    `bob,Bob Ray,b@x.example,md5,${goodHashes.md5}`,
  ];
  await writeFile(join(root, 'legacy.csv'), header + rows.map((row) => `${row}\n`).join(''));
  await writeFile(join(root, 'headless.csv'), rows.join('\n'));
  const seen = [
    await call('assess', { file: 'legacy.csv' }),
    await call('plan', { file: 'legacy.csv', to: 'plan' }),
    await call('show_plan', { directory: 'plan' }),
    await call('compare', { file: join(root, 'legacy.csv'), to: 'compared' }),
    await call('assess', { file: 'headless.csv' }),
    await call('plan', { file: 'headless.csv', to: 'none' }),
  ];
  expect(seen).toMatchObject([
    { isError: false, rows: 2, ready: 2 },
    { isError: false, totals: { create: 1, same: 1 } },
    { isError: false, totals: { create: 1, same: 1 } },
    { isError: false, exit_code: 7, same: 1, missing: 1 },
    {},
    { isError: true, error: { code: 'SOURCE' } },
  ]);
  const text = JSON.stringify(seen);
  for (const value of ['Ann Lee', 'ann@', 'Bob', 'b@x', goodHashes.md5]) expect(text).not.toContain(value);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
});

test('a file that cannot be opened is named as it is without an agent', async () => {
  const { root, call } = await startAgent();
  const [gone, ...others] = [
    await call('assess', { file: 'gone.csv' }),
    await call('forecast', { file: 'gone.csv' }),
    await call('plan', { file: 'gone.csv', to: 'plan' }),
    await call('compare', { file: 'gone.csv', to: 'compared' }),
  ];
  const message = `${join(root, 'gone.csv')}: there is no such file; check the path`;
  expect(gone).toMatchObject({ isError: true, error: { code: 'SOURCE', message }, exit_code: 2 });
  expect(others).toEqual([gone, gone, gone]);
  expect(await call('assess', { file: '.' })).toMatchObject({
    error: { message: expect.stringContaining('this is a directory, not a file') },
  });
});

test('an import is forecast and watched without showing the content of its file', async () => {
  const { world, root, call } = await startAgent();
  const file = join(root, 'legacy.csv');
  const rows = ['ann', 'bob'].map((name) => `${name},Mx ${name},,md5,${goodHashes.md5}\n`);
  await writeFile(file, header + rows.join(''));
  expect(await call('forecast', { file: 'legacy.csv', window: '22:00-05:00' })).toMatchObject({
    isError: false,
    ready: 2,
    sent_before: 0,
    window: { from: '22:00', to: '05:00' },
  });
  expect(await call('job_status', { directory: 'legacy.csv.import' })).toMatchObject({
    isError: true,
    error: { code: 'JOB_DIRECTORY' },
  });
  await world.run('import-hashes', file, '--job', join(root, 'legacy.csv.import'));
  const seen = [
    await call('forecast', { file: 'legacy.csv' }),
    await call('job_status', { directory: 'legacy.csv.import' }),
  ];
  expect(seen).toMatchObject([
    { isError: false, ready: 0, sent_before: 2 },
    { isError: false, state: 'finished', rows: 2, created: 2, next: expect.any(Array) },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/ann|bob|Mx/);
});

test('a plan is applied if a person has signed it, and refused before', async () => {
  const { world, root } = await startAgent();
  await writeFile(join(root, 'legacy.csv'), `${header}bob,Bob,,md5,${goodHashes.md5}\n`);
  const [own, approver] = await writeKeys(world.directory);
  const { agent, call } = await serveAgent(world, root, '--require-signature', approver);
  const { tools } = await agent.listTools();
  expect(tools.find(({ name }) => name === 'apply')?.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
  });
  await call('plan', { file: 'legacy.csv', to: 'plan' });
  expect(await call('apply', { directory: 'plan' })).toMatchObject({
    isError: true,
    exit_code: 3,
    error: { code: 'PLAN_SIGNATURE' },
  });
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
  await world.run('plan', 'sign', join(root, 'plan'), own);
  const file = join(root, 'legacy.csv');
  const content = await readFile(file, 'utf8');
  await writeFile(file, content.replaceAll('\n', ',Bob Ray\n'));
  const refused = await call('apply', { directory: 'plan' });
  expect(refused).toMatchObject({ isError: true, exit_code: 3, error: { code: 'PLAN_FILE' } });
  expect(JSON.stringify(refused)).not.toContain('Bob');
  await writeFile(file, content);
  expect(await call('apply', { directory: 'plan' })).toMatchObject({ isError: false, created: 1 });
});

test('files outside the root are refused, also through a link', async () => {
  const { world, root, call } = await startAgent();
  const outside = join(world.directory, 'outside.csv');
  await writeFile(outside, `${header}bob,,,,\n`);
  await symlink(outside, join(root, 'link.csv'));
  await symlink(world.directory, join(root, 'up'));
  const refused = [];
  for (const file of ['../outside.csv', outside, 'link.csv', 'up/outside.csv', '/etc/passwd', '/'])
    refused.push(await call('assess', { file }));
  refused.push(await call('plan', { file: 'link.csv', to: 'up/plan' }));
  for (const answer of refused) {
    expect(answer).toMatchObject({
      isError: true,
      error: { message: 'the path is not below the root of this server' },
    });
  }
  for (const nul of [
    { file: 'a\u0000.csv', to: 'plan' },
    { file: 'a.csv', to: '\u0000' },
  ]) {
    const error = { code: 'USAGE', message: 'the path has a NUL character' };
    expect(await call('plan', nul)).toMatchObject({ isError: true, error });
  }
  expect(existsSync(join(world.directory, 'plan'))).toBe(false);
  expect(await readdir(root)).toEqual(['link.csv', 'up']);
  expect(await readFile(outside, 'utf8')).toContain('bob');
});

test('on a terminal mcp says what it is for', async () => {
  const world = await startWorld();
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  expect(await world.runWith({ stdin }, 'mcp')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('standard input is a terminal'),
  });
});

test('a call that fails unexpectedly does not end the later ones', async () => {
  const [toServer, toAgent] = [new PassThrough(), new PassThrough()];
  let calls = 0;
  const context = {
    args: [],
    options: {},
    stdin: toServer,
    stdout: toAgent,
    signal: new AbortController().signal,
    async runCommand(_line, { stdout }) {
      calls += 1;
      if (calls === 1) throw new Error('broken down');
      stdout.write('{"total":0}\n');
      return 0;
    },
  } as Partial<CommandContext> as CommandContext;
  const ended = serveMcp(context, { root: await temporaryDirectory(), withValues: false });
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(new StdioServerTransport(toAgent, toServer));
  onTestFinished(() => agent.close());
  const count = () => agent.callTool({ name: 'count_users', arguments: {} });
  expect(await count()).toMatchObject({ isError: true });
  expect(await count()).toMatchObject({ structuredContent: { total: 0, exit_code: 0 } });
  toServer.end();
  await ended;
});
