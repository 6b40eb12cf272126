import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

/** A tenant with the users of Monday's file. `plan`: makes a delta of these rows, and returns its counts. */
async function monday() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (...rows: string[]) =>
    writeFile(within('staff.csv'), `user_name,name,external_id\n${rows.map((row) => `${row}\n`).join('')}`);
  await write('ann,Ann,x-1', 'bob,Bob,x-2', 'cid,Cid,x-3', 'dan,Dan,x-3');
  const words = [within('staff.csv'), '--allow-passwordless', '--accept', 'DUPLICATE_EXTERNAL_ID'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  const plan = async (to: string, since: string, rows: string[], ...more: string[]) => {
    await write(...rows);
    const how = ['--since', within(since), '--to', within(to), '--json', ...more];
    const { exitCode, stdout } = await world.run('plan', ...words, ...how);
    const { reasons } = JSON.parse(stdout);
    return { exitCode, reasons };
  };
  return { world, within, plan };
}

const renamed = ['annika,Ann,x-1', 'bob,Bob,x-2', 'cid,Cid,x-3', 'dan,Dan,x-3', 'eve,Eve,x-3'];

test('a renamed person is not created again by a delta, unless several people share the external ID', async () => {
  const { world, within, plan } = await monday();
  const first = { exitCode: 7, reasons: { OTHER_NAMES: 1, UNCHANGED: 3, NOBODY: 1 } };
  expect(await plan('tuesday', 'job', renamed)).toEqual(first);
  expect(await world.run('apply', within('tuesday'), '--yes')).toMatchObject({ exitCode: 7 });
  // It is still the same person the next day.
  const second = { exitCode: 7, reasons: { OTHER_NAMES: 1, UNCHANGED: 4 } };
  expect(await plan('wednesday', 'tuesday', renamed)).toEqual(second);
  const { total } = await world.client.listUsers({ offset: 0, limit: 10 });
  expect(total).toBe(5);
});

test('a renamed person is updated by a delta that recognises people by the external ID', async () => {
  const { plan } = await monday();
  const rows = renamed.slice(0, 2);
  const how = ['--key', 'external_id', '--update'];
  expect(await plan('tuesday', 'job', rows, ...how)).toMatchObject({ reasons: { DIFFERS: 1, UNCHANGED: 1 } });
});

test('a renamed person whose hash changed, too, is updated only in part: exit code 7', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (row: string) =>
    writeFile(within('staff.csv'), `user_name,name,external_id,algorithm,hash\n${row}\n`);
  await write(`ann,Ann,x-1,md5,${goodHashes.md5}`);
  await world.run('import-hashes', within('staff.csv'), '--job', within('job'));
  const how = ['--since', within('job'), '--key', 'external_id', '--update', '--json'];
  const plan = async (to: string) => {
    const { exitCode, stdout } = await world.run('plan', within('staff.csv'), '--to', within(to), ...how);
    return { exitCode, plan: JSON.parse(stdout) };
  };
  await write(`annika,Ann,x-1,md5,${goodHashes.md5}`);
  const same = await plan('same');
  expect(same).toMatchObject({ exitCode: 0, plan: { reasons: { DIFFERS: 1 } } });
  expect(same.plan).not.toHaveProperty('updates_in_part');
  await write(`annika,Ann,x-1,md5,${goodHashes.md5.replace(/^./, '0')}`);
  expect(await plan('other')).toMatchObject({
    exitCode: 7,
    plan: { reasons: { DIFFERS: 1 }, updates_in_part: 1 },
  });
});

test('a user who was renamed in the tenant is not created again', async () => {
  const { world, plan } = await monday();
  const { user_id: bob } = await world.client.getUserByUserName('bob');
  await world.client.updateUser(bob, { user_name: 'robert' });
  expect(await plan('tuesday', 'job', ['bob,Bobby,x-2'])).toMatchObject({ reasons: { OTHER_NAMES: 1 } });
});

test('somebody who shares the external ID of an unchanged row is created by a delta', async () => {
  const { plan } = await monday();
  const rows = ['ann,Ann,x-1', 'eve,Eve,x-1'];
  expect(await plan('tuesday', 'job', rows)).toMatchObject({ reasons: { UNCHANGED: 1, NOBODY: 1 } });
});
