import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const header = 'user_name,algorithm,hash\n';
const row = (name: string) => `${name},md5,${goodHashes.md5}\n`;
const apply = (world: TestWorld, to: string, ...more: string[]) => world.run('apply', to, '--yes', ...more);

test('--ramp creates the canaries of a plan first, lets them log in, and continues in stages of its actions', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'user1' });
  const file = join(world.directory, 'legacy.csv');
  const rows = Array.from({ length: 12 }, (_, at) => row(`user${at + 1}`));
  await writeFile(file, header + rows.join(''));
  const to = join(world.directory, 'plan');
  const known = join(world.directory, 'known.csv');
  await world.run('plan', file, '--to', to, '--key', 'user_name');
  await writeFile(known, 'user9,not the password\n');
  const ramp = ['--canary', known, '--ramp', 'canaries,3,100%'];
  const wrong = await apply(world, to, ...ramp);
  expect(wrong).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining('nothing was sent: md5: 1 of 1'),
  });
  await writeFile(known, `user9,secret\nuser1,secret\n`);
  const { exitCode, stderr } = await apply(world, to, ...ramp);
  expect(exitCode).toBe(0);
  expect(stderr.split('\n').filter((line) => /^Stage|accepted/.test(line))).toEqual([
    'Stage canaries: 1 row ended, 0 failed',
    '1 of 1 passwords accepted, it must be changed first (pwd_must_modify)',
    'Stage 3: 2 rows ended, 0 failed',
  ]);
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  expect(users.slice(0, 2).map(({ user_name: name }) => name)).toEqual(['user1', 'user9']);
  expect(users).toHaveLength(12);
});

test('--ramp canaries is refused if the plan creates none of them, and known passwords count as verified', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'ann' });
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, header + row('ann') + row('bob'));
  const [to, known] = [join(world.directory, 'plan'), join(world.directory, 'known.csv')];
  await world.run('plan', file, '--to', to, '--key', 'user_name');
  await writeFile(known, 'ann,secret\n');
  const refused = await apply(world, to, '--canary', known, '--ramp', 'canaries,100%');
  expect({ ...refused, stderr: '' }).toEqual({ exitCode: 2, stdout: '', stderr: '' });
  expect(refused.stderr).toContain(
    'no canary is a user whom the plan creates, so --ramp canaries would try nobody before the other rows',
  );
  expect(refused.stderr).toContain(`tenant-users plan show ${to} --action create`);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
  const { exitCode, stderr } = await apply(world, to, '--canary', known);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Verified with known passwords: md5 (1).');
  expect(stderr).not.toContain('Not verified');
});
