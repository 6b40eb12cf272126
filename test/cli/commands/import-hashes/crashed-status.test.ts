import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { lockJob } from '../../../../src/migration/journal/database/lock.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { job } from '../../../migration/journal/job.ts';
import { startWorld } from '../../../world.ts';

test('after a kill, status names the rerun only, since lists are of an earlier run and corrections are refused', async () => {
  const world = await startWorld();
  const [file, job] = ['legacy.csv', 'job'].map((name) => join(world.directory, name)) as [string, string];
  const rows = ['bob,0', `ann,${goodHashes.md5}`, `cyd,${goodHashes.md5}`].map(
    (row) => `${row.replace(',', ',false,md5,')}\n`,
  );
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  const args = ['import-hashes', file, '--job', job];
  expect(await world.run(...args)).toMatchObject({ exitCode: 7 });
  const correct = 'Correct 1 row of the file (failures.csv lists what is wrong)';
  expect((await world.run('import-hashes', 'status', job)).stderr).toContain(correct);

  await forgetOutcomes(job, 2);
  const { exitCode, stdout } = await world.run('import-hashes', 'status', job, '--json');
  expect(exitCode).toBe(7);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ state: 'crashed', invalid: 1, created: 1, pending: 1, unanswered: 1 },
    next: [
      {
        text: expect.stringMatching(/^Rerun the same command, with the file as it was\. /),
        command: expect.stringMatching(/^tenant-users import-hashes \S+ --job \S+$/),
      },
    ],
  });

  expect(await world.run(...args)).toMatchObject({ exitCode: 7 });
  expect((await world.run('import-hashes', 'status', job)).stderr).toContain(correct);
});

test('after a restart that was killed, or stopped, status names the rerun without --restart', async () => {
  const world = await startWorld();
  const [file, job] = ['legacy.csv', 'job'].map((name) => join(world.directory, name)) as [string, string];
  await writeFile(file, `name,pwd_must_modify,algorithm,hash\nann,false,md5,${goodHashes.md5}\n`);
  const args = ['import-hashes', file, '--job', job];
  await world.run(...args);
  await world.run(...args, '--restart');
  await forgetOutcomes(job, 1);
  const { stdout } = await world.run('import-hashes', 'status', job, '--json');
  const [next] = JSON.parse(stdout).next;
  expect(next.text).toMatch(/^Rerun the same command without --restart, with the file as it was\. /);
  expect(next.command).not.toContain('--restart');
});

test('after a merge that was cut off, status says to merge again, which works, and not to rerun the import', async () => {
  const world = await startWorld();
  const [file, whole, blocked, ...shards] = ['legacy.csv', 'whole', 'whole/users.csv.new', 's1', 's2'].map(
    (name) => join(world.directory, name),
  ) as [string, string, string, string, string];
  const rows = ['ann', 'bob'].map((name) => `${name},false,md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  for (const [index, shard] of shards.entries())
    await world.run('import-hashes', file, '--shard', `${index + 1}/2`, '--job', shard);
  await mkdir(blocked, { recursive: true });
  const merge = ['import-hashes', 'merge', ...shards, '--job', whole];
  expect((await world.run(...merge)).exitCode).not.toBe(0);
  await rmdir(blocked);

  const { stderr } = await world.run('import-hashes', 'status', whole);
  expect(stderr).toContain('Warning: a merge of shards into this directory was cut off\n');
  expect(stderr).toContain('Next: Run the same merge again: tenant-users import-hashes merge SHARD… --job ');
  expect(stderr).not.toContain('tenant-users import-hashes legacy.csv');
  expect((await world.run('import-hashes', file, '--job', whole)).stderr).toContain(
    'Merge them again first.',
  );
  expect(await world.run(...merge)).toMatchObject({ exitCode: 0 });
  expect((await world.run('import-hashes', 'status', whole)).stderr).not.toContain('merge');
});

test('while a run reads a corrected file, status says that the users of earlier runs are not counted yet', async () => {
  const world = await startWorld();
  const [file = '', directory = ''] = ['legacy.csv', 'job'].map((name) => join(world.directory, name));
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,cut\n');
  await world.run('import-hashes', file, '--job', directory);
  const lock = lockJob(DatabaseSync, directory, { job, now: Date.now });
  onTestFinished(lock.release);
  const { exitCode, stderr } = await world.run('import-hashes', 'status', directory);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(
      /Running since .*\nNo outcome yet; users of earlier runs, if any, are counted once the file has been read\n$/,
    ),
  ]);
});
