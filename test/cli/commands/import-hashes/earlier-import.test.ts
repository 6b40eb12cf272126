import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planFaults } from '../../../../src/service/fault-injection/plan.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { scriptOf } from '../../../service/fault-injection/script-of.ts';
import { environmentFor, startWorld } from '../../../world.ts';

/** A recipe by which everybody is disabled. */
const disablingRecipe = `
from: csv
fields:
  external_id: { column: id }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: id, filled: true } }
`;

/** A world with a file of two people who have this identifier, and an earlier import of the file. */
async function imported(column: string, ...options: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const file = within('people.csv');
  const row = (name: string) => `${name},${goodHashes.md5}\n`;
  await writeFile(file, `${column},hash\n${row('a1')}${row('b2')}`);
  const run = (job: string, ...more: string[]) =>
    world.run('import-hashes', file, '--algorithm', 'md5', '--yes', '--job', within(job), ...more);
  expect(await run('first', ...options)).toMatchObject({ exitCode: 0 });
  const total = async () => (await world.client.listUsers({ offset: 0, limit: 10 })).total;
  return { world, file, within, run, total };
}

test('a file of external IDs only is not imported a second time with another job directory', async () => {
  const { within, run, total } = await imported('external_id');
  const { exitCode, stdout, stderr } = await run('second');
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /second: this file was imported into this tenant at \S+, with the job directory \S+first, and no column has a user name/,
  );
  expect(stderr).toContain(`To go on with it, use --job ${within('first')}. To create everybody again,`);
  expect(await total()).toBe(2);
  // The job itself can be resumed, and an option allows the second import.
  expect(await run('first')).toMatchObject({ exitCode: 0 });
  expect(await total()).toBe(2);
  const again = await run('second', '--restart');
  expect(again.exitCode).toBe(0);
  expect(again.stderr).toContain('Warning: this file was imported into this tenant at ');
  expect(await total()).toBe(4);
});

test('a restart says how many users it creates a second time, also of a corrected file', async () => {
  const { file, run, total } = await imported('external_id');
  const row = (name: string, id: string) => `${name},${id},${goodHashes.md5}\n`;
  await writeFile(file, `user_name,external_id,hash\n${row('ann', 'x1')}${row('', 'a1')}`);
  const first = await run('first', '--restart');
  expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('know the 2 users') });
  expect(first.stderr).toContain(
    ' 2 of them have no user name, e-mail address or mobile number, and are created a second time if the file still has the row.',
  );
  expect(await total()).toBe(4);
  const second = await run('first', '--restart');
  expect(second.stderr).toContain(' 1 of them has no user name, e-mail address or mobile number, and is');
  expect(await total()).toBe(5);
});

test('an earlier import is known, and its job resumed, under another spelling of the base URL', async () => {
  const { world, run, total } = await imported('external_id');
  const other = `${world.baseUrl.toUpperCase()}/`;
  expect(await run('second', '--base-url', other)).toMatchObject({ exitCode: 3 });
  expect(await run('first', '--base-url', other)).toMatchObject({ exitCode: 0 });
  expect(await total()).toBe(2);
});

test.each([
  ['external_id', true],
  ['user_name', false],
])(
  'without the log, a file with only the column %s is imported with a warning: %s',
  async (column, isWarned) => {
    const { world, file, within } = await imported(column);
    const words = ['import-hashes', file, '--algorithm', 'md5', '--job', within('other'), '--restart'];
    const env = { ...environmentFor(world.baseUrl), TENANT_USERS_NO_LOG: '1' };
    const { stderr } = await world.runWith({ env }, ...words);
    expect(stderr.includes('TENANT_USERS_NO_LOG is set: a later import of this file')).toBe(isWarned);
  },
);

test('a job that was killed does not send what another job has sent since', async () => {
  const { within, run, total } = await imported('external_id');
  await forgetOutcomes(within('first'), 1);
  const log = within('state/log/000001.jsonl');
  const begun = (await readFile(log, 'utf8')).split('\n').filter((line) => !line.includes('"finished"'));
  await writeFile(log, begun.join('\n'));
  expect(await run('second', '--restart')).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await run('first');
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/since the last run of this job this file was imported .*second, and no column/);
  expect(stderr).toContain('To go on with this job all the same, rename that directory.');
  expect(await total()).toBe(4);
  // The job that has ended has nothing to send.
  expect(await run('second')).toMatchObject({
    exitCode: 0,
    stderr: expect.not.stringContaining('imported into'),
  });
});

