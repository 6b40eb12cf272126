import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { jumpingClock } from '../../../clocks.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { keptDatabase } from '../../../service/storage/test-database.ts';
import { device } from '../../../test-service.ts';
import { writeKeys } from '../../../write-keys.ts';
import { disabledOf, imported, namesOf } from './undone-job.ts';

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
  const asked = await importing('--only', 'unanswered');
  expect(asked).toMatchObject({ exitCode: 7, stderr: expect.not.stringContaining('Rerun the same command') });
  expect(await namesOf(world)).toEqual(before);
  const status = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ undone_at: expect.stringMatching(/Z$/), next: [] });
  const shown = await world.run('import-hashes', 'status', job);
  expect(shown.stderr).toContain('its users were disabled by an undo at');
  const plan = await world.run('plan', file, '--since', job, '--to', `${to}-plan`);
  expect(plan.stderr).toContain(`${job}: its users were disabled by an undo at`);
  const warned = await world.runWith({ mayRefuse: true }, 'import-hashes', file, '--job', job, '--restart');
  expect(warned.stderr).toContain('and each row that still has one of these becomes a conflict.');
  expect(warned.stderr).not.toContain('do it before');
  const restarted = await importing('--restart', '--json');
  expect(JSON.parse(restarted.stdout)).toMatchObject({ conflict: 2, existing: 1, created: 0 });
});

test('a plan since a job that was undone says of everybody who is disabled for good, and so does the next', async () => {
  const { world, file, job, to, importing } = await imported();
  expect(await importing()).toMatchObject({ exitCode: 0 });
  expect(await world.run('undo', job, '--to', to, '--yes')).toMatchObject({ exitCode: 0 });
  let since = job;
  for (const plan of [`${to}-1`, `${to}-2`]) {
    const { exitCode, stdout } = await world.run('plan', file, '--since', since, '--to', plan, '--json');
    const { totals, reasons } = JSON.parse(stdout);
    expect({ exitCode, totals, reasons }).toMatchObject({ exitCode: 7, reasons: { ENABLE: 2 } });
    expect(await world.run('apply', plan, '--yes')).toMatchObject({ exitCode: 7 });
    since = plan;
  }
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

test('an undo is refused if its job has created users since it was planned, and a new plan has them', async () => {
  const { world, file, job, to, importing } = await imported();
  expect(await importing()).toMatchObject({ exitCode: 0 });
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  // A run that creates nobody is no reason.
  expect(await importing()).toMatchObject({ exitCode: 0 });
  await appendFile(file, `eve,false,md5,${goodHashes.md5}\n`);
  expect(await importing('--only', 'failed')).toMatchObject({ exitCode: 0 });
  expect(await world.run('apply', to, '--yes')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining(
      `${job}: it has created 1 user after this undo was planned\nThis run disabled nobody. Plan the undo again in another directory (undo --to).\n`,
    ),
  });
  expect(await disabledOf(world)).toEqual([]);
  expect(await world.run('undo', job, '--to', `${to}2`, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await disabledOf(world)).toEqual(['bob', 'cyd', 'eve']);
});

test.each(['while its undo waits for its window', 'after its undo was begun and ended there'])(
  'a job that creates users %s is not undone by this plan',
  async (when) => {
    let time = Date.parse('2026-11-23T12:00:00Z');
    const { world, file, job, to, importing } = await imported({ now: () => time });
    expect(await importing()).toMatchObject({ exitCode: 0 });
    expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
    await appendFile(file, `eve,false,md5,${goodHashes.md5}\n`);
    const stop = new AbortController();
    const grow = async () => {
      if (when.startsWith('after')) stop.abort('SIGINT');
      else await importing('--only', 'failed');
      time = Date.parse('2026-11-23T22:00:00Z');
    };
    let grown: Promise<void> | undefined;
    const stderr = new Writable({
      write(chunk, _encoding, done) {
        if (String(chunk).includes('Outside the window')) grown ??= grow();
        done();
      },
    });
    const waiting = { stderr, signal: stop.signal, clock: jumpingClock(), zone: 'UTC' };
    const ended = await world.runWith(waiting, 'apply', to, '--yes', '--window', '22:00-05:00');
    expect(ended.exitCode).toBe(when.startsWith('after') ? 130 : 3);
    await grown;
    if (when.startsWith('after')) await importing('--only', 'failed');
    const refused = await world.run('apply', to, '--yes');
    expect(refused.stderr).toContain(`${job}: it has created 1 user after this undo was planned\n`);
    expect([refused.exitCode, await disabledOf(world)]).toEqual([3, []]);
    expect(await world.run('undo', job, '--to', `${to}2`, '--yes')).toMatchObject({ exitCode: 0 });
    expect(await disabledOf(world)).toEqual(['bob', 'cyd', 'eve']);
  },
);

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

test('the page of an undo is still that of its plan after the job was moved', async () => {
  const { world, job, to } = await imported();
  expect(await world.run('undo', job, '--to', to, '--dry-run')).toMatchObject({ exitCode: 0 });
  await rename(job, `${job}-moved`);
  const [signer] = await writeKeys(world.directory);
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
