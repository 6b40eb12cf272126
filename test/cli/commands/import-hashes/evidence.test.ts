import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { credentials, startProgram } from '../../process/start-program.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const file = (directory: string) => join(directory, 'legacy.csv');

test('--json exits with 7 too if a row failed, and a second run keeps the evidence of the first', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'taken', email: 'other@example.com' });
  const rows = [`ann,ann@example.com,md5,${md5}`, `taken,taken@example.com,md5,${md5}`, 'cut,,md5,abc'];
  await writeFile(file(world.directory), `user_name,email,algorithm,hash\n${rows.join('\n')}\n`);
  const job = join(world.directory, 'job');
  const books = [];
  for (const resumed of [false, true]) {
    const args = ['import-hashes', file(world.directory), '--job', job, '--json'];
    const { exitCode, stdout, stderr } = await world.run(...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 7, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ created: 1, conflict: 1, invalid: 1, resumed });
    books.push(
      await readFile(join(job, 'failures.csv'), 'utf8'),
      await readFile(join(job, 'users.csv'), 'utf8'),
    );
  }
  expect(books.slice(2)).toEqual(books.slice(0, 2));
  expect(parse(books[0] ?? '', { columns: true })).toHaveLength(2);
});

test('an interrupt while the import waits for the canaries ends it immediately, with no file created', async () => {
  const world = await startWorld();
  await writeFile(file(world.directory), `user_name,algorithm,hash\nann,md5,${md5}\n`);
  const args = [
    'import-hashes',
    '--yes',
    file(world.directory),
    '--job',
    join(world.directory, 'job'),
    '--canary',
    '-',
  ];
  const env = { ...credentials, TENANT_USERS_BASE_URL: world.baseUrl };
  const started = await startProgram(args, env);
  // More than a pipe holds: once everything is written, the program has begun to read, and waits for the rest.
  await new Promise((done) => started.stdin?.write('ann,x\n'.repeat(50_000), done));
  started.kill('SIGINT');
  expect(await once(started, 'close')).toEqual([130, null]);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});
