import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const header = 'user_name,name,email,external_id,algorithm,hash\n';
const otherHash = createHash('md5').update('another').digest('hex');

/** Rows of user name, name, e-mail address and external ID; a fifth cell is a hash. */
async function fileOf(world: TestWorld, name: string, ...rows: string[]): Promise<string> {
  const file = join(world.directory, name);
  const lines = rows.map((row) => {
    const [hash = goodHashes.md5] = row.split(',').slice(4);
    return `${row.split(',').slice(0, 4).join(',')},md5,${hash}\n`;
  });
  await writeFile(file, header + lines.join(''));
  return file;
}

const monday = [
  'ann,Ann,ann@example.com,x-1',
  'bob,Bob,bob@example.com,x-2',
  'cid,Cid,,x-3',
  'dan,Dan,dan@example.com,x-4',
  'eve,Eve,,x-5',
  'fay,Fay,,x-6',
];

/** A tenant with a user who is in no file, and a user with the name in Eve's row; and the import of Monday's file. */
async function imported() {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'admin' });
  await world.client.createUser({ user_name: 'eve', name: 'Somebody Else' });
  const file = await fileOf(world, 'monday.csv', ...monday);
  const job = join(world.directory, 'job');
  expect((await world.run('import-hashes', file, '--job', job)).exitCode).toBe(7);
  const idOf = async (name: string) => (await world.client.getUserByUserName(name)).user_id;
  return { world, job, idOf };
}

async function planSince(world: TestWorld, file: string, job: string, to: string, ...more: string[]) {
  const args = ['--since', job, '--to', to, '--update', '--key', 'external_id', ...more];
  const ended = await world.run('plan', file, ...args);
  const plan: Plan = JSON.parse(await readFile(join(to, 'plan.json'), 'utf8'));
  const vanished: object[] = parse(await readFile(join(to, 'vanished.csv'), 'utf8'), { columns: true });
  return { ...ended, plan, vanished };
}

test('--since decides only about what changed: same, changed, new, renamed, another hash, failed before, and vanished', async () => {
  const { world, job, idOf } = await imported();
  const tuesday = await fileOf(
    world,
    'tuesday.csv',
    'new,New,,x-9',
    'BOB,Bob,bob@example.com,x-2',
    'ann,Ann,ann@example.com,x-1',
    'daniel,Daniel,dan@example.com,x-4',
    'eve,Eve,,x-5',
    `fay,Fay,,x-6,${otherHash}`,
  );
  const to = join(world.directory, 'delta');
  const made = await planSince(world, tuesday, job, to);
  expect(made.exitCode).toBe(7);
  expect(made.stderr).toContain(`Since ${job}: 1 row unchanged, 1 user no longer in the file\n`);
  expect(made.stderr).toContain(
    `Users no longer in the file, whom the plan leaves alone: ${to}/vanished.csv\n`,
  );
  expect(made.plan).toMatchObject({
    since: { job, unchanged: 1, vanished: 1 },
    totals: { create: 1, same: 3, update: 1, disable: 0, conflict: 1, cannot: 1 },
    reasons: { NOBODY: 1, UNCHANGED: 1, EQUAL: 1, DIFFERS: 1, HASH_CHANGED: 1, VANISHED: 1 },
  });
  expect(made.vanished).toEqual([{ row: '3', user_id: await idOf('cid'), reason: 'VANISHED' }]);
  const conflicts = await world.run('plan', 'show', to, '--action', 'conflict', '-o', 'tsv');
  expect(conflicts.stdout).toBe(`5\tOTHER_PERSON\t${await idOf('eve')}\texternal_id name\t\n`);
  const page = await readFile(join(to, 'plan.html'), 'utf8');
  expect(page).toContain(`<bdi>${job}</bdi>: 1 row unchanged, 1 user no longer in the file`);
  const applied = await world.run('apply', to, '--yes', '--json');
  expect(applied.exitCode).toBe(7);
  expect(JSON.parse(applied.stdout)).toMatchObject({ rows: 7, created: 1, updated: 1, existing: 3 });
  expect(await world.client.getUserByUserName('daniel')).toMatchObject({
    name: 'Daniel',
    external_id: 'x-4',
  });
  expect(await readFile(join(to, 'failures.csv'), 'utf8')).toContain('HASH_CHANGED');

  // The delta is a job itself: a user whom it created is unchanged the next day, and one who had vanished is still missing.
  const next = await planSince(world, tuesday, to, join(world.directory, 'next'));
  expect(next.plan).toMatchObject({
    since: { unchanged: 4, vanished: 1 },
    totals: { create: 0, same: 6, update: 0, conflict: 1 },
  });
  expect(next.vanished).toEqual([{ row: '', user_id: await idOf('cid'), reason: 'VANISHED' }]);
});

