import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { packJob } from '../../../src/migration/evidence/pack-evidence.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { readJobStatus } from '../../../src/migration/records/job-status.ts';
import { noticesOf } from '../../../src/migration/report/texts/notices.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const recipe = () =>
  recipeOf(`
fields: { user_name: { column: login }, name: { column: login }, pwd_must_modify: { value: false } }
password: { column: hash, algorithm: { infer: true } }
disable: { where: { column: status, in: [L] } }
`);

/** Writes rows such as `ann L`: a user name, and the letter L for one who may not log in. */
const write = (file: string, rows: readonly string[]) =>
  writeFile(
    file,
    ['login,status,hash', ...rows.map((row) => `${row.replace(' ', ',')},${goodHashes.md5}`), ''].join('\n'),
  );

/** Returns the names of the users whom the tenant has disabled, and of those whom the records of a job say that it has. */
async function disabledIn(tenant: Awaited<ReturnType<typeof startTenant>>, job: string) {
  const { users: found } = await tenant.client.listUsers({ offset: 0, limit: 50 });
  const users: Record<string, string>[] = parse(await readFile(join(job, 'users.csv'), 'utf8'), {
    columns: true,
  });
  const ofTenant = found.flatMap(({ user_name: name, disabled }) => (disabled ? [name] : []));
  const ofJob = users.flatMap(({ user_name: name, disabled }) => (disabled === 'true' ? [name] : []));
  return { tenant: ofTenant.sort(), job: ofJob.sort() };
}

test('the records of a job say whom it disabled, also after its file was corrected twice', async () => {
  await inDirectory(async (directory) => {
    const tenant = await startTenant();
    await tenant.client.importHashedUser({ user_name: 'old', name: 'old' });
    await tenant.client.importHashedUser({ user_name: 'eve', name: 'somebody else' });
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    const options = { file, jobDirectory, recipe: await recipe() };
    await write(file, ['ann L', 'bob A', 'cid L', 'dan L', 'old L', 'eve L']);
    const { summary } = await importFile(tenant, options);
    expect(summary).toMatchObject({ created: 4, to_disable: 5, disabled_after_create: 3 });
    expect(noticesOf(summary).map(({ text }) => text)).toContain(
      '3 users were disabled, as the recipe says. The API cannot enable them again.',
    );
    const names = ['ann', 'cid', 'dan'];
    expect(await disabledIn(tenant, jobDirectory)).toEqual({ tenant: names, job: names });
    // Cid may log in again, of Dan there is no row any more, and Bob may not log in.
    for (const rows of [
      ['ann L', 'bob L', 'cid A', 'fay L'],
      ['fay L', 'ann L', 'bob L', 'cid A', 'gus A'],
    ]) {
      await write(file, rows);
      const corrected = await importFile(tenant, { ...options, mode: 'only failed' });
      expect(corrected.summary).toMatchObject({
        disabled_after_create: 4,
        without_row: 1,
        codes: { DISABLE: 1, ENABLE: 1 },
      });
      const all = [...names, 'fay'];
      expect(await disabledIn(tenant, jobDirectory)).toEqual({ tenant: all, job: all });
    }
    expect((await readJobStatus(jobDirectory, Date.now)).status).toMatchObject({ disabled_after_create: 4 });
    const to = join(directory, 'evidence');
    await packJob(jobDirectory, { to, version: '1.0.0', now: Date.now });
    const evidence = await readFile(to, 'utf8');
    expect(evidence.match(/"result":"created",.*"disabled":true/g)).toHaveLength(4);
  });
});

test('merged shards say whom they disabled', async () => {
  await inDirectory(async (directory) => {
    const tenant = await startTenant();
    const file = join(directory, 'users.csv');
    const whole = join(directory, 'whole');
    await write(file, ['ann L', 'bob L', 'cid A', 'dan A', 'eve L']);
    const jobs = [1, 2].map((index) => join(directory, `shard${index}`));
    for (const [at, jobDirectory] of jobs.entries())
      await importFile(tenant, {
        file,
        jobDirectory,
        recipe: await recipe(),
        shard: { index: at + 1, of: 2 },
      });
    const { summary: merged } = await mergeShards(jobs, whole, 'test');
    expect(merged).toMatchObject({ created: 5, disabled_after_create: 3 });
    const names = ['ann', 'bob', 'eve'];
    expect(await disabledIn(tenant, whole)).toEqual({ tenant: names, job: names });
  });
});

test('the list of a rehearsal says whom it disabled in its own tenant', async () => {
  await inDirectory(async (directory) => {
    const tenant = await startTenant();
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await write(file, ['ann L', 'bob A', 'cid L']);
    const options = { file, jobDirectory, recipe: await recipe(), rehearsal: true };
    const { summary } = await importFile(tenant, options);
    expect(summary).toMatchObject({ created: 3, disabled_after_create: 2 });
    const names = ['ann', 'cid'];
    expect(await disabledIn(tenant, jobDirectory)).toEqual({ tenant: names, job: names });
  });
});