test('an import is still known as an earlier one after its job directory was deleted', async () => {
  const { within, run, total } = await imported('external_id');
  await rm(within('first'), { recursive: true });
  const { exitCode, stderr } = await run('first');
  expect(exitCode).toBe(3);
  expect(stderr).toContain(
    `Its journal, which records who was created, is missing: restore ${within('first')}.`,
  );
  expect(await total()).toBe(2);
});

test('an import whose users were created but could not be disabled is known as an earlier one', async () => {
  const failing = { operation: 'disableUser', do: { status: 500 } };
  const faults = planFaults(scriptOf(JSON.stringify({ faults: [failing] })), Date.now);
  const world = await startWorld({ faults });
  const within = (name: string) => join(world.directory, name);
  const [file, recipe] = [within('people.csv'), within('recipe.yaml')];
  await writeFile(file, `id,hash\na1,${goodHashes.md5}\n`);
  await writeFile(recipe, disablingRecipe);
  const run = (job: string) =>
    world.run('import-hashes', file, '--recipe', recipe, '--yes', '--json', '--job', within(job));
  expect(JSON.parse((await run('first')).stdout)).toMatchObject({ created: 0, codes: { NOT_DISABLED: 1 } });
  expect((await run('second')).stderr).toMatch(/this file was imported into this tenant at/);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
});

test('if the identifiers are unique, a notice mentions the earlier import, and the import continues', async () => {
  const { run, total } = await imported('user_name');
  const { exitCode, stderr } = await run('second');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /Warning: this file was imported into this tenant at .* are created a second time\. To go on/,
  );
  expect(await total()).toBe(2);
});

test('a plan that was applied counts as an import too, and can itself be resumed', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const file = within('people.csv');
  await writeFile(file, `external_id,algorithm,hash\na1,md5,${goodHashes.md5}\n`);
  await world.run('plan', file, '--to', within('plan'));
  expect(await world.run('apply', within('plan'), '--yes')).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await world.run('import-hashes', file, '--yes', '--job', within('job'));
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/with the plan directory \S+plan, .*\nTo go on with it, apply that plan again\./);
});

test('an undo and a command that creates nobody do not count as imports of the file, and do not hide one', async () => {
  const { world, file, within, run } = await imported('external_id');
  const { users } = await world.client.listUsers({ offset: 0, limit: 10 });
  await world.client.disableUser(users[0]?.user_id ?? '');
  const disable = ['disable', '--csv', file, '--key', 'external_id', '--ignore-unknown', '--yes'];
  const disabled = await world.run(...disable, '--to', within('disabled'), '--json');
  expect(JSON.parse(disabled.stdout)).toMatchObject({ disabled: 1, existing: 1 });
  const hint = `with the job directory ${within('first')}`;
  expect((await run('second')).stderr).toContain(hint);
  await world.run('undo', within('first'), '--to', within('undo'), '--dry-run');
  await world.run('apply', within('undo'), '--yes');
  const log = await readFile(within('state/log/000001.jsonl'), 'utf8');
  expect(log.split('\n').filter((line) => line.includes('"source"'))).toHaveLength(1);
  expect((await run('second')).stderr).toContain(hint);
});

test('another shard of the file, a dry run and a rehearsal do not count as a second import', async () => {
  const { run, total } = await imported('external_id', '--shard', '1/2');
  for (const options of [['--dry-run'], ['--rehearse']])
    expect(await run(`trial${options}`, ...options)).toMatchObject({ exitCode: 0 });
  const same = await run('other', '--shard', '1/2');
  expect(same).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('would be created a second time'),
  });
  const other = await run('other', '--shard', '2/2');
  expect(other.exitCode).toBe(0);
  expect(other.stderr).not.toContain('was imported');
  expect(await total()).toBe(2);
});
