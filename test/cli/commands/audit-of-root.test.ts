import { chownSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { unprivileged } from '../../unprivileged.mjs';
import { startWorld, temporaryDirectory } from '../../world.ts';

const nobody = unprivileged();

/** A database with one user, and its audit log. */
async function startDatabase() {
  const world = await startWorld();
  const database = join(world.directory, 'tenant.db');
  const onDatabase = (...args: string[]) => world.run(...args, '--local', database);
  await onDatabase('create', '--user-name', 'ann');
  return { ...world, database, log: `${database}.audit.jsonl`, onDatabase };
}

test.skipIf(nobody === undefined)(
  'a log that a command of root creates belongs to the owner of the database, so that serve can write to it',
  async () => {
    const { database, log, onDatabase, directory } = await startDatabase();
    rmSync(log);
    const { uid = 0, gid = 0 } = nobody ?? {};
    for (const path of [directory, database]) chownSync(path, uid, gid);
    expect(await onDatabase('apps', 'create', '--json')).toMatchObject({ exitCode: 0 });
    const { mode, ...owner } = statSync(log);
    expect(owner).toMatchObject({ uid, gid });
    expect(mode & 0o777).toBe(0o600);
    expect(readFileSync(log, 'utf8')).toContain('"createApplication"');

    // The owner cannot make root write elsewhere through a link.
    const elsewhere = join(await temporaryDirectory(), 'made');
    rmSync(log);
    symlinkSync(elsewhere, log);
    expect(await onDatabase('apps', 'create', '--json')).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('cannot be written: it is a link, which is not followed'),
    });
    expect(existsSync(elsewhere)).toBe(false);
  },
);

test.skipIf(nobody === undefined)(
  'serve of root writes through no link of the owner of the database, and leaves them a log that commands can write',
  async () => {
    const { database, log, onDatabase, runWith, directory } = await startDatabase();
    const { uid = 0, gid = 0 } = nobody ?? {};
    for (const path of [directory, database]) chownSync(path, uid, gid);
    const serve = (...more: string[]) =>
      runWith(
        { env: {}, signalAtOutput: 'SIGTERM' },
        'serve',
        '--port',
        '0',
        '--database',
        database,
        ...more,
      );
    const victim = join(await temporaryDirectory(), 'victim.txt');
    writeFileSync(victim, 'as it was\n');
    rmSync(log);
    symlinkSync(victim, log);
    expect(await serve()).toMatchObject({ exitCode: 3, stdout: '' });
    // The same file by another path.
    for (const path of [relative('', log), `${dirname(log)}/./${basename(log)}`])
      expect(await serve('--audit', path)).toMatchObject({ exitCode: 3, stdout: '' });
    expect(readFileSync(victim, 'utf8')).toBe('as it was\n');
    rmSync(log);
    expect(await serve()).toMatchObject({ exitCode: 0 });
    expect(statSync(log)).toMatchObject({ uid, gid, mode: 0o100600 });
    expect(await onDatabase('apps', 'create', '--json')).toMatchObject({ exitCode: 0 });

    chownSync(log, 0, 0);
    expect(await onDatabase('apps', 'create', '--json')).toMatchObject({ exitCode: 3, stdout: '' });
    expect((await onDatabase('apps', 'create')).stderr).toContain(
      `tenant-users: the audit log ${log} cannot be written: it belongs to another account than the database\nGive it to the owner of the database: chown -h ${uid}:${gid} ${log}\n`,
    );

    // Before there is a database, the owner of the directory can put a link there as well.
    for (const path of [database, log]) rmSync(path);
    symlinkSync(victim, log);
    expect(await serve()).toMatchObject({ exitCode: 3, stdout: '' });
    expect(readFileSync(victim, 'utf8')).toBe('as it was\n');
  },
);

test.skipIf(nobody === undefined)(
  'root can work on a database whose owner cannot create a file in its directory',
  async () => {
    const { database, log, onDatabase } = await startDatabase();
    rmSync(log);
    const { uid = 0, gid = 0 } = nobody ?? {};
    chownSync(database, uid, gid);
    expect(await onDatabase('list', '--columns', 'user_name', '-o', 'csv')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('ann'),
    });
    expect(await onDatabase('apps', 'create', '--json')).toMatchObject({ exitCode: 0 });
    expect(statSync(log)).toMatchObject({ uid, gid, mode: 0o100600 });
  },
);
