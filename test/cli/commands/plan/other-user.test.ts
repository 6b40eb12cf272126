import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserChanges } from '../../../../src/contract/wire.ts';
import type { ActionLine } from '../../../../src/migration/plan/plan-schemas.ts';
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

/** A tenant into which these people were imported. `plan`: decides these rows since then, and returns the lines of the plan. */
async function imported(...people: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (rows: string[]) =>
    writeFile(within('staff.csv'), `user_name,email,name,external_id,status\n${rows.join('\n')}\n`);
  await writeFile(within('recipe.yaml'), recipe);
  await write(people.map((name) => row(name)));
  const words = [within('staff.csv'), '--recipe', within('recipe.yaml'), '--allow-passwordless'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  const idOf = async (name: string) => (await world.client.getUserByUserName(name)).user_id;
  const rename = async (name: string, changes: UserChanges) =>
    world.client.updateUser(await idOf(name), changes);
  async function plan(rows: string[], ...how: string[]): Promise<ActionLine[]> {
    await write(rows);
    const to = within(`plan${how.join('')}`);
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

test('somebody with another external ID is not disabled for a row', async () => {
  const { world, idOf, plan } = await imported('bob');
  await world.client.createUser({ user_name: 'ann', email: 'ann@example.com', external_id: 'ann-id' });
  const [ann, bob] = await Promise.all(['ann', 'bob'].map(idOf));
  const rows = ['ann,ann@example.com,ann,other-id,gone', row('bob', 'gone')];
  expect(await plan(rows, '--key', 'email')).toMatchObject([
    { action: 'conflict', reason: 'OTHER_PERSON', fields: ['external_id'], owners: [{ userId: ann }] },
    { action: 'disable', user_id: bob },
  ]);
});
