import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCheckedActions } from '../../../../src/migration/plan/document/action-lines.ts';
import { readPlan } from '../../../../src/migration/plan/document/plan-document.ts';
import { refuseUsersOfOtherJob } from '../../../../src/migration/plan/undone-job.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { imported } from './undone-job.ts';

test('a restart says whom undo will no longer know, and an archived job is undone in a directory of its own', async () => {
  const { world, file, job, to, importing } = await imported();
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\neve,false,md5,${goodHashes.md5}\n`);
  const again = ['import-hashes', file, '--job', job, '--restart'];
  const asked = await world.runWith({ mayRefuse: true }, ...again);
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain(
    'Warning: --restart archives its journal as journal-1.db, so undo, cutover and compare no longer know the 2 users',
  );
  // The lists of the job before a correction have the first number.
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\nbob,false,md5,${goodHashes.md5}\n`);
  expect(await importing('--only', 'failed')).toMatchObject({ exitCode: 7 });
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\neve,false,md5,${goodHashes.md5}\n`);
  const restarted = await world.run(...again);
  expect(restarted).toMatchObject({ stderr: expect.stringContaining('as journal-2.db, so undo') });
  const first = join(world.directory, 'first');
  await mkdir(first, { mode: 0o700 });
  await rename(join(job, 'journal-2.db'), join(first, 'journal.db'));
  expect(await world.run('undo', first, '--to', to, '--yes')).toMatchObject({ exitCode: 0 });
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  const disabled = users.flatMap(({ user_name: name, disabled: is }) => (is ? [name] : []));
  expect(disabled.sort()).toEqual(['bob', 'cyd']);
});

test('an undo whose job was started over meanwhile disables the users of that job, and does not mark the new one', async () => {
  const { world, file, job, to, importing } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\neve,false,md5,${goodHashes.md5}\n`);
  expect(await importing('--restart')).toMatchObject({ exitCode: 0 });
  const applied = await world.run('apply', to, '--yes');
  expect(applied.exitCode).toBe(0);
  expect(applied.stderr).toContain(
    `The job in ${job} was started over since: its new import is not marked as undone.\n`,
  );
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  const disabled = users.flatMap(({ user_name: name, disabled: is }) => (is ? [name] : []));
  expect(disabled.sort()).toEqual(['bob', 'cyd']);
  const { stdout } = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(stdout)).not.toHaveProperty('undone_at');
  expect(await importing()).toMatchObject({ exitCode: 0 });
  const next = await world.run('undo', job, '--to', to, '--yes');
  expect(next).toMatchObject({ exitCode: 2, stdout: '' });
  expect(next.stderr).toContain(
    `undo: it holds the undo of ${job}, as it was before it was started over, which was begun\n`,
  );
});

test('an undo that would disable users of the import that was started over meanwhile is refused', async () => {
  const { world, job, to, importing } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  const restarted = await importing('--restart', '--json');
  expect(JSON.parse(restarted.stdout)).toMatchObject({ existing: 3, created: 0 });
  const applied = await world.run('apply', to, '--yes');
  expect(applied).toMatchObject({ exitCode: 3, stdout: '' });
  expect(applied.stderr).toContain(
    `${job}: it was started over after this undo was planned, and 2 users whom this plan disables are in its new import\nThis run disabled nobody. `,
  );
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  expect(users.map(({ disabled }) => disabled)).toEqual([false, false, false]);
});

