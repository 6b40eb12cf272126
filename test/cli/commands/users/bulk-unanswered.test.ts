import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planFaults } from '../../../../src/service/fault-injection/plan.ts';
import { scriptOf } from '../../../service/fault-injection/script-of.ts';
import { startWorld } from '../../../world.ts';

/** A world in which the answer to the create of a user without an identifier was lost, and the directory of that. */
async function unanswered() {
  const lost = { operation: 'importHashedUser', do: { cut_reply: true } };
  const world = await startWorld({
    faults: planFaults(scriptOf(JSON.stringify({ faults: [lost] })), Date.now),
  });
  const [file, to] = [join(world.directory, 'newcomers.csv'), join(world.directory, 'create')];
  await writeFile(file, 'user_name,name\n,Ann\n');
  const create = () => world.run('create', '--csv', file, '--to', to, '--yes', '--json');
  expect(JSON.parse((await create()).stdout)).toMatchObject({ unknown: 1 });
  return { world, file, to, create };
}

test('a row whose answer was lost, and which nobody can look up, does not keep create --csv from another file', async () => {
  const { world, file, to, create } = await unanswered();
  expect(JSON.parse((await create()).stdout)).toMatchObject({ job: to, unknown: 1, resumed: true });
  await world.client.createUser({ user_name: 'bob', name: 'Bob' });
  await writeFile(file, 'user_name,name\nbob,Bob\n');
  const next = await create();
  expect(next).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(next.stdout)).toMatchObject({ job: `${to}-2`, existing: 1, unknown: 0 });
});

test('a plan with a row whose answer was lost can be the base of the next delta', async () => {
  const { world, file, to } = await unanswered();
  await writeFile(file, 'user_name,name\nbob,Bob\n');
  const words = [file, '--since', to, '--to', join(world.directory, 'delta'), '--allow-passwordless'];
  // Whether Bob is that user is not known, unless people are told apart by their names.
  const open = await world.run('plan', ...words);
  expect(open).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('KEY_CHANGED (1)') });
  expect(await world.run('plan', ...words, '--key', 'user_name')).toMatchObject({ exitCode: 0 });
});

test('with --quiet, create --csv says that the same command looks up the rows without an answer', async () => {
  const { world, file, to } = await unanswered();
  expect(await world.run('create', '--csv', file, '--to', to, '--yes', '--quiet')).toEqual({
    exitCode: 7,
    stdout: '',
    stderr: `tenant-users: Rerun the same command to look up the 1 action without an answer before you do anything else with them: each may be done already. Look up those without an identifier by hand. Directory: ${to}\n`,
  });
});
