import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const recipe = recipeOf(`
fields: { user_name: { column: login }, name: { column: name } }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: status, in: [L] } }
`);
const fileOf = (...rows: string[]) =>
  `login,name,status,hash\n${rows.map((row) => `${row},${goodHashes.md5}\n`).join('')}`;

test('how users of any shard differ from their rows is still known when the merged job has its next correction', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), recipe: await recipe };
    const tenant = await startTenant();
    const shards = [1, 2].map((index) => ({
      ...{ ...job, jobDirectory: join(directory, `shard${index}`), shard: { index, of: 2 } },
    }));
    const first = ['a,Ann,A', 'b,Bob,L', 'c,Cid,A', 'd,Dan,A', 'e,Eve,A', 'f,Fay,A', 'g,Guy,A', 'h,Hal,L'];
    const second = ['a,Ann,A', 'b,Bob,A', 'c,Cid,A', 'd,Don,A', 'e,Eve,A', 'f,Fay,L', 'g,Guy,A', 'h,Hel,L'];
    await writeFile(job.file, fileOf(...first));
    for (const shard of shards) await importFile(tenant, shard);
    await writeFile(job.file, fileOf(...second));
    for (const shard of shards) await importFile(tenant, { ...shard, mode: 'only failed' });
    const whole = join(directory, 'whole');
    const jobs = shards.map(({ jobDirectory }) => jobDirectory);
    const codes = { ENABLE: 1, VALUES_CHANGED: 2, DISABLE: 1 };
    expect((await mergeShards(jobs, whole, 'test')).summary).toMatchObject({ created: 8, codes });
    const again = async (...rows: string[]) => {
      await writeFile(job.file, fileOf(...rows));
      return (await importFile(tenant, { ...job, jobDirectory: whole, mode: 'only failed' })).summary;
    };
    expect((await again(...second, 'i,Ida,A')).codes).toEqual(codes);
    // In the file, two are as they were sent. Of another value it is not known whether it is.
    const summary = await again('a,Ann,A', 'b,Bob,L', 'c,Cid,A', 'd,Dan,A', 'e,Eve,A', 'f,Fay,A', 'h,Hel,L');
    expect(summary).toMatchObject({ created: 7, codes: { VALUES_CHANGED: 2 }, without_row: 2 });
  });
});
