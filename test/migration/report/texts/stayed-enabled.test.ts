import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adviseNext } from '../../../../src/migration/report/texts/advice.ts';
import { noticesOf } from '../../../../src/migration/report/texts/notices.ts';
import { notDisabledJob } from '../../cohort/not-disabled-job.ts';
import { goodHashes } from '../../hashes.ts';
import { recipeOf } from '../../recipes/recipe-of.ts';
import { importFile, inDirectory, runImport } from '../../run-import.ts';
import { startTenant } from '../../start-tenant.ts';

test('users whom a job created and could not disable are advised as such, and not as rows to correct', async () => {
  await inDirectory(async (directory) => {
    const { options, failing } = await notDisabledJob(directory, 'user_name');
    const { summary } = await importFile(failing, options);
    expect(summary).toMatchObject({ failed: 1, stayed_enabled: 1 });
    const command = { words: ['import-hashes', 'x.csv'], rehearsal: [], connection: [], consent: [] };
    expect(adviseNext(summary, command)).toEqual([
      {
        text: '1 user is still enabled, although the file says otherwise: rerun with --only failed to disable them.',
        commands: ['tenant-users import-hashes x.csv --only failed'],
      },
    ]);
  });
});

test.each([
  [['ann,L'], []],
  [['ann,L', 'bob,A'], []],
  [
    ['ann,L', 'bob,L'],
    ['1 user was disabled, as the recipe says.', 'holds for 2 of 2 rows.', 'holds for most of the file.'],
  ],
  [
    ['ann,L', 'cid,L', 'eve,L'],
    ['1 user was disabled, as the recipe says.', 'holds for 3 of 3 rows.', 'holds for most of the file.'],
  ],
])(
  'of %j, the summary counts nobody as disabled who was there before and stayed enabled',
  async (rows, said) => {
    const tenant = await startTenant();
    await tenant.client.importHashedUser({ user_name: 'ann', name: 'ann' });
    await tenant.client.importHashedUser({ user_name: 'eve', name: 'somebody else' });
    const recipe = await recipeOf(`
fields: { user_name: { column: login }, name: { column: login }, pwd_must_modify: { value: false } }
password: { column: hash, algorithm: { infer: true } }
disable: { where: { column: status, in: [L] } }
`);
    const content = ['login,status,hash', ...rows.map((row) => `${row},${goodHashes.md5}`)].join('\n');
    const { summary } = await runImport(content, { recipe }, tenant);
    expect(summary.codes).toMatchObject({ NOT_DISABLED: 1 });
    const texts = noticesOf(summary).flatMap(({ text }) => (text.includes('disable') ? [text] : []));
    expect(texts).toEqual(said.map((text) => expect.stringContaining(text)));
  },
);

test('the summary of a corrected file counts no user as disabled whom it leaves to a plan', async () => {
  await inDirectory(async (directory) => {
    const tenant = await startTenant();
    const recipe = await recipeOf(`
fields: { user_name: { column: login }, pwd_must_modify: { value: false } }
password: { column: hash, algorithm: { infer: true } }
disable: { where: { column: status, in: [L] } }
`);
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), recipe };
    const importing = async (...statuses: string[]) => {
      const rows = statuses.map((status, row) => `u${row},${status},${goodHashes.md5}\n`);
      await writeFile(job.file, `login,status,hash\n${rows.join('')}`);
      const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
      return noticesOf(summary).flatMap(({ text }) => (text.includes('as the recipe says') ? [text] : []));
    };
    await writeFile(job.file, `login,status,hash\nu0,A,${goodHashes.md5}\nu1,L,${goodHashes.md5}\n`);
    await importFile(tenant, job);
    expect(await importing('L', 'L')).toEqual([expect.stringMatching(/^1 user was disabled/)]);
    // The second user stays disabled, and the first is left enabled.
    expect(await importing('L', 'A')).toEqual([expect.stringMatching(/^1 user was disabled/)]);
  });
});
