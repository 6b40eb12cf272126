import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { application, startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { credentials, firstLine, startProgram, textOf } from './start-program.ts';

/** A file with this number of users, each with a password. */
async function writeSource(directory: string, rows: number): Promise<string> {
  const file = join(directory, 'legacy.csv');
  const hash = 'e10adc3949ba59abbe56e057f20f883e';
  const lines = Array.from({ length: rows }, (_, index) => `user${index},md5,${hash}`);
  await writeFile(file, `user_name,algorithm,hash\n${lines.join('\n')}\n`);
  return file;
}

test('serve finishes the request in progress when it is asked to end', async () => {
  const directory = await temporaryDirectory();
  const faults = join(directory, 'slow.json');
  const slow = { operation: 'createUser', do: { latency_ms: 700, after_commit: true } };
  await writeFile(faults, JSON.stringify({ faults: [slow] }));
  const args = ['serve', '--port', '0', '--database', ':memory:', '--json', '--faults', faults];
  const serve = await startProgram(args, credentials);
  const exit = once(serve, 'exit');
  const { base_url: baseUrl } = JSON.parse(await firstLine(serve));
  const { client_id: clientId, client_secret: clientSecret } = application;
  const client = createClient({ baseUrl, clientId, clientSecret });
  onTestFinished(() => client.close());
  await client.obtainToken();
  const created = client.createUser({ user_name: 'ann' });
  while ((await client.listUsers({ offset: 0, limit: 10 })).total === 0);
  serve.kill('SIGTERM');
  expect(await created).toEqual({ user_id: expect.any(String) });
  expect(await exit).toEqual([0, null]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends an import with exit code %d and counts that add up', async (signal, exitCode) => {
  const directory = await temporaryDirectory();
  const { baseUrl, client } = await startTestService();
  const job = join(directory, 'job');
  const args = ['import-hashes', await writeSource(directory, 20_000), '--job', job, '--json', '--yes'];
  const running = await startProgram(args, { TENANT_USERS_BASE_URL: baseUrl, ...credentials });
  const [exit, stdout] = [once(running, 'exit'), textOf(running.stdout)];
  while ((await client.listUsers({ offset: 0, limit: 10 })).total === 0);
  running.kill(signal);
  expect(await exit).toEqual([exitCode, null]);
  const { rows, created, pending } = JSON.parse(await stdout);
  expect({ rows, sum: created + pending }).toEqual({ rows: 20_000, sum: 20_000 });
  expect(JSON.parse(await readFile(join(job, 'summary.json'), 'utf8')).created).toBe(created);
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(created);
});

test('a signal that arrives twice at the same time, as from timeout(1), counts once, and rows in flight are completed', async () => {
  const directory = await temporaryDirectory();
  const { baseUrl, client } = await startTestService();
  const args = [
    'import-hashes',
    await writeSource(directory, 20_000),
    '--job',
    join(directory, 'job'),
    '--yes',
  ];
  const running = await startProgram(args, { TENANT_USERS_BASE_URL: baseUrl, ...credentials });
  const [exit, stderr] = [once(running, 'exit'), textOf(running.stderr)];
  while ((await client.listUsers({ offset: 0, limit: 10 })).total === 0);
  // Two signals of one kind may be delivered as one.
  running.kill('SIGTERM');
  running.kill('SIGINT');
  expect([130, 143]).toContain((await exit)[0]);
  expect(await stderr).toContain('Rerun the same command to resume');
  expect(await stderr).not.toContain('Ended at once');
});

test('an import continues when nobody reads its output any more', async () => {
  const directory = await temporaryDirectory();
  const { baseUrl } = await startTestService();
  const job = join(directory, 'job');
  const args = ['import-hashes', await writeSource(directory, 500), '--job', job, '--yes'];
  const running = await startProgram(args, { TENANT_USERS_BASE_URL: baseUrl, ...credentials });
  running.stderr?.destroy();
  expect(await once(running, 'exit')).toEqual([0, null]);
  expect(JSON.parse(await readFile(join(job, 'summary.json'), 'utf8')).created).toBe(500);
});
