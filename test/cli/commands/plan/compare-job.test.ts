import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

async function worldWithFile() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('staff.csv'), 'user_name\nann\n');
  return { world, within };
}

test('compare --job refuses a job that wrote nothing, and one of another tenant: exit code 3', async () => {
  const { world, within } = await worldWithFile();
  const words = ['import-hashes', within('staff.csv'), '--allow-passwordless'];
  await world.run(...words, '--job', within('checked'), '--dry-run');
  await world.run(...words, '--job', within('job'));
  const other = await startWorld();
  for (const [tenant, job, fault] of [
    [world, 'checked', 'its job wrote nothing to a tenant'],
    [other, 'job', 'its job was for another tenant: base_url was'],
  ] as const) {
    const lists = within('lists');
    expect(
      await tenant.run('compare', within('staff.csv'), '--job', within(job), '--to', lists),
    ).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining(fault),
    });
  }
});

test('no plan is made in the directory of a comparison, where it could not be applied', async () => {
  const { world, within } = await worldWithFile();
  await world.run('compare', within('staff.csv'), '--to', within('lists'));
  const plan = await world.run('plan', within('staff.csv'), '--to', within('lists'), '--allow-passwordless');
  expect(plan).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringMatching(/lists: this directory contains .* of a comparison or a job\nName another/),
  });
});
