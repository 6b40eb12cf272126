import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NewUser } from '../../../../src/contract/wire.ts';
import type { ActionLine, Plan } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const header = 'user_name,name,email,external_id,algorithm,hash\n';
const rowOf = (row: string) => `${row},md5,${goodHashes.md5}\n`;

async function fileOf(world: TestWorld, ...rows: string[]): Promise<string> {
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, header + rows.map(rowOf).join(''));
  return file;
}

async function worldWith(...users: NewUser[]) {
  const world = await startWorld();
  const ids: string[] = [];
  for (const user of users) ids.push((await world.client.createUser(user)).user_id);
  return { world, ids, to: join(world.directory, 'plan') };
}

async function linesOf(directory: string): Promise<ActionLine[]> {
  const text = await readFile(join(directory, 'actions.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const ann = { user_name: 'ann', name: 'Ann Lee', email: 'ann@example.com', external_id: 'x-1' };

test('each row gets an action with its reason, the tenant is not changed, and the plan contains no names', async () => {
  const { world, ids, to } = await worldWith(ann, { user_name: 'bob', name: 'Bob' }, { user_name: 'zoe' });
  await world.client.disableUser(ids[2] ?? '');
  const rows = [
    'ann,Ann Lee,ann@example.com,x-1',
    'bob,Robert,,',
    'cid,Cid Fox,,',
    'zoe,,,',
    'dan,,no address,',
  ];
  const file = await fileOf(world, ...rows);
  const { exitCode, stdout, stderr } = await world.run('plan', file, '--to', to, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 7, stderr: '' });
  const plan: Plan = JSON.parse(stdout);
  expect(plan.totals).toEqual({
    create: 1,
    same: 1,
    update: 0,
    disable: 0,
    conflict: 1,
    cannot: 1,
    invalid: 1,
    skipped: 0,
  });
  expect(plan).toMatchObject({
    users: 3,
    target: { base_url: world.baseUrl },
    people: { must_change_password: 1 },
  });
  expect(await linesOf(to)).toMatchObject([
    { row: 1, action: 'same', reason: 'EQUAL', user_id: ids[0] },
    { row: 2, action: 'conflict', reason: 'OTHER_PERSON', fields: ['name'], owners: [{ userId: ids[1] }] },
    { row: 3, action: 'create', reason: 'NOBODY' },
    { row: 4, action: 'cannot', reason: 'ENABLE', user_id: ids[2] },
    { row: 5, action: 'invalid', reason: 'EMAIL' },
  ]);
  const texts = await Promise.all((await readdir(to)).map((name) => readFile(join(to, name), 'utf8')));
  for (const value of ['Robert', 'Cid Fox', 'ann@', '"x-1"', goodHashes.md5])
    expect(texts.join()).not.toContain(value);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});

test('--key and --update make updates, and --with-values shows what changes, but never a hash', async () => {
  const { world, ids, to } = await worldWith({ ...ann, extension: { age: '7' } });
  const file = await fileOf(world, 'anna,Ann Smith,ann@example.com,x-1');
  const args = ['plan', file, '--to', to, '--key', 'external_id', '--with-values'];
  const { exitCode } = await world.run(...args, '--update', 'name');
  expect({ exitCode, lines: await linesOf(to) }).toMatchObject({
    exitCode: 0,
    lines: [{ action: 'update', user_id: ids[0], fields: ['name'], user_name: 'anna' }],
  });
  await world.run(...args, '--update');
  const [line] = await linesOf(to);
  expect(line).toMatchObject({
    fields: ['user_name', 'name'],
    changes: { user_name: { from: 'ann', to: 'anna' }, name: { from: 'Ann Lee', to: 'Ann Smith' } },
  });
  expect(JSON.stringify(line)).not.toContain(goodHashes.md5);
  const totals = await world.run('plan', 'show', to);
  expect(totals.stderr).toContain('Fields that change: name (1), user_name (1)\n');
  expect(totals.stderr).toContain(`For example: update row 1 (user ${ids[0]}): user_name, name\n`);
  expect(totals.stderr).not.toMatch(/anna|Smith/);
  const page = await readFile(join(to, 'plan.html'), 'utf8');
  expect(page).toContain('Of 1 user to update');
  expect(page).toContain('<dd>--key external_id --update</dd>');
  const shown = await world.run('plan', 'show', to, '--action', 'update', '-o', 'csv');
  expect(shown).toMatchObject({
    exitCode: 0,
    stdout: `row,reason,user_id,fields,user_name\n1,DIFFERS,${ids[0]},user_name name,anna\n`,
  });
});

test.each([
  ['external_id', 'the API cannot change an external ID'],
  ['hash', 'the API cannot change the password hash'],
  ['pwd_must_modify', 'the API cannot change pwd_must_modify'],
  ['shoe_size', 'unknown field "shoe_size"'],
])('--update %s is refused before the file is read', async (field, reason) => {
  const { world } = await worldWith();
  for (const update of [[`name,${field}`], [field, '--update', 'name']]) {
    const ended = await world.run('plan', 'nowhere.csv', '--update', ...update);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(reason) });
  }
});

