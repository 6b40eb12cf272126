import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listedUser, listedUsers, startListing } from '../../../client/start-listing.ts';
import { environmentFor, startWorld } from '../../../world.ts';

const users = Array.from({ length: 40 }, (_, index) =>
  listedUser(index, {
    name: `Person ${index}`,
    extension: { badge: `E${1000 + index}`, department: index % 2 === 0 ? 'IT' : 'Sales' },
  }),
);

async function startBefore(...listing: Parameters<typeof startListing>) {
  const { baseUrl } = await startListing(...listing);
  const world = await startWorld();
  const env = environmentFor(baseUrl);
  const file = join(world.directory, 'learned.json');
  return { ...world, file, learn: (...args: string[]) => world.runWith({ env }, 'tenant', 'learn', ...args) };
}

test('a rehearsal with a learned definition rejects a row that is unlike every user of the tenant', async () => {
  const { run, learn, file, directory } = await startBefore(users);
  expect(await learn('--output-file', file)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Learned from 40 users; review 7 comments marked "Check:"\n',
  });
  expect((await run('tenant', 'check', file)).exitCode).toBe(0);

  const csv = join(directory, 'legacy.csv');
  const rows = ['ann,Ann,E2000,IT', 'bob,Bob,2001,IT', 'cid,,E2002,IT', 'dan,Dan,E2000,IT'].map(
    (row) => `${row},md5,e10adc3949ba59abbe56e057f20f883e\n`,
  );
  await writeFile(
    csv,
    `user_name,name,extension.badge,extension.department,algorithm,hash\n${rows.join('')}`,
  );
  const rehearsal = ['import-hashes', csv, '--rehearse', '--tenant', file, '--job', join(directory, 'job')];
  const { exitCode, stdout } = await run(...rehearsal, '--json');
  expect(exitCode).toBe(7);
  expect(JSON.parse(stdout)).toMatchObject({
    created: 1,
    codes: { 'SVC.TENANT.USER.0033': 1, 'SVC.TENANT.USER.0003': 1, 'SVC.TENANT.USER.0037': 1 },
  });
});

test('the draft contains values only on request, and only those that many users share', async () => {
  const { learn } = await startBefore(users);
  expect((await learn()).stdout).not.toMatch(/Sales|E10|Person/);
  const { stdout } = await learn('--with-values', '--json');
  expect(JSON.parse(stdout).extension.department.pattern).toBe('^(?:IT|Sales)$');
  expect(stdout).not.toMatch(/E10|Person/);
  expect(await learn('--columns', 'tenant_id', '-o', 'csv')).toMatchObject({
    stdout: 'tenant_id\nlearned\n',
  });
});

test('if the list of users may be incomplete, the draft and exit code 10 say so, and no file is replaced', async () => {
  const shrinking = listedUsers(250);
  const { learn, file } = await startBefore(shrinking, ({ offset, answer }) => {
    if (offset === 1) shrinking.splice(0, 1);
    answer();
  });
  const { exitCode, stderr } = await learn('--output-file', file);
  expect({ exitCode, isThere: existsSync(file) }).toEqual({ exitCode: 10, isThere: false });
  expect(stderr).toContain('the listing is incomplete: the total fell from 250 to 249');
  shrinking.push(listedUser(250));
  const printed = await learn();
  expect(printed.exitCode).toBe(10);
  expect(printed.stdout).toContain('Learned from a listing of 249 users, which may not be all.');
});