test('if no row is the same, the message names the options of the earlier command', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'monday.csv');
  await writeFile(
    file,
    `user_name,external_id,hash\nann,1,${goodHashes.md5}\nbob,2,{SSHA}MTIzNDU2Nzg5MDEyMzQ1Njc4OTBzYWx0\n`,
  );
  const job = join(world.directory, 'job');
  const same = ['--algorithm', 'infer', '--foreign-hashes', 'passwordless'];
  expect(await world.run('import-hashes', file, '--job', job, ...same)).toMatchObject({ exitCode: 0 });
  const forgotten = await planSince(
    world,
    file,
    job,
    join(world.directory, 'forgotten'),
    '--algorithm',
    'md5',
  );
  expect(forgotten).toMatchObject({ exitCode: 7, plan: { since: { unchanged: 1 }, totals: { invalid: 1 } } });
  expect(forgotten.stderr).not.toContain('every row differs');
  const other = await planSince(
    world,
    file,
    job,
    join(world.directory, 'other'),
    ...same,
    '--set',
    'pwd_must_modify=false',
  );
  expect(other.plan).toMatchObject({ since: { unchanged: 0 } });
  expect(other.stderr).toContain(
    `Warning: every row differs from the file of ${job}. If that is not expected, give the same options for the file as its command had:\n  tenant-users import-hashes ${file} `,
  );
  const again = await planSince(world, file, job, join(world.directory, 'again'), ...same);
  expect(again).toMatchObject({ exitCode: 0, plan: { since: { unchanged: 2 }, totals: { same: 2 } } });
});

test('with --disable-missing exactly the users are disabled whom the earlier file had, and no other of the tenant', async () => {
  const { world, job, idOf } = await imported();
  const file = await fileOf(world, 'tuesday.csv', ...monday.slice(1, 4));
  const to = join(world.directory, 'delta');
  const args = ['--disable-missing', '--at-most', 'disable=50%', '--with-values'];
  const made = await planSince(world, file, job, to, ...args);
  expect(made).toMatchObject({ exitCode: 0, plan: { totals: { same: 3, disable: 2 } } });
  expect(made.vanished).toEqual([
    { row: '1', user_id: await idOf('ann'), reason: 'ABSENT', user_name: 'ann', external_id: 'x-1' },
    { row: '6', user_id: await idOf('fay'), reason: 'ABSENT', user_name: 'fay', external_id: 'x-6' },
  ]);
  expect((await world.run('apply', to, '--yes')).exitCode).toBe(0);
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  const disabled = users.filter((user) => user.disabled).map(({ user_name: name }) => name);
  expect(disabled.sort()).toEqual(['ann', 'fay']);
  // They were in no row of that file, so they cannot be missing in the next one.
  expect((await planSince(world, file, to, `${to}-next`)).vanished).toEqual([]);
  // The user of a row that fails the checks is unknown, so no user counts as missing.
  await fileOf(world, 'tuesday.csv', 'bob,Bob,no address,x-2');
  const refused = await world.run('plan', file, '--since', to, '--to', `${to}2`, '--disable-missing');
  expect(refused).toMatchObject({ exitCode: 8, stdout: '' });
});

test('a shard and its merge store one file, and what a corrected file changed is stored again', async () => {
  const world = await startWorld();
  const file = await fileOf(world, 'monday.csv', 'ann,Ann,,', 'bob,Bob,no address,', 'cid,Cid,,');
  const jobs = ['one', 'two'].map((name) => join(world.directory, name));
  await world.run('import-hashes', file, '--job', jobs[0] ?? '', '--shard', '1/2');
  await world.run('import-hashes', file, '--job', jobs[1] ?? '', '--shard', '2/2');
  const whole = join(world.directory, 'whole');
  await world.run('import-hashes', 'merge', ...jobs, '--job', whole);
  const first = await planSince(world, file, whole, join(world.directory, 'first'));
  expect(first.plan).toMatchObject({ since: { unchanged: 2, vanished: 0 }, totals: { same: 2, invalid: 1 } });
  const job = join(world.directory, 'corrected');
  await world.run('import-hashes', file, '--job', job);
  await fileOf(world, 'monday.csv', 'cid,Cid,,', 'bob,Bob,bob@example.com,');
  await world.run('import-hashes', file, '--job', job, '--only', 'failed');
  const second = await planSince(world, file, job, join(world.directory, 'second'));
  // The job made ann, who is in no row since the correction.
  expect(second.plan).toMatchObject({ since: { unchanged: 2, vanished: 1 }, totals: { same: 3 } });
});

