import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { behind, importing, type Logins, rows } from './import-in-stages.ts';

test('the canaries are created first and log in, and each stage starts when the previous one has ended', async () => {
  const world = await startWorld();
  const { exitCode, stderr, job, names } = await importing(world, rows, 'canaries,10,50%,100%');
  expect({ exitCode, users: names.length }).toEqual({ exitCode: 0, users: 40 });
  expect(names.slice(0, 2).sort()).toEqual(['user30', 'user35']);
  const first = Array.from({ length: 18 }, (_, at) => `user${at + 1}`);
  expect(new Set(names.slice(2, 10))).toEqual(new Set(first.slice(0, 8)));
  expect(new Set(names.slice(10, 20))).toEqual(new Set(first.slice(8)));
  expect(stderr.split('\n').filter((line) => /^Stage|canaries/.test(line))).toEqual([
    'Stage canaries: 2 rows ended, 0 failed',
    '2 of 2 canaries logged in with their old passwords',
    'Stage 10: 8 rows ended, 0 failed',
    'Stage 50%: 10 rows ended, 0 failed',
  ]);
  const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
  expect(summary).toMatchObject({ created: 40, ramp: { canaries: 2, logins: 'accepted' } });
  const report = await readFile(join(job, 'report.html'), 'utf8');
  expect(report).toContain('Proven on the tenant: 2 canaries logged in');
  const status = await world.run('import-hashes', 'status', job);
  expect(status.stderr).toContain('Logins of 2 canaries: accepted');
  const evidence = join(world.directory, 'evidence');
  await world.run('evidence', job, '--to', evidence);
  const { stdout } = await world.run('evidence', 'verify', evidence, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    valid: true,
    job: { ramp: { canaries: 2, logins: 'accepted' } },
  });
});

test('a canary that cannot log in stops the run before any other row with exit code 8, and the same command resumes', async () => {
  const world = await startWorld();
  let logins: 'wrong' | 'right' = 'wrong';
  const baseUrl = await behind(world, () => logins);
  const stopped = await importing(world, rows, 'canaries,10', { baseUrl });
  expect(stopped.exitCode).toBe(8);
  expect(stopped.stderr).toContain('2 of 2 canaries cannot log in to the tenant (');
  expect(stopped.stderr).not.toContain('secret 3');
  expect(stopped.names.sort()).toEqual(['user30', 'user35']);
  logins = 'right';
  const resumed = await importing(world, rows, 'canaries,10', { baseUrl, args: ['--json'] });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    created: 40,
    resumed: true,
    ramp: { logins: 'accepted' },
  });
});

test('a login that is refused for another reason than the password says nothing about the canary', async () => {
  const world = await startWorld();
  let logins: Logins = 'refused';
  const baseUrl = await behind(world, () => logins);
  const stopped = await importing(world, rows, 'canaries,10', { baseUrl });
  expect(stopped).toMatchObject({ exitCode: 8, names: expect.toSatisfy((names) => names.length === 2) });
  expect(stopped.stderr).toMatch(/could not be tried \(\S+known\.csv, line 1: Unknown client\)/);
  expect(stopped.stderr).toContain('This says nothing about the passwords. No other row was sent.');
  logins = 'right';
  expect(await importing(world, rows, 'canaries,10', { baseUrl })).toMatchObject({ exitCode: 0 });
});

test('a login with a status that is neither a session nor a password to change proves nothing', async () => {
  const world = await startWorld();
  let logins: Logins = 'unfinished';
  const baseUrl = await behind(world, () => logins);
  const stopped = await importing(world, rows, 'canaries,10', { baseUrl });
  expect(stopped).toMatchObject({ exitCode: 8, names: expect.toSatisfy((names) => names.length === 2) });
  expect(stopped.stderr).toMatch(/could not be tried \(\S+known\.csv, line 1: .* status MFA_REQUIRED/);
  logins = 'right';
  expect(await importing(world, rows, 'canaries,10', { baseUrl })).toMatchObject({ exitCode: 0 });
});

test('after a canary that cannot log in, a corrected file goes on with --only failed and other canaries', async () => {
  const world = await startWorld();
  let logins: 'wrong' | 'right' = 'wrong';
  const baseUrl = await behind(world, () => logins);
  const stopped = await importing(world, rows, 'canaries,10', { baseUrl });
  expect(stopped.stderr).toMatch(
    /The canaries stay, and the API cannot change their hashes\. .* the same command tries them again\. .*correct it, use --only failed and name other canaries/,
  );
  logins = 'right';
  const corrected = rows.map((row) => row.replace('@example.com', '@x.example'));
  const others = join(world.directory, 'others.csv');
  await writeFile(others, 'user10,Old secret 10\n');
  const args = ['--only', 'failed', '--canary', others, '--json'];
  const resumed = await importing(world, corrected, 'canaries,10', { baseUrl, args });
  expect(resumed.exitCode).toBe(7);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    created: 40,
    codes: { VALUES_CHANGED: 2 },
    ramp: { canaries: 1, logins: 'accepted' },
  });
});

