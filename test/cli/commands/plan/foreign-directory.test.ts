import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { writeKeys } from '../../../write-keys.ts';

async function worldWithFile() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('staff.csv'), 'user_name\nann\n');
  await writeFile(within('victim'), 'precious');
  const how = { plan: ['--allow-passwordless'], compare: [] };
  const run = (command: keyof typeof how, to = within('to')) =>
    world.run(command, within('staff.csv'), '--to', to, ...how[command]);
  return { world, within, run };
}

const commands = ['plan', 'compare'] as const;

test.skipIf(process.platform === 'win32').each(commands)(
  '%s writes to no directory that another account could use, and follows no link in it',
  async (command) => {
    const { within, run } = await worldWithFile();
    await mkdir(within('to'));
    await symlink(within('elsewhere'), join(within('to'), 'running.lock'));
    const linked = await run(command);
    expect(linked).toMatchObject({ exitCode: 3, stdout: '' });
    expect(linked.stderr).toContain(
      'it contains the link running.lock, which may lead elsewhere\nName another directory with --to.\n',
    );
    expect(existsSync(within('elsewhere'))).toBe(false);
    await mkdir(within('open'));
    await chmod(within('open'), 0o770);
    const open = await run(command, within('open'));
    expect(open).toMatchObject({ exitCode: 3, stdout: '' });
    expect(open.stderr).toContain(
      'other accounts can write to the directory\nRemove that permission (chmod go-w), or use another one. Name another directory with --to.\n',
    );
    expect(await readdir(within('open'))).toEqual([]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a signature replaces a link instead of the file to which it leads, and whoever may read other files may read it',
  async () => {
    const { world, within, run } = await worldWithFile();
    expect(await run('plan')).toMatchObject({ exitCode: 0 });
    await writeKeys(world.directory);
    const signature = join(within('to'), 'plan.sig');
    await symlink(within('victim'), signature);
    expect(await world.run('plan', 'sign', within('to'), within('key.pem'))).toMatchObject({ exitCode: 0 });
    expect(await readFile(within('victim'), 'utf8')).toBe('precious');
    const [signed, usual] = [await stat(signature), await stat(within('victim'))];
    expect(signed.mode).toBe(usual.mode);
  },
);
