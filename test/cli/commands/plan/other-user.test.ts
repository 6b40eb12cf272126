import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserChanges } from '../../../../src/contract/wire.ts';
import type { ActionLine } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { startWorld } from '../../../world.ts';

const recipe = `fields:
  user_name: { column: user_name }
  email: { column: email }
  name: { column: name }
  external_id: { column: external_id, text: true }
disable: { where: { column: status, in: [gone], known: [active] } }
`;

/** The row of a person: user name, e-mail address and name derive from one word. */
const row = (name: string, status = 'active') => `${name},${name}@example.com,${name},,${status}`;

/** The row of a person with an external ID. */
const rowOf = (name: string, id: string, status = 'active') => `${name},${name}@example.com,,${id},${status}`;

/** A tenant into which these people were imported: names, or rows. `plan`: decides these rows since then, and returns the lines of the plan. */
async function imported(...people: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (rows: string[]) =>
    writeFile(within('staff.csv'), `user_name,email,name,external_id,status\n${rows.join('\n')}\n`);
  await writeFile(within('recipe.yaml'), recipe);
  await write(people.map((one) => (one.includes(',') ? one : row(one))));
  const words = [within('staff.csv'), '--recipe', within('recipe.yaml'), '--allow-passwordless'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  const idOf = async (name: string) => (await world.client.getUserByUserName(name)).user_id;
  const rename = async (name: string, changes: UserChanges) =>
    world.client.updateUser(await idOf(name), changes);
  async function plan(rows: string[], ...how: string[]): Promise<ActionLine[]> {
    await write(rows);
    const to = within(`plan${how.map((word) => basename(word)).join('')}`);
    await world.run('plan', ...words, '--to', to, '--at-most', 'disable=100%', ...how);
    const lines = (await readFile(join(to, 'actions.jsonl'), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
  return { world, idOf, rename, plan, since: ['--since', within('job')] };
}

test('a user who got the address of another one is not taken for that person: the job knows who it was', async () => {
  const { world, idOf, rename, plan, since } = await imported('ann', 'bob', 'cid');
  const ann = await idOf('ann');
  await rename('ann', { user_name: 'anna', email: 'anna@example.com' });
  await world.client.createUser({ user_name: 'intruder', email: 'ann@example.com' });
  const [intruder, bob, cid] = await Promise.all(['intruder', 'bob', 'cid'].map(idOf));
  await rename('bob', { user_name: 'x', email: 'x@example.com' });
  await rename('cid', { user_name: 'bob', email: 'bob@example.com' });
  await rename('x', { user_name: 'cid', email: 'cid@example.com' });
  const rows = [row('ann', 'gone'), row('bob', 'gone'), row('cid')];
  const byEmail = await plan(rows, ...since, '--key', 'email');
  expect(byEmail).toMatchObject([
    { action: 'conflict', reason: 'OTHER_USER', earlier_user_id: ann, owners: [{ userId: intruder }] },
    { action: 'conflict', reason: 'OTHER_USER', earlier_user_id: bob, owners: [{ userId: cid }] },
    { action: 'same', reason: 'UNCHANGED', user_id: cid },
  ]);
  const changed = ['ann,ann@example.com,Ann Lee,,active', row('bob'), row('cid')];
  expect(await plan(changed, ...since, '--key', 'email', '--update')).toMatchObject([
    { action: 'conflict', reason: 'OTHER_USER', earlier_user_id: ann, owners: [{ userId: intruder }] },
    { action: 'same', user_id: bob },
    { action: 'same', user_id: cid },
  ]);
});

test('a new row is not about the user of a row that has not changed, also of a later one', async () => {
  const { idOf, rename, plan, since } = await imported('ann', 'bob');
  const bob = await idOf('bob');
  await rename('bob', { email: 'new@example.com' });
  const rows = [row('new', 'gone'), row('ann'), row('bob')];
  expect(await plan(rows, ...since, '--key', 'email')).toMatchObject([
    { action: 'conflict', reason: 'SEVERAL_ROWS', owners: [{ userId: bob }] },
    { action: 'same', reason: 'UNCHANGED' },
    { action: 'same', reason: 'UNCHANGED', user_id: bob },
  ]);
});

test('the earlier user with the names of a row is another person if the external IDs contradict', async () => {
  const { idOf, rename, plan, since } = await imported(rowOf('ann', 'x-1'), rowOf('bob', 'x-2'), 'cid');
  const [ann, bob] = await Promise.all(['ann', 'bob'].map(idOf));
  // Bob left, and Ann is to get his names: she is not there with them, and has not vanished.
  await rename('bob', { user_name: 'old', email: 'old@example.com' });
  const rows = [rowOf('bob', 'x-1'), row('cid')];
  const left = { row: null, reason: 'VANISHED', user_id: bob };
  expect(await plan(rows, ...since)).toMatchObject([
    { reason: 'OTHER_NAMES', earlier_user_id: ann },
    { reason: 'UNCHANGED' },
    left,
  ]);
  const byId = await plan(rows, ...since, '--key', 'external_id', '--update');
  expect(byId).toMatchObject([{ reason: 'DIFFERS', user_id: ann }, { reason: 'UNCHANGED' }, left]);
  await rename('ann', { user_name: 'bob', email: 'bob@example.com' });
  for (const by of [[], ['--key', 'external_id'], ['--key', 'email', '--update']]) {
    const found = await plan(rows, ...since, ...by);
    expect(found).toMatchObject([{ reason: 'EQUAL', user_id: ann }, { reason: 'UNCHANGED' }, left]);
    const gone = await plan([rowOf('bob', 'x-1', 'gone'), row('cid')], ...since, ...by);
    expect(gone).toMatchObject([{ action: 'disable', user_id: ann }, { reason: 'UNCHANGED' }, left]);
  }
});

test('a newcomer with the names of somebody who left is created, or found', async () => {
  const { world, idOf, rename, plan, since } = await imported(rowOf('bob', 'x-2'), 'cid');
  const bob = await idOf('bob');
  await rename('bob', { user_name: 'old', email: 'old@example.com' });
  const rows = [rowOf('bob', 'x-9'), row('cid')];
  const left = { row: null, reason: 'VANISHED', user_id: bob };
  expect(await plan(rows, ...since)).toMatchObject([{ reason: 'NOBODY' }, { reason: 'UNCHANGED' }, left]);
  await world.client.createUser({ user_name: 'bob', email: 'bob@example.com', external_id: 'x-9' });
  expect(await plan(rows, ...since)).toMatchObject([{ reason: 'EQUAL' }, { reason: 'UNCHANGED' }, left]);
});

test('if only the external ID of a row changed, its earlier user has not vanished', async () => {
  const { idOf, plan, since } = await imported(rowOf('bob', 'x-2'), 'cid');
  const bob = await idOf('bob');
  const rows = [rowOf('bob', 'x-9'), row('cid')];
  expect(await plan(rows, ...since, '--disable-missing')).toMatchObject([
    { reason: 'OTHER_PERSON', earlier_user_id: bob },
    { reason: 'UNCHANGED' },
  ]);
  const byName = await plan(rows, ...since, '--disable-missing', '--key', 'user_name');
  expect(byName).toMatchObject([{ reason: 'NOT_ASKED', user_id: bob }, { reason: 'UNCHANGED' }]);
});

test('who left is listed, but not disabled, although a newcomer has an identifier of theirs', async () => {
  const people = [rowOf('ann', 'x-1'), rowOf('bob', 'x-2'), rowOf('cid', 'x-3')];
  const { world, idOf, plan, since } = await imported(...people);
  const [ann, bob] = await Promise.all(['ann', 'bob'].map(idOf));
  const rows = ['new,ann@example.com,,x-8,active', 'bob,new@example.com,,x-9,active', rowOf('cid', 'x-3')];
  const byId = ['--key', 'external_id', '--disable-missing'];
  const left = [ann, bob].map((id) => ({ row: null, action: 'same', reason: 'VANISHED_OWNER', user_id: id }));
  const other = { action: 'conflict', reason: 'OTHER_PERSON' };
  const found = await plan(rows, ...since, ...byId);
  expect(found).toMatchObject([other, other, { reason: 'UNCHANGED' }, ...left]);
  expect(found.map(({ earlier_user_id: id }) => id)).toEqual(found.map(() => undefined));

  // The next plan knows that these users are not those of the rows, and creates who has identifiers of their own now.
  const to = join(world.directory, `plan--sincejob${byId.join('')}`);
  const list = await readFile(join(to, 'vanished.csv'), 'utf8');
  expect(list).toBe(`row,user_id,reason\n1,${ann},VANISHED_OWNER\n2,${bob},VANISHED_OWNER\n`);
  await world.run('apply', to, '--yes');
  const corrected = [rowOf('eve', 'x-8'), ...rows.slice(1)];
  const next = await plan(corrected, '--since', to, '--key', 'external_id', '--disable-missing');
  const absent = { action: 'disable', reason: 'ABSENT', user_id: ann };
  expect(next).toMatchObject([{ reason: 'NOBODY' }, other, { reason: 'UNCHANGED' }, absent, left[1]]);
});

test('somebody with another external ID is disabled for a row only if --key says who it is', async () => {
  const { world, idOf, plan } = await imported('bob');
  await world.client.createUser({ user_name: 'ann', email: 'ann@example.com', external_id: 'ann-id' });
  const [ann, bob] = await Promise.all(['ann', 'bob'].map(idOf));
  const rows = [rowOf('ann', 'other-id', 'gone'), rowOf('bob', 'new-id', 'gone')];
  const other = { action: 'conflict', reason: 'OTHER_PERSON', fields: ['external_id'] };
  expect(await plan(rows)).toMatchObject([other, other]);
  expect(await plan(rows, '--key', 'email')).toMatchObject([
    { action: 'disable', user_id: ann },
    { action: 'disable', user_id: bob },
  ]);
});
