import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { startWorld } from '../../../world.ts';

/** A world with a job that created bob and cyd, and did not send dan. */
async function imported() {
  const world = await startWorld();
  const [file, job, to] = ['legacy.csv', 'job', 'undo'].map((name) => join(world.directory, name));
  const rows = ['bob', 'cyd', 'dan'].map((name) => `${name},false,md5,${goodHashes.md5}\n`);
  await writeFile(file ?? '', `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  const importing = (...more: string[]) =>
    world.run('import-hashes', file ?? '', '--job', job ?? '', ...more);
  expect(await importing()).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(job ?? '', 2, 0);
  return { world, file: file ?? '', job: job ?? '', to: to ?? '', importing };
}

const namesOf = async ({ client }: Awaited<ReturnType<typeof startWorld>>) =>
  (await client.listUsers({ offset: 0, limit: 100 })).users.map(({ user_name: name }) => name);

test('a job that was undone is not resumed, and every command that would go on with it says so', async () => {
  const { world, file, job, to, importing } = await imported();
  const undone = await world.run('undo', job, '--to', to, '--yes');
  expect(undone.exitCode).toBe(0);
  expect(undone.stderr).toContain(
    'The job is not complete: 1 row was not sent. After the undo it cannot be resumed.',
  );
  const before = await namesOf(world);
  for (const more of [[], ['--only', 'failed']]) {
    const refused = await importing(...more);
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toMatch(/job: its users were disabled by an undo at \S+Z\n.*--restart/);
    expect(refused.stderr).not.toContain('will be imported');
  }
  expect(await importing('--only', 'unanswered')).toMatchObject({ exitCode: 7 });
  expect(await namesOf(world)).toEqual(before);
  const status = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ undone_at: expect.stringMatching(/Z$/), next: [] });
  const shown = await world.run('import-hashes', 'status', job);
  expect(shown.stderr).toContain('its users were disabled by an undo at');
  const plan = await world.run('plan', file, '--since', job, '--to', `${to}-plan`);
  expect(plan.stderr).toContain(`the users of ${job} were disabled by an undo at`);
  const restarted = await importing('--restart', '--json');
  expect(JSON.parse(restarted.stdout)).toMatchObject({ conflict: 2, existing: 1, created: 0 });
});

test('a restart says whom undo will no longer know, and an archived job is undone in a directory of its own', async () => {
  const { world, file, job, to } = await imported();
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\neve,false,md5,${goodHashes.md5}\n`);
  const again = ['import-hashes', file, '--job', job, '--restart'];
  const asked = await world.runWith({ mayRefuse: true }, ...again);
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain(
    'Warning: --restart archives its journal, so undo, cutover and compare no longer know the 2 users',
  );
  expect(await world.run(...again)).toMatchObject({ exitCode: 0 });
  const first = join(world.directory, 'first');
  await mkdir(first, { mode: 0o700 });
  await rename(join(job, 'journal-1.db'), join(first, 'journal.db'));
  expect(await world.run('undo', first, '--to', to, '--yes')).toMatchObject({ exitCode: 0 });
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  const disabled = users.flatMap(({ user_name: name, disabled: is }) => (is ? [name] : []));
  expect(disabled.sort()).toEqual(['bob', 'cyd']);
});

test('an undo whose job was moved meanwhile is carried out, and says that the job does not know it', async () => {
  const { world, job, to } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  await rename(job, `${job}-moved`);
  const applied = await world.run('apply', to, '--yes');
  expect(applied.exitCode).toBe(0);
  expect(applied.stderr).toContain(
    `The journal of the job is not in ${job} any more, so the job cannot be marked as undone`,
  );
});

test('a job of which an undo has disabled nobody was not undone, and can be resumed', async () => {
  const { world, job, to, importing } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  for (const name of ['bob', 'cyd']) {
    const { user_id: id } = await world.client.getUserByUserName(name);
    await world.client.updateUser(id, { name: 'Another' });
  }
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 8 });
  const { stdout } = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(stdout)).not.toHaveProperty('undone_at');
  expect(await importing()).toMatchObject({ exitCode: 0 });
});

test('an undo that cannot note it in the journal of the job says so, and disables nobody until it can', async () => {
  const { world, job, to } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  // As in a directory that cannot be written, also for an account to which permissions do not apply.
  await mkdir(join(job, 'running.lock'));
  const refused = await world.run('apply', to, '--yes', '--json');
  expect(refused.exitCode).toBe(3);
  expect(JSON.parse(refused.stdout)).toMatchObject({ disabled: 0, unknown: 0, pending: 2 });
  expect(JSON.parse(refused.stderr)).toMatchObject({
    error: {
      code: 'JOB_DIRECTORY',
      message: expect.stringContaining(`${job}: the journal cannot be written`),
    },
  });
  await rm(join(job, 'running.lock'), { recursive: true });
  const applied = await world.run('apply', to, '--yes', '--json');
  expect(JSON.parse(applied.stdout)).toMatchObject({ disabled: 2 });
  const { stdout } = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ undone_at: expect.stringMatching(/Z$/) });
});