test('a later run tries its own canaries, not those that logged in before, and the report counts both', async () => {
  const world = await startWorld();
  let logins: 'wrong' | 'right' = 'right';
  const baseUrl = await behind(world, () => logins);
  const cut = rows.map((row, at) => (at < 37 ? row : row.slice(0, -4)));
  expect((await importing(world, cut, 'canaries,100%', { baseUrl })).names).toHaveLength(37);
  logins = 'wrong';
  const canaries = ['user30,Old secret 30', 'user40,Old secret 40'];
  const given = { baseUrl, canaries, args: ['--only', 'failed', '--json'] };
  const stopped = await importing(world, rows, 'canaries,100%', given);
  expect(stopped.stderr).toContain('1 of 1 canaries cannot log in to the tenant (');
  expect([stopped.exitCode, stopped.names.length]).toEqual([8, 38]);
  logins = 'right';
  const resumed = await importing(world, rows, 'canaries,100%', given);
  const { created, ramp } = JSON.parse(resumed.stdout);
  expect([resumed.exitCode, created, ramp]).toEqual([0, 40, { canaries: 3, logins: 'accepted' }]);
});

test('a canary whose hash was corrected after its user was created is named and not tried', async () => {
  const world = await startWorld();
  const wrong = rows.map((row, at) => (at === 29 ? row.replace(/.{4}$/, '0000') : row));
  wrong[39] = rows[39]?.slice(0, -4) ?? '';
  await importing(world, wrong, '100%', { canaries: ['user35,Old secret 35'] });
  const args = ['--only', 'failed'];
  const ended = await importing(world, rows, 'canaries,100%', { args });
  expect([ended.exitCode, ended.names.length]).toEqual([7, 40]);
  expect(ended.stderr).toContain('1 of 1 canaries logged in with their old passwords');
  expect(ended.stderr).toContain(
    'Warning: Proven on the tenant: 1 canary logged in there before any other row of their run was sent. The canary of line 1 could not be tried: the user is not as the corrected file says (failures.csv).',
  );
  const alone = { args: [...args, '--json'], canaries: ['user30,Old secret 30'] };
  const { exitCode, stdout } = await importing(world, rows, 'canaries,100%', alone);
  expect([exitCode, JSON.parse(stdout).ramp]).toEqual([
    7,
    { canaries: 1, logins: 'accepted', not_tried: [1] },
  ]);
});

test.each(['unknown', 'barred'] as const)(
  'if the login of the tenant is %s, the canaries are looked up, and the summary says that they are not verified',
  async (logins) => {
    const world = await startWorld();
    const baseUrl = await behind(world, () => logins);
    const { exitCode, stderr, job } = await importing(world, rows, 'canaries,100%', { baseUrl });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('2 canaries were read back, and the tenant has no login to try');
    expect(stderr).toContain(
      'Warning: Unproven on the tenant: it has no login, so 2 canaries were only read back.',
    );
    const summary = JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'));
    expect(summary).toMatchObject({ created: 40, ramp: { canaries: 2, logins: 'unproven on the tenant' } });
    const report = await readFile(join(job, 'report.html'), 'utf8');
    expect(report).toContain('Unproven on the tenant: it has no login, so 2 canaries were only read back.');
  },
);

