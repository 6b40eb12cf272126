import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** A tenant with the users of Monday's file. `plan`: makes a plan of these rows since a job, and returns its reasons. */
async function monday(...first: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (rows: readonly string[]) =>
    writeFile(within('staff.csv'), `user_name,email,external_id\n${rows.map((row) => `${row}\n`).join('')}`);
  const words = [within('staff.csv'), '--allow-passwordless'];
  await write(first);
  await world.run('import-hashes', ...words, '--job', within('monday'));
  async function plan(since: string, to: string, rows: readonly string[], ...more: string[]) {
    await write(rows);
    const how = ['--since', within(since), '--to', within(to), ...more];
    const { exitCode, stderr } = await world.run('plan', ...words, ...how);
    const made = exitCode === 8 ? '{}' : await readFile(join(within(to), 'plan.json'), 'utf8');
    return { exitCode, stderr, reasons: JSON.parse(made).reasons };
  }
  return { world, within, plan };
}

const people = ['ann,ann@x.example,', 'bob,bob@x.example,', 'cid,cid@x.example,'];
const renamed = ['anna,anna@x.example,', 'bob,bob@x.example,', 'cid,cid@x.example,', 'dan,,'];

test('a delta creates nobody for a row that seems to be a user of the earlier file, on the next days neither', async () => {
  const { world, within, plan } = await monday(...people);
  const reasons = { KEY_CHANGED: 1, UNCHANGED: 2, NOBODY: 1, PERHAPS_VANISHED: 1 };
  const tuesday = await plan('monday', 'tuesday', renamed);
  expect(tuesday).toMatchObject({ exitCode: 7, reasons });
  expect(tuesday.stderr).toContain(
    'Warning: users no longer in the file are not listed: 1 row, invalid or KEY_CHANGED, may be about some of them',
  );
  const { stdout } = await world.run('plan', 'show', within('tuesday'), '--action', 'conflict', '-o', 'tsv');
  const { user_id: ann } = await world.client.getUserByUserName('ann');
  expect(stdout).toBe(`1\tKEY_CHANGED\t\t\t${ann}\n`);
  const applied = await world.run('apply', within('tuesday'), '--yes', '--json');
  expect(JSON.parse(applied.stdout)).toMatchObject({ created: 1, conflict: 1, codes: { KEY_CHANGED: 1 } });
  const failures = await readFile(join(within('tuesday'), 'failures.csv'), 'utf8');
  expect(failures).toContain(`; user of the earlier file: ${ann}`);
  const wednesday = await plan('tuesday', 'wednesday', renamed);
  expect(wednesday.reasons).toEqual({ KEY_CHANGED: 1, UNCHANGED: 3, PERHAPS_VANISHED: 1 });
  const { total } = await world.client.listUsers({ offset: 0, limit: 10 });
  expect(total).toBe(4);
  await world.client.updateUser(ann, { user_name: 'anna', email: 'anna@x.example' });
  for (const since of ['monday', 'tuesday']) {
    const again = await plan(since, `after ${since}`, renamed);
    expect(again.reasons).not.toHaveProperty('KEY_CHANGED');
    expect(again.reasons).not.toHaveProperty('NOBODY');
  }
});

test('--disable-missing disables nobody while a row seems to be a user of the earlier file', async () => {
  const { plan } = await monday(...people);
  const how = ['--disable-missing', '--at-most', 'disable=100%'];
  const refused = await plan('monday', 'plan', renamed, ...how);
  expect(refused).toMatchObject({ exitCode: 8, reasons: undefined });
  expect(refused.stderr).toContain('1 row fails the checks (row 1: KEY_CHANGED), and');
  const accepted = await plan('monday', 'plan', renamed, ...how, '--accept', 'KEY_CHANGED');
  expect(accepted).toMatchObject({ exitCode: 0, reasons: { UNCHANGED: 2, NOBODY: 2, ABSENT: 1 } });
});

test.each([
  ['--accept KEY_CHANGED says so', people, renamed, ['--accept', 'KEY_CHANGED'], 2],
  ['--key says who is who', people, renamed, ['--key', 'user_name'], 2],
  ['both rows have an external ID', ['ann,,x-1', 'bob,,x-2'], ['anna,,x-9', 'bob,,x-2'], [], 1],
  [
    'all have one, and more came than left',
    ['ann,,x-1', 'bob,,x-2'],
    ['zoe,,x-8', 'yan,,x-9', 'bob,,x-2'],
    [],
    2,
  ],
  [
    'the external ID tells who has another name',
    ['ann,,x-1', 'bob,,x-2'],
    ['zoe,,', 'anna,,x-1', 'bob,,x-2'],
    [],
    1,
  ],
  ['the earlier row is still there', people, ['anna,,', ...people], [], 1],
  ['those who left stood elsewhere', people, ['zoe,,', ...people.slice(0, 2)], [], 1],
])('a delta creates the user of a row if %s', async (_, before, after, more, created) => {
  const { plan } = await monday(...before);
  const { reasons } = await plan('monday', 'plan', after, ...more);
  expect(reasons).toMatchObject({ NOBODY: created });
  expect(reasons).not.toHaveProperty('KEY_CHANGED');
});

test('a delta in another order creates newcomers, and says that they may be users of the earlier file', async () => {
  const { plan } = await monday(...people);
  const other = ['cid,cid@x.example,', 'zoe,zoe@x.example,', 'bob,bob@x.example,', 'yan,yan@x.example,'];
  const { exitCode, stderr, reasons } = await plan('monday', 'plan', other);
  expect({ exitCode, reasons }).toEqual({
    exitCode: 0,
    reasons: { UNCHANGED: 2, NOBODY: 2, VANISHED: 1 },
  });
  expect(stderr).toContain(
    'Warning: The rows are in another order than in the earlier file, so nobody can tell a user with other identifiers from a newcomer',
  );
});
