import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from './hashes.ts';
import { recipeOf } from './recipes/recipe-of.ts';
import { importFile, inDirectory } from './run-import.ts';
import { startTenant } from './start-tenant.ts';

const recipe = recipeOf(`
fields: { external_id: { column: id } }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: status, in: [L] } }
`);

test.each(['before', 'after'])(
  'a kill %s the call that disables a user of a corrected file loses nobody',
  async (when) => {
    await inDirectory(async (directory) => {
      const [file, killed] = [join(directory, 'users.csv'), join(directory, 'killed')];
      const job = { file, jobDirectory: join(directory, 'job'), recipe: await recipe };
      const write = (status: string) =>
        writeFile(file, `id,status,hash\n1,${status},${goodHashes.md5}\n2,A,${goodHashes.md5}\n`);
      await write('A');
      const tenant = await startTenant();
      expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2 });

      await write('L');
      const disable = tenant.client.disableUser;
      const disableUser = async (id: string) => {
        const answer = when === 'after' ? await disable(id) : undefined;
        cpSync(job.jobDirectory, killed, { recursive: true });
        if (!answer) throw new Error('killed before');
        return answer;
      };
      await importFile({ ...tenant, disableUser }, { ...job, mode: 'only failed' });

      const next = { ...job, jobDirectory: killed, mode: 'only failed' as const };
      expect((await importFile(tenant, next)).summary).toMatchObject({ created: 2, codes: {} });
      expect(tenant.sent).toHaveLength(2);
      const { total, users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
      expect({ total, disabled: users.filter((user) => user.disabled).length }).toEqual({
        total: 2,
        disabled: 1,
      });
    });
  },
);
