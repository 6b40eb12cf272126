import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { keptDatabase } from '../../../service/storage/test-database.ts';
import { device } from '../../../test-service.ts';
import { startWorld } from '../../../world.ts';

/** A world with a job that created bob and cyd, and did not send dan. */
async function imported(options: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(options);
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
  const { target } = JSON.parse(await readFile(join(to, 'plan.json'), 'utf8'));
  const pace = { slowest: 1, likely: 2, fastest: 3, limit: null, in_flight: 2 };
  const paces = [{ target, measured_at: new Date().toISOString(), ...pace }];
  await mkdir(join(world.directory, 'state'), { recursive: true });
  await writeFile(join(world.directory, 'state/pace.json'), JSON.stringify({ paces }));
  const asked = await importing('--only', 'unanswered');
  expect(asked).toMatchObject({ exitCode: 7, stderr: expect.not.stringContaining('Rerun the same command') });
  // What would be sent is not, so it takes no time.
  expect(asked.stderr).not.toContain('This takes');
  expect(await namesOf(world)).toEqual(before);
  const status = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ undone_at: expect.stringMatching(/Z$/), next: [] });
  const shown = await world.run('import-hashes', 'status', job);
  expect(shown.stderr).toContain('its users were disabled by an undo at');
  const plan = await world.run('plan', file, '--since', job, '--to', `${to}-plan`);
  expect(plan.stderr).toContain(`${job}: its users were disabled by an undo at`);
  const restarted = await importing('--restart', '--json');
  expect(JSON.parse(restarted.stdout)).toMatchObject({ conflict: 2, existing: 1, created: 0 });
});

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
    new RegExp(`^.*\\n,,,,IN_NEW_IMPORT,.*,${bob}\\n$`),
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

test('the page of an undo is still that of its plan after the job was moved', async () => {
  const { world, job, to } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  await rename(job, `${job}-moved`);
  const signer = join(world.directory, 'approver.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(signer, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(await world.run('plan', 'sign', to, signer)).toMatchObject({ exitCode: 0 });
});

test('a second undo says when and by which plan the job was undone, and how many users are left', async () => {
  const { world, job, to } = await imported();
  await world.client.logIn('bob', 'secret', device);
  expect(await world.run('undo', job, '--to', to, '--yes')).toMatchObject({ exitCode: 7 });
  const again = await world.run('undo', job, '--to', to, '--yes');
  expect(again).toMatchObject({ exitCode: 3, stdout: '' });
  expect(again.stderr).toMatch(
    /undo: the job job was undone at \S+Z by this plan\n1 user was left as they were: /,
  );
  const rest = await world.run('undo', job, '--to', `${to}2`, '--with-active', '--yes');
  expect(rest).toMatchObject({ exitCode: 0 });
  expect(rest.stderr).toMatch(
    /The job was undone at \S+Z by the plan in \S+undo: 1 user has been disabled, and 1 is left\.\n/,
  );
});

test('a second undo does not count users who are no longer in the tenant as left', async () => {
  const database = await keptDatabase();
  const { world, job, to } = await imported({ database });
  const { user_id: id } = await world.client.getUserByUserName('cyd');
  await database.commit([{ sql: 'DELETE FROM users WHERE user_id = ?', values: [id] }]);
  expect(await world.run('undo', job, '--to', to, '--yes')).toMatchObject({ exitCode: 7 });
  const again = await world.run('undo', job, '--to', to, '--yes');
  expect(again).toMatchObject({ exitCode: 3, stdout: '' });
  expect(again.stderr).toMatch(/was undone at \S+Z by this plan\nNobody is left to disable\.\n/);
});

test('what an undo did says how many rows of the job may be users who are left, in JSON and in its status, too', async () => {
  const { world, job, to } = await imported();
  await forgetOutcomes(job, 2);
  const left = { unresolved: 1, disabled: 2, failed: 0 };
  const ended = await world.run('undo', job, '--to', to, '--yes', '--json');
  expect(ended).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject(left);
  const status = await world.run('import-hashes', 'status', to, '--json');
  expect(status).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(status.stdout).next).toEqual([
    { text: expect.stringContaining('At most 1 row of the job that was undone may be users') },
  ]);
});
