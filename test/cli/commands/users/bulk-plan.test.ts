import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quotePath } from '../../../../src/text/shell-quote.ts';
import { startWorld } from '../../../world.ts';

test.each([
  [
    'create',
    'Login,hash,shoe_size\nann,5f4dcc3b5aa765d61d8327deb882cf99,40\n',
    ['--map', 'user_name=Login', '--ignore-unknown', '--no-must-modify'],
    ['--map', 'user_name=Login', '--set', 'pwd_must_modify=false', '--ignore-unknown'],
    ['--algorithm', 'md5'],
  ],
  [
    'update',
    Buffer.from('user_name,name\nann,\x81\xff\x83\n', 'latin1'),
    ['--key', 'user_name', '--rate', '90/s'],
    ['--key', 'user_name', '--algorithm', 'infer', '--foreign-hashes', 'passwordless', '--rate', '90/s'],
    ['--encoding', 'cp437'],
  ],
])(
  '%s names the plan that reads the file in the same way, and has the option which it needs',
  async (command, text, given, kept, more) => {
    const world = await startWorld();
    const file = join(world.directory, 'staff.csv');
    await writeFile(file, text);
    const ended = await world.run(command, '--csv', file, '--to', `${file}.${command}`, '--yes', ...given);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    const [option = ''] = more;
    expect(ended.stderr).toContain(option);
    const [why, line = ''] = ended.stderr.trimEnd().split('\n').slice(-2);
    expect(why).toBe(`${command} has no ${option}. Make a plan with it, and apply that:`);
    const words = line.trim().split(' ');
    const [, , , ...options] = words;
    expect(words.slice(0, 3)).toEqual(['tenant-users', 'plan', quotePath(file)]);
    expect(options.sort()).toEqual(
      ['--only', command, '--allow-passwordless', '--to', `${file}.${command}`, ...kept].sort(),
    );
    expect(await world.run(...words.slice(1), ...more)).toMatchObject({
      exitCode: command === 'create' ? 0 : 7,
    });
  },
);

test('a file with IDs of the tenant is not sent to a plan for an option of another command', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'staff.csv');
  await writeFile(file, 'user_id,user_name,name\n20201028102749564-9082-DC8CD2722,ann,Ann\n');
  const ended = await world.run('update', '--csv', file, '--to', `${file}.update`, '--yes');
  expect(ended).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is for tenant-users disable'),
  });
  expect(ended.stderr).not.toMatch(/has no|tenant-users plan/);
});
