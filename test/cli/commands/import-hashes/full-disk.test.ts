import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../../../find-program.mjs';
import { startWorld, temporaryDirectory } from '../../../world.ts';
import { bin, credentials } from '../../process/start-program.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const rows = Array.from({ length: 1200 }, (_, n) => `user${n},user${n}@example.com,md5,${md5}`);

/** Runs the program where no file may grow beyond this number of KiB: a write fails as on a full disk. */
function runWithin(size: number, args: string[], env: Record<string, string>) {
  const command = `trap '' XFSZ; ulimit -f ${size}; exec "$0" "$@"`;
  return new Promise<{ exitCode: unknown; stderr: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env } };
    execFile('bash', ['-c', command, process.execPath, bin, ...args], options, (failure, _, stderr) =>
      resolve({ exitCode: failure?.code ?? 0, stderr }),
    );
  });
}

test.skipIf(process.platform === 'win32')(
  'a disk that becomes full ends the run with a reason, and the same command continues when there is room',
  async () => {
    const world = await startWorld();
    const file = join(world.directory, 'legacy.csv');
    await writeFile(file, `user_name,email,algorithm,hash\n${rows.join('\n')}\n`);
    const args = ['import-hashes', file, '--job', join(world.directory, 'job'), '--yes'];
    const env = { ...credentials, TENANT_USERS_BASE_URL: world.baseUrl };
    expect(await runWithin(128, args, { HOME: world.directory, ...env })).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('the journal cannot be written there'),
    });

    const { exitCode, stdout } = await world.run(...args, '--json');
    const { created, existing, unknown, pending } = JSON.parse(stdout);
    expect({ exitCode, users: created + existing, unknown, pending }).toEqual({
      exitCode: 0,
      users: rows.length,
      unknown: 0,
      pending: 0,
    });
    expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(rows.length);
  },
);

test.skipIf(process.platform === 'win32')(
  'a command on a database that cannot grow says why the service is busy',
  async () => {
    const world = await startWorld();
    const database = join(world.directory, 'users.db');
    const create = ['create', '--local', database, '--user-name'];
    const env = { HOME: world.directory };
    expect(await runWithin(4096, [...create, 'ann'], env)).toMatchObject({ exitCode: 0 });
    expect(await runWithin(36, [...create, 'bob'], env)).toEqual({
      exitCode: 6,
      stderr: expect.stringContaining(
        `Warning: the embedded service on ${database} failed: disk I/O error\n`,
      ),
    });
  },
);

/** Only root may mount. The mount ends with the command. */
const unshare = findProgram('unshare') ?? '';
const canMount = spawnSync(unshare, ['--mount', 'true']).status === 0;

test.skipIf(!canMount)('a database on a full disk is refused with the reason', async () => {
  const directory = await temporaryDirectory();
  const command = `mount -t tmpfs -o size=400k tmpfs "$PWD" && cd "$PWD" &&
    "$0" "$1" create --user-name ann --local u.db && ! head -c 1000000 /dev/zero > filler; "$0" "$1" list --local u.db`;
  const options = {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    encoding: 'utf8',
  } as const;
  const { status, stderr } = spawnSync(
    unshare,
    ['--mount', 'sh', '-c', command, process.execPath, bin],
    options,
  );
  expect(status).toBe(3);
  expect(stderr).toContain(
    'the service cannot start on u.db: no space is left on the disk\nFree some space, then run the command again.\n',
  );
});
