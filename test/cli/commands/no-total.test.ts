import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, startPeer } from '../../client/start-peer.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { environmentFor, startWorld } from '../../world.ts';

const nobody = json(400, { error_code: 'SVC.TENANT.USER.0001', error_msg: 'User not found' });

/** A tenant with Ann and Bob that sends no number of users, and a file of three people. */
async function withoutTotal() {
  const { directory, runWith } = await startWorld();
  const users = ['ann', 'bob'].map((user_name) => ({
    user_id: `u-${user_name}`,
    user_name,
    disabled: false,
  }));
  const { baseUrl } = await startPeer({
    call(received, response) {
      const { user_name = '' } = received.body === '' ? {} : JSON.parse(received.body);
      const found = users.find((user) => user.user_name === user_name);
      if (received.method === 'GET') json(200, { users })(received, response);
      else if (received.url.includes('/user-by-')) (found ? json(200, found) : nobody)(received, response);
      else json(200, { user_id: `u-${user_name}` })(received, response);
    },
  });
  const file = join(directory, 'people.csv');
  const rows = ['ann', 'bob', 'cid'].map((name) => `${name},md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,algorithm,hash\n${rows.join('')}`);
  const to = join(directory, 'plan');
  const run = (...words: string[]) => runWith({ env: environmentFor(baseUrl) }, ...words);
  return { to, run, plan: (...options: string[]) => run('plan', file, '--to', to, ...options) };
}

const noTotal = 'the service did not send the number of users';

test('status and doctor say that a service does not send the number of users', async () => {
  const { run } = await withoutTotal();
  const status = await run('status');
  expect(status.exitCode).toBe(0);
  expect(status.stderr).toContain(`The token is accepted; ${noTotal}.\n`);
  const { exitCode, stdout } = await run('doctor', '--json');
  expect(exitCode).toBe(0);
  const users = { name: 'users', status: 'warning', message: noTotal };
  expect(JSON.parse(stdout).checks).toContainEqual(expect.objectContaining(users));
});

test('a plan without the number of users is made by look-ups, shown and applied', async () => {
  const { to, run, plan } = await withoutTotal();
  expect(await plan()).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(await readFile(join(to, 'plan.json'), 'utf8'))).toMatchObject({
    users: null,
    asked: `look-ups, since ${noTotal}: 3 requests or more`,
    totals: { create: 1, same: 2, disable: 0 },
  });
  expect(await readFile(join(to, 'plan.html'), 'utf8')).toContain('The file has 3 rows. Applying');
  expect(await run('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
});

test('a limit on users to disable is judged, and said, without the number of users', async () => {
  const { plan } = await withoutTotal();
  const leavers = ['--disable-all', '--key', 'user_name', '--at-most'];
  const refused = await plan(...leavers, 'disable=10%');
  expect(refused.exitCode).toBe(8);
  expect(refused.stderr).toContain(
    `the plan would disable 2 users, and at most 1 (10%) are allowed; ${noTotal}\n`,
  );
  expect(await plan(...leavers, 'disable=2')).toMatchObject({ exitCode: 7 });
});

test('a plan that needs a complete listing is refused if the service does not send the number of users', async () => {
  const { plan } = await withoutTotal();
  const { exitCode, stderr } = await plan('--disable-missing');
  expect(exitCode).toBe(10);
  expect(stderr).toContain(`the tenant was not listed completely: ${noTotal}\n`);
  expect(stderr).toContain('Only a complete listing will do, since users who are not in the file count.');
});
