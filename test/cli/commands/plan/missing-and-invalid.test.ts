import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

test.each([
  [1, '1 row fails the checks (row 2: HASH_SHAPE), and'],
  [
    7,
    '7 rows fail the checks (row 2: HASH_SHAPE, row 3: HASH_SHAPE, row 4: HASH_SHAPE, row 5: HASH_SHAPE, row 6: HASH_SHAPE, and 2 more), and',
  ],
])(
  'with --disable-missing, a plan is not made of a file with %d invalid rows, which are named',
  async (wrong, message) => {
    const world = await startWorld();
    const [file, to] = [join(world.directory, 'legacy.csv'), join(world.directory, 'plan')];
    const rows = Array.from({ length: wrong }, (_, at) => `user${at},false,md5,short\n`);
    await writeFile(
      file,
      `user_name,pwd_must_modify,algorithm,hash\nann,false,md5,${goodHashes.md5}\n${rows.join('')}`,
    );
    const { exitCode, stdout, stderr } = await world.run('plan', file, '--to', to, '--disable-missing');
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(
      'the same command without --disable-missing makes a plan that lists all of these rows.',
    );
    expect(existsSync(join(to, 'plan.json'))).toBe(false);
  },
);

test('with --since, the limit is a share of the users of the earlier file, however many the tenant has', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (users: number) =>
    writeFile(
      within('staff.csv'),
      `user_name\n${Array.from({ length: users }, (_, at) => `user${at}\n`).join('')}`,
    );
  for (let at = 0; at < 100; at += 1) await world.client.createUser({ user_name: `other${at}` });
  await write(20);
  const words = [within('staff.csv'), '--allow-passwordless'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  const plan = (...more: string[]) =>
    world.run(
      'plan',
      ...words,
      '--since',
      within('job'),
      '--to',
      within('plan'),
      '--disable-missing',
      ...more,
    );
  await write(17);
  expect(await plan()).toEqual({
    exitCode: 8,
    stdout: '',
    stderr: expect.stringContaining(
      'the plan would disable 3 of 20 users of the earlier file, and at most 2 (10%) are allowed',
    ),
  });
  expect(await plan('--at-most', 'disable=20%')).toMatchObject({ exitCode: 0 });
  await write(18);
  expect(await plan()).toMatchObject({ exitCode: 0 });
});