test('--disable-missing disables users without a row, and never more than the limit allows', async () => {
  const { world, ids, to } = await worldWith(ann, { user_name: 'bob' }, { user_name: 'cid' });
  const file = await fileOf(world, 'ann,,,');
  const args = ['plan', file, '--to', to, '--disable-missing'];
  expect(await world.run(...args)).toMatchObject({
    exitCode: 8,
    stdout: '',
    stderr: expect.stringContaining('would disable 2 of 3 users, and at most 1 (10%) are allowed'),
  });
  expect(existsSync(to)).toBe(false);
  expect(await world.run(...args, '--at-most', 'disable=2')).toMatchObject({ exitCode: 0 });
  expect((await linesOf(to)).slice(1)).toMatchObject([
    { row: null, action: 'disable', reason: 'ABSENT', user_id: ids[1] },
    { row: null, action: 'disable', reason: 'ABSENT', user_id: ids[2] },
  ]);
  const worse = await fileOf(world, 'ann,,,', 'bob,,no address,');
  const refused = await world.run('plan', worse, '--to', to, '--disable-missing', '--at-most', 'disable=90%');
  expect(refused).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('1 row fails the checks') });
});

test('a limit of 0% allows nobody to be disabled, and a higher one at least one user', async () => {
  const { world, to } = await worldWith(ann, { user_name: 'bob' });
  const args = ['plan', await fileOf(world, 'ann,,,'), '--to', to, '--disable-missing', '--at-most'];
  expect(await world.run(...args, 'disable=0%')).toMatchObject({
    exitCode: 8,
    stdout: '',
    stderr: expect.stringContaining('would disable 1 of 2 users, and at most 0 (0%) are allowed'),
  });
  expect(await world.run(...args, 'disable=1%')).toMatchObject({ exitCode: 0 });
});

test('the tenant is read in the cheaper way, which is printed, with the same decisions', async () => {
  const many = Array.from({ length: 250 }, (_, at) => ({
    user_name: `user${at}`,
    mobile: `${15200000000 + at}`,
  }));
  const { world, to } = await worldWith(...many, ann);
  const file = await fileOf(world, 'ann,Ann Lee,ann@example.com,');
  const few = await world.run('plan', file, '--to', to);
  expect(few.stderr).toContain(
    'Tenant asked by look-ups, since they are cheaper: 2 requests or more; a listing has 4 pages',
  );
  const byLookUps = await linesOf(to);
  await world.run('plan', file, '--to', to, '--disable-missing', '--at-most', 'disable=100%');
  const [byListing] = await linesOf(to);
  const { key, values, hash, ...decision } = byLookUps[0] as ActionLine;
  expect(byListing).toMatchObject(decision);
  expect(byListing?.values).not.toBe(values);
});

test('plan diff shows row by row what changed between two plans of a file', async () => {
  const { world, to } = await worldWith(ann);
  const file = await fileOf(world, 'ann,Ann Lee,,', 'bob,,,');
  await world.run('plan', file, '--to', to);
  const { user_id } = await world.client.createUser({ user_name: 'bob' });
  const after = join(world.directory, 'after');
  await world.run('plan', file, '--to', after);
  const { exitCode, stdout } = await world.run('plan', 'diff', to, after, '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    changes: [{ row: 2, before: 'create, NOBODY', after: `same, EQUAL, ${user_id}` }],
    same_file: true,
    totals: { create: { before: 1, after: 0 }, same: { before: 1, after: 2 } },
  });
  await world.run('plan', await fileOf(world, 'ann,,,'), '--to', after);
  const other = await world.run('plan', 'diff', to, after);
  expect(other).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('different files') });
});

test('plan diff shows users without a row who were not there, or are not to be disabled any more', async () => {
  const { world, ids, to } = await worldWith(ann, { user_name: 'bob' }, { user_name: 'cid' });
  const file = await fileOf(world, 'ann,Ann Lee,,');
  const [after, missing] = [join(world.directory, 'after'), ['--disable-missing', '--at-most', 'disable=9']];
  await world.run('plan', file, '--to', to, ...missing);
  const [, bob = '', cid = ''] = ids;
  await world.client.disableUser(bob);
  const { user_id: dan } = await world.client.createUser({ user_name: 'dan' });
  await world.run('plan', file, '--to', after, ...missing);
  const { stdout } = await world.run('plan', 'diff', to, after, '--json');
  expect(JSON.parse(stdout).changes).toEqual([
    { row: null, user_id: bob, before: `disable, ABSENT, ${bob}`, after: '' },
    { row: null, user_id: dan, before: '', after: `disable, ABSENT, ${dan}` },
  ]);
  expect(stdout).not.toContain(cid);
});

test.each([['--update'], ['--update=all']])('%s updates every field that differs', async (update) => {
  const { world, to } = await worldWith(ann);
  const file = await fileOf(world, 'ann,Ann Li,,');
  const { stdout } = await world.run('plan', file, '--to', to, '--key', 'user_name', update, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ totals: { update: 1 }, options: { update: 'all' } });
});

test('a plan that changes nobody does not propose to apply it', async () => {
  const { world, to } = await worldWith(ann);
  const { exitCode, stderr } = await world.run('plan', await fileOf(world, 'ann,Ann Lee,,'), '--to', to);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('Next:');
});

test('the commands that are proposed after a plan name its tenant', async () => {
  const { world, to } = await worldWith();
  const file = await fileOf(world, 'ann,Ann Lee,,');
  const local = join(world.directory, 'a tenant.db');
  const { stderr } = await world.run('--local', local, 'plan', file, '--to', to);
  expect(stderr).toContain(
    `Next:\n  tenant-users plan show ${to}\n  tenant-users --local '${local}' apply ${to}\n`,
  );
});