test('a stage with more failures than allowed is the last, and after a correction the same command resumes', async () => {
  const world = await startWorld();
  for (let at = 1; at <= 5; at += 1)
    await world.client.createUser({
      user_name: `user${at}`,
      name: 'Somebody Else',
      email: `other${at}@example.com`,
    });
  const stopped = await importing(world, rows, '10,50%', { args: ['--max-failures', '20%'] });
  expect(stopped.exitCode).toBe(8);
  expect(stopped.stderr).toContain('5 of 10 rows of the stage 10 failed, so the next stage was not begun');
  expect(stopped.names).toHaveLength(10);
  const resumed = await importing(world, rows, '10,50%', { args: ['--max-failures', '20%', '--json'] });
  expect(resumed.exitCode).toBe(7);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ created: 35, conflict: 5, pending: 0, resumed: true });
});

test('a canary that is listed twice is sent once', async () => {
  const world = await startWorld();
  const canaries = ['user30,Old secret 30', 'USER30,Old secret 30'];
  const { exitCode, stdout, names } = await importing(world, rows, 'canaries,100%', {
    args: ['--json'],
    canaries,
  });
  expect([exitCode, names.length]).toEqual([0, 40]);
  expect(JSON.parse(stdout)).toMatchObject({ created: 40, existing: 0, ramp: { logins: 'accepted' } });
});

test('canaries who were in the tenant before are not tried, and the summary says so', async () => {
  const world = await startWorld();
  await importing(world, rows, '100%');
  const { stderr } = await importing(world, rows, 'canaries,100%', { args: ['--restart'] });
  expect(stderr).toContain(
    'Unproven on the tenant: the canaries were there before this import, so none of them was tried.',
  );
});

test('a shard in which no canary has a row is refused before anything is sent', async () => {
  const world = await startWorld();
  const args = ['--shard', '1/4'];
  const refused = await importing(world, rows, 'canaries,10', { args });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', names: [] });
  expect(refused.stderr).toContain('known.csv: no canary is in a row of the shard 1/4, so --ramp canaries');
  expect(refused.stderr).toContain('Name one whose row is in this shard (row 1, 5, 9 and so on)');
  expect((await importing(world, rows, '10', { args })).names).toHaveLength(10);
  const other = await importing(world, rows, 'canaries,10', { args: ['--shard', '2/4', '--restart'] });
  expect([other.exitCode, other.names[10]]).toEqual([0, 'user30']);
});

test('--only unanswered tries no canaries and sends no stages', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'user30', name: 'Somebody Else', email: 'other@example.com' });
  expect((await importing(world, rows, 'canaries,10')).exitCode).toBe(8);
  const args = ['--only', 'unanswered', '--json'];
  const { exitCode, stdout, names } = await importing(world, rows, 'canaries,10', { args });
  expect([exitCode, names.length]).toEqual([7, 2]);
  expect(JSON.parse(stdout)).toMatchObject({ created: 1, conflict: 1, pending: 38 });
});

test('nothing more is sent after a canary that is not created, or with a ramp without canaries or in a dry run', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'user30', name: 'Somebody Else', email: 'other@example.com' });
  const refused = await importing(world, rows, 'canaries,10');
  expect(refused).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining('1 of 2 canaries were not created (line 1, row 30: conflict)'),
  });
  expect(refused.names.sort()).toEqual(['user30', 'user35']);
  expect(refused.stderr).toContain(
    'Fix the cause and use --only failed, which tries these rows again, or name other canaries.',
  );
  // The same command would not try a conflict again.
  const again = await importing(world, rows, 'canaries,10');
  expect(again).toMatchObject({ exitCode: 8, names: refused.names });
  const others = join(world.directory, 'others.csv');
  await writeFile(others, 'user10,Old secret 10\n');
  const { names } = await importing(world, rows, 'canaries,10', { args: ['--canary', others] });
  expect(names).toHaveLength(40);
  const file = join(world.directory, 'legacy.csv');
  for (const [args, reason] of [
    [['--ramp', 'canaries,10'], '--ramp canaries requires --canary'],
    [['--ramp', '10', '--dry-run'], '--ramp and --dry-run cannot be used together'],
    [['--ramp', '10,canaries'], 'must be canaries, numbers of rows and percentages'],
    [['--ramp', '0%'], 'must be canaries, numbers of rows and percentages'],
  ] as const) {
    const wrong = await world.run('import-hashes', file, ...args);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(reason) });
  }
});
