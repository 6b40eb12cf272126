import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { canaries, importing, row } from './import-corrected.ts';
import { behind, importing as inStages, rows } from './import-in-stages.ts';

const corrected = ['--only', 'failed'];
const other = (name: string) => row(name, `${name} other`);
const failing = (name: string) => row(name, name, 'bad');

test('another hash is noticed also in the second correction, whether the first had no valid row of the user or no row at all', async () => {
  for (const first of [[failing('ann'), row('bob')], [row('bob')]]) {
    const world = await startWorld();
    await importing(world, [row('ann'), failing('bob')]);
    await importing(world, first, ...corrected);
    const known = await canaries(world, 'bob');
    const ended = await importing(world, [other('ann'), row('bob')], ...corrected, ...known);
    expect(ended).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { HASH_CHANGED: 1 } } });
  }
});

test('another hash of a canary is noticed in a corrected file, also if the job ended before its row was read in turn', async () => {
  const world = await startWorld();
  let logins: 'wrong' | 'right' = 'wrong';
  const baseUrl = await behind(world, () => logins);
  const before = Array.from({ length: 3000 }, (_, at) => rows[0]?.replaceAll('user1', `before${at}`) ?? '');
  const stopped = await inStages(world, [...before, ...rows], 'canaries,100%', { baseUrl });
  expect([stopped.exitCode, stopped.names.length]).toEqual([8, 2]);
  logins = 'right';
  const wrong = rows.map((line, at) => (at === 29 ? line.replace(/.{4}$/, '0000') : line));
  const given = { baseUrl, canaries: ['user35,Old secret 35'], args: [...corrected, '--json'] };
  const ended = await inStages(world, wrong, '100%', given);
  expect(ended.exitCode).toBe(7);
  expect(JSON.parse(ended.stdout)).toMatchObject({ created: 40, codes: { HASH_CHANGED: 1 } });
});

test('in a corrected file of merged shards, another hash is noticed, or that it is not known which was sent', async () => {
  const world = await startWorld();
  const jobs = ['shard1', 'shard2'].map((name) => join(world.directory, name));
  async function inShards(people: readonly string[], ...args: string[]) {
    const file = join(world.directory, 'legacy.csv');
    await writeFile(file, `user_name,mobile,algorithm,hash\n${people.join('\n')}\n`);
    for (const [at, job] of jobs.entries())
      await world.run('import-hashes', file, '--job', job, '--shard', `${at + 1}/2`, ...args);
  }
  await inShards([row('ann'), row('bob'), row('cyd'), row('dan')]);
  await inShards([failing('ann'), failing('bob'), row('cyd'), row('dan')], ...corrected);
  await world.run('import-hashes', 'merge', ...jobs, '--job', join(world.directory, 'job'));
  const later = [other('ann'), other('bob'), row('cyd'), row('dan')];
  const known = await canaries(world, 'cyd');
  const ended = await importing(world, later, ...corrected, ...known);
  expect(ended).toMatchObject({
    exitCode: 7,
    summary: { created: 4, codes: { HASH_CHANGED: 1, HASH_UNKNOWN: 1 } },
  });
  expect(ended.stderr).toContain(
    'Warning: It is not known which hash was sent for 1 user of this job, and the API cannot replace a hash.',
  );
  expect(ended.stderr).toContain('Find out whether the user can log in (HASH_UNKNOWN in failures.csv)');
  expect(ended.failures).toMatch(/\n1,2,ann,,HASH_CHANGED,.*\n2,3,bob,,HASH_UNKNOWN,/);
});

test('a canary that is listed twice, and has another hash in the corrected file, is not counted', async () => {
  const world = await startWorld();
  await importing(world, [other('ann'), failing('bob')]);
  const known = await canaries(world, 'ann', 'ann');
  const ended = await importing(world, [row('ann'), row('bob')], ...corrected, ...known);
  expect(ended).toMatchObject({ exitCode: 7, summary: { codes: { HASH_CHANGED: 1 } } });
  expect(ended.summary.by_algorithm.md5.canaries).toBe(0);
});

test('pwd_must_modify that was corrected after a user was created is reported, and the canary counts', async () => {
  const world = await startWorld();
  await importing(world, [row('ann'), row('cyd'), failing('bob')]);
  const args = [...corrected, '--set', 'pwd_must_modify=false', ...(await canaries(world, 'ann'))];
  const ended = await importing(world, [row('ann'), row('cyd'), row('bob')], ...args);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 3, codes: { MUST_MODIFY_CHANGED: 2 } } });
  expect(ended.summary.by_algorithm.md5.canaries).toBe(1);
  const kept =
    'Warning: 2 users keep pwd_must_modify as it was sent first, although their rows have another value now: the API cannot change it.';
  expect(ended.stderr.split(kept)).toHaveLength(3);
  expect(ended.stderr).toContain(
    'Next: Put back pwd_must_modify of the 2 users, which stays as it was sent (MUST_MODIFY_CHANGED in failures.csv).',
  );
  expect(ended.failures).toMatch(/\n1,2,ann,,MUST_MODIFY_CHANGED,/);
});

