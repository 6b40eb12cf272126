import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

const toImport = ['--dry-run', '--ignore-unknown', '--allow-passwordless'];

test.each([
  [
    'failures.csv',
    'Correct the rows in the file that was imported, and run its import again with --only failed.',
  ],
  ['users.csv', 'These people are users already: name the file that was imported.'],
])('the %s of a job is neither imported nor made a recipe for', async (name, advice) => {
  const { directory, run } = await startWorld();
  const [file, job] = [join(directory, 'legacy.csv'), join(directory, 'job')];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,x\n`);
  await run('import-hashes', file, '--job', job);
  const list = join(job, name);
  const before = readdirSync(directory);
  for (const command of [
    ['import-hashes', list, ...toImport],
    ['recipe', 'make', list],
  ])
    expect(await run(...command)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `tenant-users: ${list}, line 1: this is the ${name} of a job, not a file of users\nNothing was sent. ${advice}\n`,
      ),
    });
  expect(readdirSync(directory)).toEqual(before);
});
