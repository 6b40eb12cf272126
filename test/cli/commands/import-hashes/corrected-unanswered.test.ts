import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { startWorld } from '../../../world.ts';

test('after a kill, a correction of rows without an answer names the command that looks them up with the earlier options', async () => {
  const world = await startWorld();
  const [file, job] = ['legacy.csv', 'job'].map((name) => join(world.directory, name)) as [string, string];
  const rows = ['ann', 'bob', 'cyd', 'dan', 'eve'].map(
    (name) => `${name},${name[0]},${name} lee,false,md5,${goodHashes.md5}\n`,
  );
  await writeFile(file, `user_name,short,full,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  const importing = (column: string, ...more: string[]) =>
    world.run('import-hashes', file, '--map', `name=${column}`, '--ignore-unknown', '--job', job, ...more);
  expect(await importing('short')).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(job, 2);
  const earlier = `import-hashes ${file} --map name=short --ignore-unknown --job ${job} --only unanswered`;

  const refused = await importing('full', '--only', 'failed');
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
  expect(refused.stderr).toContain(
    'at most 3 rows of the earlier file (row 3, 4, 5) may have been sent and have no answer, and no row of the corrected file',
  );
  expect(refused.stderr).toContain(`\n  tenant-users ${earlier}\n`);
  expect(refused.stderr).not.toMatch(/users\.csv|user name/);
  const asked = await importing('full', '--only', 'unanswered');
  expect(asked).toMatchObject({ exitCode: 3, stdout: '' });
  expect(asked.stderr).toContain(`\n  tenant-users ${earlier}\n`);
  expect(asked.stderr).not.toContain('--only failed');

  expect(await world.run(...earlier.split(' '))).toMatchObject({ exitCode: 0 });
  const corrected = await importing('full', '--only', 'failed', '--json');
  expect(corrected.exitCode).toBe(7);
  expect(JSON.parse(corrected.stdout)).toMatchObject({
    created: 5,
    conflict: 0,
    codes: { VALUES_CHANGED: 5 },
  });
});

test('before a corrected file is sent, the preview says how many of its rows may have been sent already', async () => {
  const world = await startWorld();
  const [file, job] = ['legacy.csv', 'job'].map((name) => join(world.directory, name)) as [string, string];
  const fileOf = (hash: string) =>
    ['ann', 'bob', 'cyd'].map((name) => `${name},false,md5,${name === 'bob' ? hash : goodHashes.md5}\n`);
  const write = (hash: string) =>
    writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${fileOf(hash).join('')}`);
  await write(goodHashes.md5);
  const args = ['import-hashes', file, '--job', job];
  expect(await world.run(...args)).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(job, 1);
  await write('0'.repeat(32));
  const asked = await world.runWith({ mayRefuse: true }, ...args, '--only', 'failed');
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
  expect(asked.stderr).toContain(
    'resumes the job: 2 rows that were never sent, or got no answer, follow, and the source has changed since',
  );
  expect(asked.stderr).toContain(
    ' At most 2 may have been sent: whoever was created for one keeps the hash that was sent. --only unanswered with',
  );
  const sent = await world.run(...args, '--only', 'failed', '--json');
  expect(JSON.parse(sent.stdout)).toMatchObject({ created: 3, codes: { HASH_CHANGED: 1 } });
});
