import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

const withoutStatus = recipeOf(
  'fields: { user_name: { column: login }, email: { column: mail } }\npassword: { column: pwd, algorithm: { value: md5 } }',
);
const withStatus = recipeOf(
  'fields: { user_name: { column: login }, email: { column: mail } }\npassword: { column: pwd, algorithm: { value: md5 } }\ndisable: { where: { column: status, in: [L] } }',
);
const otherHash = '0cc175b9c0f1b6a831c399e269772661';
type Line = readonly [login: string, mail: string, status: string, hash?: string];

const write = (file: string, lines: readonly Line[]) =>
  writeFile(
    file,
    ['login,mail,status,pwd', ...lines.map((line) => [...line, goodHashes.md5].slice(0, 4).join())].join(
      '\n',
    ),
  );
const usersOf = async (tenant: Tenant) => {
  const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
  return users.map((user) => [user.user_name, user.email, user.disabled]);
};

test.each<{ what: string; before: Line[]; isStatusKnown?: boolean; after?: Line[]; users: unknown[] }>([
  {
    what: 'whose recipe had no status, beside a later row with the user name',
    before: [
      ['ann', 'a@x.org', 'L'],
      ['ann', 'a2@x.org', 'A', otherHash],
    ],
    isStatusKnown: false,
    users: [['ann', 'a@x.org', true]],
  },
  {
    what: 'whose status is corrected, beside a later row with the address',
    before: [
      ['ann', 'a@x.org', 'A'],
      ['anna', 'a@x.org', 'A'],
    ],
    after: [
      ['ann', 'a@x.org', 'L'],
      ['anna', 'a@x.org', 'A'],
    ],
    users: [['ann', 'a@x.org', true]],
  },
  {
    what: 'whose status is corrected, beside an earlier row that is new',
    before: [['ann', 'a@x.org', 'A']],
    after: [
      ['anna', 'a@x.org', 'A'],
      ['ann', 'a@x.org', 'L'],
    ],
    users: [['ann', 'a@x.org', true]],
  },
  {
    what: 'who is not disabled, beside an earlier row that is',
    before: [
      ['ann', 'a0@x.org', 'L', otherHash],
      ['ann', 'a@x.org', 'A'],
    ],
    after: [
      ['zoe', 'z@x.org', 'A'],
      ['ann', 'a0@x.org', 'L', otherHash],
      ['ann', 'a3@x.org', 'A'],
    ],
    users: [
      ['ann', 'a@x.org', false],
      ['zoe', 'z@x.org', false],
    ],
  },
  {
    what: 'who is not disabled, beside a row that says the contrary only',
    before: [
      ['ann', 'a@x.org', 'L'],
      ['ann', 'a@x.org', 'A'],
    ],
    after: [
      ['zoe', 'z@x.org', 'A'],
      ['ann', 'a@x.org', 'L'],
      ['ann', 'a@x.org', 'A'],
    ],
    users: [
      ['ann', 'a@x.org', false],
      ['zoe', 'z@x.org', false],
    ],
  },
])(
  'a corrected file is about the user of the job $what',
  async ({ before, isStatusKnown = true, after, users }) => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'users.csv');
      const job = { file, jobDirectory: join(directory, 'job') };
      const tenant = await startTenant();
      await write(file, before);
      await importFile(tenant, { ...job, recipe: await (isStatusKnown ? withStatus : withoutStatus) });
      await write(file, after ?? before);
      const again = { ...job, recipe: await withStatus, mode: 'only failed' as const };
      // A preview counts the same rows.
      const onPreview = ({ whole }: { whole: { ready: number } }) => expect(whole.ready).toBe(users.length);
      await importFile(tenant, { ...again, onPreview });
      expect((await usersOf(tenant)).sort()).toEqual(users);
      await importFile(tenant, again);
      expect((await usersOf(tenant)).sort()).toEqual(users);
    });
  },
);

test('a user whose request had no answer keeps the row if the file is corrected', async () => {
  await inDirectory(async (directory) => {
    const [file, killed] = [join(directory, 'users.csv'), join(directory, 'killed')];
    const tenant = await startTenant();
    const lines: Line[] = [
      ['ann', 'a@x.org', 'L'],
      ['anna', 'a@x.org', 'A', otherHash],
    ];
    await write(file, lines);
    const importHashedUser: Tenant['importHashedUser'] = async (user) => {
      const answer = await tenant.importHashedUser(user);
      cpSync(join(directory, 'job'), killed, { recursive: true });
      return answer;
    };
    const job = { file, recipe: await withoutStatus, jobDirectory: join(directory, 'job') };
    await importFile({ ...tenant, importHashedUser }, job);
    const next = {
      ...job,
      recipe: await withStatus,
      jobDirectory: killed,
      mode: 'only failed' as const,
      accept: ['KEY_CHANGED' as const],
    };
    const { summary } = await importFile(tenant, next);
    expect([summary.codes, await usersOf(tenant)]).toEqual([
      // Nobody knows whether she registered herself.
      { DUPLICATE_EMAIL: 1, NOT_DISABLED: 1 },
      [['ann', 'a@x.org', false]],
    ]);
  });
});
