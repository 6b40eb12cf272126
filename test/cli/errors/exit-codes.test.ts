import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeError } from '../../../src/cli/errors/describe-error.ts';
import { exitCodes } from '../../../src/cli/errors/exit-codes.ts';
import { allExplained } from '../../../src/cli/errors/explain/explained.ts';
import { ApiError, AuthenticationError } from '../../../src/client/errors.ts';
import { CodedError } from '../../../src/contract/coded-error.ts';
import { json, startPeer } from '../../client/start-peer.ts';
import { startTestService } from '../../test-service.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';
import { bin, credentials, textOf } from '../process/start-program.ts';

type Name = keyof typeof exitCodes;

/** A command that ends with each code. The service has the user ann; `FILE` contains her id and an unknown one. */
const provoked: Partial<Record<Name, readonly string[]>> = {
  done: ['list'],
  usage: ['list', '--limit', '5'],
  configuration: ['list', '--profile', 'nobody'],
  authentication: ['list'],
  notFound: ['get', 'nobody'],
  refused: ['create', '--user-name', 'ann'],
  partlyDone: ['disable', '--from', 'FILE', '--yes'],
  network: ['list', '--base-url', 'http://127.0.0.1:1', '--timeout', '1'],
  incomplete: ['list', '--all'],
};

/** Environments that differ from the usual one. */
const environments: Partial<Record<Name, (baseUrl: string) => Promise<Record<string, string>>>> = {
  configuration: async () => ({}),
  authentication: async (baseUrl) => ({
    ...credentials,
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_SECRET: 'wrong',
  }),
  // A total that the pages do not confirm.
  incomplete: async () => {
    const { baseUrl } = await startPeer({ call: json(200, { total: 5, users: [] }) });
    return { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
  },
};

test.each(Object.keys(provoked) as Name[])(
  'a signal ends a command with the exit code for %s',
  async (name) => {
    const { client, runWith, baseUrl, directory } = await startWorld();
    const { user_id } = await client.createUser({ user_name: 'ann' });
    const file = join(directory, 'ids.txt');
    await writeFile(file, `${user_id}\nnobody\n`);
    const usual = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const env = (await environments[name]?.(baseUrl)) ?? usual;
    const args = (provoked[name] ?? []).map((arg) => (arg === 'FILE' ? file : arg));
    const { exitCode, stderr } = await runWith({ env }, ...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: exitCodes[name], stderr: expect.any(String) });
  },
);

test.runIf(process.platform === 'linux')(
  'a result that cannot be written ends with the exit code for unexpected and one line',
  async () => {
    const { baseUrl } = await startTestService();
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const { PATH = '' } = process.env;
    const line = `"${process.execPath}" "${bin}" list --json > /dev/full`;
    const running = spawn('sh', ['-c', line], { env: { PATH, HOME: await temporaryDirectory(), ...env } });
    const [said, [code]] = await Promise.all([textOf(running.stderr), once(running, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(said)).toMatchObject({ error: { code: 'OUTPUT', retryable: false } });
  },
);

test.each(['interrupted', 'terminated', 'hungUp'] as const)(
  'a signal ends a command with the exit code for %s',
  async (name) => {
    const stop = new AbortController();
    stop.abort({ interrupted: 'SIGINT', terminated: 'SIGTERM', hungUp: 'SIGHUP' }[name]);
    const { runWith } = await startWorld();
    const ended = await runWith({ signal: stop.signal }, 'list');
    expect(ended).toEqual({ exitCode: exitCodes[name], stdout: '', stderr: '' });
  },
);

test('an import with more failed rows than allowed ends with the exit code for stopped', async () => {
  const { run, directory } = await startWorld();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, `user_name,algorithm,hash\n${'ann,md5,x\n'.repeat(3)}`);
  const args = [file, '--job', join(directory, 'job'), '--max-failures', '1'];
  const { exitCode, stderr } = await run('import-hashes', ...args);
  expect({ exitCode, stderr }).toEqual({
    exitCode: exitCodes.stopped,
    stderr: expect.stringContaining('failures'),
  });
});

test('every exit code has a test in this file', () => {
  const elsewhere = ['unexpected', 'stopped', 'interrupted', 'terminated', 'hungUp'];
  expect([...Object.keys(provoked), ...elsewhere].sort()).toEqual(Object.keys(exitCodes).sort());
});

const failures: { [Origin in 'api' | 'local' | 'token' | 'program']: (code: string) => Error } = {
  api: (code) => new ApiError(code, 'refused', 400),
  local: (code) => new ApiError(code, 'refused', 400),
  token: (code) => new AuthenticationError(code, 'refused', 400),
  program: (code) => new (class extends CodedError {})(code, 'failed'),
};

const described = allExplained().flatMap(({ group, ...entry }) =>
  Object.hasOwn(failures, group) ? [{ ...entry, group: group as keyof typeof failures }] : [],
);

test.each(described)('$code ends a command with the exit code that explain prints', (entry) => {
  expect(describeError(failures[entry.group](entry.code))).toMatchObject({
    code: entry.code,
    exitCode: entry.exit_code,
    hint: entry.remedy,
  });
});
