import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const header = 'user_name,external_id,name,algorithm,hash';
const good = (start: string) => `${start},md5,${goodHashes.md5}`;
const bad = (start: string) => `${start},md5,cut`;
const write = (file: string, rows: readonly string[]) => writeFile(file, `${[header, ...rows].join('\n')}\n`);

test('a user whose key another user has got in a corrected file stays in the record after the next correction', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    await write(job.file, [good('ann,x-1,Ann Lee'), bad('bob,x-2,Bob')]);
    await importFile(tenant, job);
    const { user_id: id } = await tenant.client.getUserByUserName('ann');
    await tenant.client.updateUser(id, { user_name: 'ann.lee' });
    const corrected = { ...job, mode: 'only failed', accept: ['KEY_CHANGED'] } as const;
    for (const bob of [bad('bob,x-2,Bob'), good('bob,x-2,Bob')]) {
      await write(job.file, [good('ann,x-9,Ann Ray'), bob]);
      await importFile(tenant, corrected);
      expect(await readFile(join(job.jobDirectory, 'users.csv'), 'utf8')).toContain(
        `\n,ann,x-1,${id},created,`,
      );
    }
  });
});

test('somebody who was there before, and with whom the corrected row is in conflict, is in failures.csv by their ID', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const { user_id: id } = await tenant.client.createUser({ user_name: 'eve', name: 'Eve' });
    await write(job.file, [good('eve,,Eve'), bad('bob,,Bob')]);
    expect((await importFile(tenant, job)).summary).toMatchObject({ existing: 1 });
    await write(job.file, [good('eve,,Eva'), good('bob,,Bob')]);
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 1, codes: { CONFLICT: 1 } });
    const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
    expect(failures).toMatch(new RegExp(`\n1,2,eve,,CONFLICT,.*,${id},user_name=eve\n`));
  });
});

test('a merge of moved rows forgets none of the users whom the job created when the file is corrected again', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const [file, job] = [within('users.csv'), within('job')];
  const importing = (...args: string[]) =>
    world.run('import-hashes', file, '--accept', 'KEY_CHANGED', ...args);
  const moved = [good('eve,,Eve'), good('ann,,Ann'), good('bob,,Bob')];
  for (const [rows, ...args] of [
    [[good('ann,,Ann'), good('bob,,Bob'), bad('cyd,,Cyd'), bad('dan,,Dan')]],
    [[...moved, bad('cyd,,Cyd'), bad('dan,,Dan')], '--only', 'failed'],
  ] as const) {
    await write(file, rows);
    for (const shard of ['1', '2'])
      await importing('--shard', `${shard}/2`, '--job', within(`shard${shard}`), ...args);
  }
  await world.run('import-hashes', 'merge', within('shard1'), within('shard2'), '--job', job);
  const all = [...moved, good('cyd,,Cyd'), good('dan,,Dan')];
  const withoutAnn = all.filter((row) => !row.startsWith('ann'));
  for (const [rows, exitCode] of [
    [all, 0],
    [withoutAnn, 7],
  ] as const) {
    await write(file, rows);
    expect(await importing('--job', job, '--only', 'failed')).toMatchObject({ exitCode });
  }
  const users = await readFile(join(job, 'users.csv'), 'utf8');
  expect(users.match(/\n,ann,.*/g)).toEqual([expect.stringMatching(/,created,,$/)]);
  await world.run('undo', job, '--to', within('undo'), '--yes');
  const { users: there } = await world.client.listUsers({ offset: 0, limit: 10 });
  expect(there.filter(({ disabled }) => !disabled)).toEqual([]);
  expect(there).toHaveLength(5);
});
