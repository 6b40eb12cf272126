import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepCapitals } from '../../../migration/journal/keep-capitals.ts';
import { startWorld } from '../../../world.ts';
import { canaries, importing, md5, row } from './import-corrected.ts';

const corrected = ['--only', 'failed'];

test('a hash that an earlier version sent in capitals is still the same in a corrected file', async () => {
  const world = await startWorld();
  const { job } = await importing(world, [row('ann'), row('bob', 'bob', 'bad')]);
  await keepCapitals(job, md5('secret ann'), { user_name: 'ann' });
  const ended = await importing(world, [row('ann'), row('bob')], ...corrected);
  expect(ended).toMatchObject({ exitCode: 0, summary: { created: 2, codes: {} } });
});

test('a hash that was corrected after its user was created is reported, and its canary proves nothing', async () => {
  const world = await startWorld();
  const wrong = ['ann', 'bob', 'cyd'].map((name) => row(name, `${name} wrong`));
  expect(await importing(world, [...wrong, row('dan', 'dan', 'bad')])).toMatchObject({ exitCode: 7 });

  const right = [row('ann'), row('bob'), row('cyd', 'cyd wrong'), row('dan')];
  const known = await canaries(world, 'ann');
  const { exitCode, stderr, stdout, summary, failures, users, report } = await importing(
    world,
    right,
    ...corrected,
    ...known,
  );
  expect({ exitCode, codes: summary.codes }).toEqual({ exitCode: 7, codes: { HASH_CHANGED: 2 } });
  expect(summary).toMatchObject({ rows: 4, created: 4, not_verified: ['md5'] });
  expect(summary.by_algorithm.md5.canaries).toBe(0);
  const kept =
    '2 users keep the hash that was sent first, although their rows have another one now: the API cannot replace a hash.';
  // Before anything is sent, and at the end.
  expect(stderr.split(`Warning: ${kept}`)).toHaveLength(3);
  expect(stderr).not.toContain('Verified with');
  expect(stdout).toContain('HASH_CHANGED');
  expect(stderr).toContain('Next: Let the 2 users reset their passwords');
  expect(failures).toMatch(/\n1,2,ann,,HASH_CHANGED,.*\n2,3,bob,,HASH_CHANGED,/);
  expect(users).toHaveLength(4);
  expect(report).toContain(kept);

  // It is still so in later runs, also if nobody is told before, and until the hash that was sent is back.
  const quiet = await importing(world, right, ...corrected, ...known, '--json');
  expect(quiet).toMatchObject({ exitCode: 7, summary: { codes: { HASH_CHANGED: 2 } } });
  expect(quiet.summary.by_algorithm.md5.canaries).toBe(0);
  const back = [...wrong, row('dan')];
  const last = await importing(world, back, ...corrected, '--json');
  expect(last).toMatchObject({ exitCode: 0, summary: { created: 4, codes: {} } });
  const dan = await importing(world, [row('eve'), ...back], ...corrected, ...(await canaries(world, 'dan')));
  expect(dan).toMatchObject({ exitCode: 0, summary: { created: 5, not_verified: [] } });
});

test('users of the job who have no valid row in the corrected file stay known, and vanish in a later plan', async () => {
  const world = await startWorld();
  await importing(world, [row('ann'), row('bob'), row('dan'), row('cyd', 'cyd', 'bad')]);
  const later = [row('ann'), row('bob', 'bob', 'bad'), row('cyd')];
  const ended = await importing(world, later, ...corrected);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 2, invalid: 1, without_row: 2 } });
  const left =
    '2 users of this job have no valid row in this file. They stay in the tenant and in users.csv.';
  expect(ended.stderr.split(`Warning: ${left}`)).toHaveLength(3);
  expect(ended.report).toContain(left);
  expect(ended.users.map((line) => line.split(',').slice(0, 2).join())).toEqual([
    '1,ann',
    '3,cyd',
    ',bob',
    ',dan',
  ]);

  const only = await importing(world, [row('ann'), row('cyd')], ...corrected, '--json');
  expect(only).toMatchObject({ exitCode: 7, summary: { created: 2, pending: 0, without_row: 2 } });
  const job = join(world.directory, 'job');
  const status = await world.run('import-hashes', 'status', job);
  expect(status).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining(
      'Warning: 2 users of this job have no valid row in its corrected file. They',
    ),
  });
  const { stdout } = await world.run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ created: 2, without_row: 2 });
  const evidence = join(world.directory, 'evidence');
  await world.run('evidence', job, '--to', evidence);
  const verified = await world.run('evidence', 'verify', evidence, '--json');
  expect(JSON.parse(verified.stdout)).toMatchObject({ job: { rows: 2, created: 2, without_row: 2 } });
  const to = join(world.directory, 'plan');
  const plan = await world.run(
    'plan',
    join(world.directory, 'legacy.csv'),
    '--since',
    ended.job,
    '--to',
    to,
    '--disable-missing',
    '--at-most',
    'disable=2',
    '--json',
  );
  expect(JSON.parse(plan.stdout)).toMatchObject({ since: { vanished: 2 }, totals: { disable: 2, same: 2 } });

  const back = await importing(
    world,
    [row('ann'), row('cyd'), row('dan'), row('bob')],
    ...corrected,
    '--json',
  );
  expect(back).toMatchObject({ exitCode: 0, summary: { created: 4, codes: {} } });
  expect(back.summary.without_row).toBeUndefined();
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(4);
});