test('other values of a user who was created are reported, and can be updated with the corrected file', async () => {
  const world = await startWorld();
  const [before, after] = ['13812345678', '13812345679'];
  await importing(world, [row('ann', 'ann', before), row('cyd'), failing('bob')]);
  const known = await canaries(world, 'ann');
  const rows = [row('ann', 'ann', after), row('cyd'), row('bob')];
  const ended = await importing(world, rows, ...corrected, ...known);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 3, codes: { VALUES_CHANGED: 1 } } });
  expect(ended.summary.by_algorithm.md5.canaries).toBe(1);
  const kept =
    'Warning: 1 user keeps the values that were sent first, although the row has others now: an import changes no existing user.';
  expect(ended.stderr.split(kept)).toHaveLength(3);
  expect(ended.stderr).toContain('Next: Change the user with a plan (VALUES_CHANGED in failures.csv)');
  // Without a key, the plan would take a changed identifier for that of another person.
  const plan = /\n {2}tenant-users (plan .* --only update --update --key FIELD --since .*)\n/.exec(
    ended.stderr,
  );
  expect(ended.failures).toMatch(/\n1,2,ann,,VALUES_CHANGED,/);
  // The plan leaves alone what somebody has changed in the tenant since.
  const { user_id: cyd } = await world.client.getUserByUserName('cyd');
  await world.client.updateUser(cyd, { mobile: '13812345670' });
  const to = join(world.directory, 'plan');
  const words = (plan?.[1] ?? '').replace('FIELD', 'user_name').split(' ');
  expect(await world.run(...words, '--to', to)).toMatchObject({ exitCode: 0 });
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await world.client.getUserByUserName('ann')).toMatchObject({ mobile: after });
  expect(await world.client.getUserByUserName('cyd')).toMatchObject({ mobile: '13812345670' });
});

test('values that are as they were sent again are no difference, nor are those of a user who was updated as the row says', async () => {
  const world = await startWorld();
  const [before, after] = ['13812345678', '13812345679'];
  const people = (name: string, mobile: string) => [row(name, 'ann', mobile), row('bob')];
  await importing(world, [row('ann', 'ann', before), failing('bob')]);
  expect(await importing(world, people('ann', after), ...corrected)).toMatchObject({ exitCode: 7 });
  const back = await importing(world, people('ann', before), ...corrected);
  expect(back).toMatchObject({ exitCode: 0, summary: { created: 2, codes: {} } });
  const { user_id: id } = await world.client.getUserByUserName('ann');
  await world.client.updateUser(id, { user_name: 'ann.lee' });
  const renamed = [...corrected, '--accept', 'KEY_CHANGED'];
  for (const args of [renamed, corrected])
    expect(await importing(world, people('ann.lee', before), ...args)).toMatchObject({
      exitCode: 0,
      summary: { created: 2, codes: {} },
    });
});

test('a hash that is right again is recognised, also if the user name was corrected with the wrong hash', async () => {
  const world = await startWorld();
  const mobile = '13812345678';
  await importing(world, [row('ann', 'ann', mobile), failing('bob')]);
  const { user_id: id } = await world.client.getUserByUserName('ann');
  await world.client.updateUser(id, { user_name: 'ann.lee' });
  const wrong = [row('ann.lee', 'other', mobile), row('bob')];
  const accepting = [...corrected, '--accept', 'KEY_CHANGED'];
  expect(await importing(world, wrong, ...accepting)).toMatchObject({
    exitCode: 7,
    summary: { created: 2, codes: { HASH_CHANGED: 1 } },
  });
  const right = [row('ann.lee', 'ann', mobile), row('bob')];
  const back = await importing(world, right, ...corrected);
  expect(back).toMatchObject({ exitCode: 0, summary: { created: 2, codes: {} } });
});

test('consent to changed keys is for one run: the next command does not repeat it, and goes on without it', async () => {
  const world = await startWorld();
  await importing(world, [row('ann'), failing('bob'), failing('cyd')]);
  const accepting = ['--accept', 'OUTER_BLANK', '--accept', 'KEY_CHANGED', '--accept=KEY_CHANGED'];
  const people = [row('anna'), row('bob'), failing('cyd')];
  const ended = await importing(world, people, ...corrected, ...accepting);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 2 } });
  expect(ended.stderr).toMatch(/\n {2}tenant-users import-hashes .* --accept OUTER_BLANK --only failed\n/);
  expect(ended.stderr).not.toContain('KEY_CHANGED');
  const renamed = [row('annie'), row('bob'), row('cyd')];
  const next = [...corrected, '--accept', 'OUTER_BLANK'];
  const refused = await importing(world, renamed, ...next);
  expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('(KEY_CHANGED)') });
  const back = await importing(world, [row('anna'), row('bob'), row('cyd')], ...next);
  expect(back).toMatchObject({ exitCode: 7, summary: { created: 3, codes: {} } });
});
