import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunPreview } from '../../../src/migration/carry-over/trial.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

const recipe = recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: status, in: [L] } }
`);
const fileOf = (...rows: string[]) =>
  `login,status,hash\n${rows.map((row) => `${row},${goodHashes.md5}\n`).join('')}`;
const unanswered = () => Promise.reject(new Error('no answer'));

/** A tenant in which the calls that disable users get no answers, whether they are carried out or not. */
function disablingUnanswered(tenant: Tenant, isCarriedOut: boolean): Tenant {
  const disableUser = async (id: string) => {
    if (isCarriedOut) await tenant.disableUser(id);
    return unanswered();
  };
  return { ...tenant, disableUser };
}

test.each([
  { what: 'carried out', isCarriedOut: true, codes: { ENABLE: 1 } },
  { what: 'not carried out', isCarriedOut: false, codes: {} },
])(
  'a user whose disable without an answer was $what is looked up if the corrected file says they may log in',
  async ({ isCarriedOut, codes }) => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'users.csv');
      const job = { file, jobDirectory: join(directory, 'job'), recipe: await recipe };
      const tenant = await startTenant();
      await writeFile(file, fileOf('ann,A', 'bob,L'));
      await importFile(disablingUnanswered(tenant, isCarriedOut), job);
      await writeFile(file, fileOf('ann,A', 'bob,A'));
      const previews: RunPreview[] = [];
      const onPreview = (preview: RunPreview) => void previews.push(preview);
      const again = { ...job, mode: 'only failed' as const, onPreview };
      const unread = await importFile({ ...tenant, getUser: unanswered }, again);
      expect(unread.summary).toMatchObject({ created: 1, codes: { NOT_DISABLED: 1 } });
      expect(previews, 'nobody is imported again').toMatchObject([{ sent: { ready: 0 } }]);
      const { summary, changed } = await importFile(tenant, again);
      expect([summary.created, summary.codes, changed]).toEqual([2, codes, 0]);
      const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
      const disabled = users.filter((user) => user.disabled).map((user) => user.user_name);
      expect([disabled, tenant.sent.length]).toEqual([isCarriedOut ? ['bob'] : [], 2]);
    });
  },
);