test('a canary of a ramp that a corrected file changed is not taken for unchanged', async () => {
  const world = await startWorld();
  const file = await fileOf(world, 'monday.csv', 'ann,Ann,,x-1', 'bob,Bob,no address,x-2');
  const [job, canaries] = [join(world.directory, 'job'), join(world.directory, 'canaries.csv')];
  await world.run('import-hashes', file, '--job', job);
  await fileOf(world, 'monday.csv', 'ann,Anna,,x-1', 'bob,Bob,,x-2');
  await writeFile(canaries, 'ann,secret\n');
  const ramp = ['--canary', canaries, '--ramp', 'canaries,100%'];
  const again = await world.run('import-hashes', file, '--job', job, '--only', 'failed', ...ramp);
  expect(again).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('VALUES_CHANGED') });
  const { plan } = await planSince(world, file, job, join(world.directory, 'delta'));
  expect(plan).toMatchObject({ since: { unchanged: 1 }, totals: { same: 1, update: 1 } });
});

test('a job that wrote nothing, another tenant and a missing job are refused: exit code 3', async () => {
  const world = await startWorld();
  const file = await fileOf(world, 'monday.csv', 'ann,Ann,,');
  const [checked, job] = [join(world.directory, 'checked'), join(world.directory, 'job')];
  await world.run('import-hashes', file, '--job', checked, '--dry-run');
  await world.run('import-hashes', file, '--job', job);
  const other = await startWorld();
  for (const [target, directory, reason] of [
    [world, checked, 'its job wrote nothing to a tenant'],
    [world, world.directory, 'it contains no journal'],
    [other, job, 'its job was for another tenant: base_url was'],
  ] as const) {
    const to = join(world.directory, 'plan');
    const refused = await target.run('plan', file, '--since', directory, '--to', to);
    expect(refused).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining(reason) });
  }
});

test('a user who could not be updated by one delta is not forgotten by the next', async () => {
  const { world, job, idOf } = await imported();
  const [ann = '', bob = '', cid = '', dan = ''] = monday;
  // Fay has another hash, Dan an invalid address, Bob the user name of somebody else, and Cid is not in the file.
  const tuesday = await fileOf(
    world,
    'tuesday.csv',
    ann,
    'admin,Bob,bob@example.com,x-2',
    'dan,Dan,no address,x-4',
    `fay,Fay,,x-6,${otherHash}`,
  );
  const to = join(world.directory, 'delta');
  const first = await planSince(world, tuesday, job, to);
  expect(first.plan.totals).toMatchObject({ same: 2, conflict: 1, cannot: 1, invalid: 1 });
  expect(first.vanished).toEqual([{ row: '3', user_id: await idOf('cid'), reason: 'VANISHED' }]);
  expect((await world.run('apply', to, '--yes')).exitCode).toBe(7);
  const args = ['--disable-missing', '--at-most', 'disable=90%'];
  const gone = await planSince(world, await fileOf(world, 'a.csv', ann), to, `${to}-a`, ...args);
  const ids = await Promise.all(['bob', 'dan', 'fay', 'cid'].map(idOf));
  expect(gone.vanished).toEqual(
    ids.map((user_id, at) => ({ row: ['2', '3', '4', ''][at], user_id, reason: 'ABSENT' })),
  );
  expect(gone.plan.totals).toMatchObject({ same: 1, disable: 4 });
  // A user who is in the file again, or still cannot be updated, has not vanished.
  const back = await fileOf(world, 'b.csv', ann, bob, cid, dan, 'fay,Fay,no address,x-6');
  expect((await planSince(world, back, to, `${to}-b`)).vanished).toEqual([]);
  const { vanished } = await planSince(world, tuesday, to, `${to}-c`);
  expect(vanished).toEqual([{ row: '', user_id: await idOf('cid'), reason: 'VANISHED' }]);
});