test('the undo of an archived job leaves out whom the import that replaced it has', async () => {
  const { world, file, job, to, importing } = await imported();
  const row = (name: string) => `${name},false,md5,${goodHashes.md5}\n`;
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${row('eve')}${row('bob')}`);
  expect(await importing('--restart')).toMatchObject({ exitCode: 0 });
  const first = join(world.directory, 'first');
  await mkdir(first, { mode: 0o700 });
  await rename(join(job, 'journal-1.db'), join(first, 'journal.db'));
  const undone = await world.run('undo', first, '--to', to, '--with-active', '--yes');
  expect(undone.exitCode).toBe(7);
  expect(undone.stderr).toContain('1 user is also in the import that replaced the job, and is left out.');
  const disabled = async () => {
    const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
    return users.flatMap(({ user_name: name, disabled: is }) => (is ? [name] : [])).sort();
  };
  expect(await disabled()).toEqual(['cyd']);
  const { user_id: bob } = await world.client.getUserByUserName('bob');
  expect(await readFile(join(to, 'failures.csv'), 'utf8')).toMatch(
    new RegExp(`^.*\\n,,,,IN_NEW_IMPORT,.*,${bob},\\n$`),
  );

  // Nobody knows whom that import has while rows of it have no outcome, or once its journal is gone.
  await forgetOutcomes(job, 1, 0);
  const early = await world.run('undo', first, '--to', `${to}2`, '--dry-run');
  expect(early).toMatchObject({ exitCode: 3, stdout: '' });
  expect(early.stderr).toContain(`${job}: it was started over, and 1 row of its new import has no`);
  await rename(job, `${job}-moved`);
  const blind = await world.run('undo', first, '--to', `${to}3`, '--dry-run');
  expect(blind.stderr).toContain(`started over in ${job}, and its new import is not there any more`);
  // Nor does anybody want its users once it was undone, too.
  await rename(`${job}-moved`, job);
  await importing();
  await world.run('undo', job, '--to', `${to}4`, '--yes');
  expect(await disabled()).toEqual(['cyd', 'eve']);
  expect(await world.run('undo', first, '--to', `${to}5`, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await disabled()).toEqual(['bob', 'cyd', 'eve']);
});

/** An archived job whose new import has bob, and an invalid row of cyd until it is written again. */
async function replaced() {
  const { world, file, job, to, importing } = await imported();
  const write = (cyd: string) => {
    const row = (name: string, hash: string) => `${name},false,md5,${hash}\n`;
    const rows = row('bob', goodHashes.md5) + row('cyd', cyd);
    return writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${rows}`);
  };
  await write('broken');
  expect(await importing('--restart')).toMatchObject({ exitCode: 7 });
  const first = join(world.directory, 'first');
  await mkdir(first, { mode: 0o700 });
  await rename(join(job, 'journal-1.db'), join(first, 'journal.db'));
  return { world, job, to, importing, first, correct: () => write(goodHashes.md5) };
}

test('an undo of an archived job is refused if the import that replaced it has got more of its users meanwhile', async () => {
  const { world, job, to, importing, first, correct } = await replaced();
  const planned = await world.run('undo', first, '--to', to, '--dry-run');
  expect(planned).toMatchObject({ exitCode: 7 });
  expect(planned.stderr).toContain(
    `Users of plans that were applied since the job was started over in ${job} are not left out unless the import there has them.`,
  );
  await correct();
  expect(await importing('--only', 'failed')).toMatchObject({ exitCode: 0 });
  const applied = await world.run('apply', to, '--yes');
  expect(applied).toMatchObject({ exitCode: 3, stdout: '' });
  expect(applied.stderr).toContain(
    `${job}: it was started over, and 1 user whom this plan disables is in its new import\nThis run disabled nobody. Plan the undo again`,
  );
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  expect(users.map(({ disabled }) => disabled)).toEqual([false, false, false]);
  // A plan of an earlier version does not name that import.
  const plan = readPlan(to);
  const { new_import: _, ...undoes } = plan.undoes ?? {};
  const { read, close } = await openCheckedActions(to, plan.actions);
  await expect(refuseUsersOfOtherJob({ ...plan, undoes } as typeof plan, read())).rejects.toThrow(
    `${job}: it was started over, and 1 user whom this plan disables is in its new import`,
  );
  await close();
  const again = await world.run('undo', first, '--to', `${to}2`, '--dry-run', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ totals: { disable: 0, conflict: 2 } });
});

test('an undo of an archived job without an answer is looked up also if the import that replaced the job is not complete', async () => {
  const { world, job, to, first } = await replaced();
  expect(await world.run('undo', first, '--to', to, '--yes')).toMatchObject({ exitCode: 7 });
  await forgetOutcomes(to, 1, 2);
  await forgetOutcomes(job, 1, 0);
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 3 });
  const asked = await world.run('apply', to, '--only', 'unanswered', '--json');
  expect(JSON.parse(asked.stdout)).toMatchObject({ disabled: 1, conflict: 1 });
});
