import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test, vi } from 'vitest';
import { runFacts } from '../../../src/cli/connection/connect.ts';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { openJournalDatabase } from '../../../src/migration/journal/database/database.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';

const hash = '0'.repeat(32);

/** A directory with a file of users who have nothing but an external ID and a name. */
async function start() {
  const directory = await realpath(await temporaryDirectory());
  const [file, job, database] = ['x.csv', 'x.csv.import', 't.db'].map((name) => join(directory, name));
  if (!file || !job || !database) throw new Error('three paths');
  await writeFile(file, `external_id,name,algorithm,hash\n1,Ann,md5,${hash}\n2,Bob,md5,${hash}\n`);
  const run = (...args: string[]) =>
    runCommand(['--yes', ...args], { configDirectory: join(directory, 'config'), env: {} });
  const users = async (local: string) =>
    JSON.parse((await run('list', '--json', '--local', local)).stdout).total as number;
  return { directory, file, job, database, run, users };
}

test('two names of one database are one tenant', async () => {
  const { directory, file, job, database, run, users } = await start();
  await symlink(directory, `${directory}/link`);
  const begin = ['import-hashes', file, '--job', job, '--local'];
  expect(await run(...begin, relative('', database))).toMatchObject({ exitCode: 0 });
  await symlink(database, join(directory, 'other.db'));
  const names = [database, `${directory}/./t.db`, `${directory}/link/t.db`, join(directory, 'other.db')];
  for (const name of names) expect([name, await run(...begin, name)]).toMatchObject([name, { exitCode: 0 }]);
  expect(await users(database)).toBe(2);
  expect((await run('login', '--local', relative('', database), '--profile', 'g')).exitCode).toBe(0);
  const undo = ['undo', job, '--dry-run', '--to', join(directory, 'undo'), '--profile', 'g'];
  expect(await run(...undo)).toMatchObject({ exitCode: 0 });
});

test('one name in two directories is two tenants', async () => {
  const { directory } = await start();
  const context = { options: { local: 't.db' }, env: {}, configDirectory: directory };
  // The target depends on nothing else of a context.
  const target = () => runFacts(context as Partial<CommandContext> as CommandContext).target;
  await mkdir(join(directory, 'd'));
  const targets = [directory, join(directory, 'd')].map((cwd) => {
    const spy = vi.spyOn(process, 'cwd').mockReturnValue(cwd);
    const found = target();
    spy.mockRestore();
    return found;
  });
  expect(targets).toEqual([
    { database: join(directory, 't.db') },
    { database: join(directory, 'd', 't.db') },
  ]);
});

test('a path in earlier records begins where their directory lies', async () => {
  const { directory, file, job, database, run, users } = await start();
  const resume = (local: string) => run('import-hashes', file, '--job', job, '--local', local);
  expect((await resume(database)).exitCode).toBe(0);
  const journal = openJournalDatabase(DatabaseSync, join(job, 'journal.db'));
  journal.exec("UPDATE job SET value = json_set(value, '$.target.database', './t.db') WHERE name = 'job'");
  journal.close();
  expect(await resume(database)).toMatchObject({ exitCode: 0 });
  await mkdir(join(directory, 'd'));
  const other = join(directory, 'd', 't.db');
  expect(await users(other)).toBe(0);
  expect(await resume(other)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`database was ${database} and is ${other} now`),
  });
  const moved = join(directory, 'd', 'moved');
  await rename(job, moved);
  await rm(other);
  expect(await run('undo', moved, '--to', join(directory, 'undo'), '--local', database)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      `database was ./t.db (in the directory where the run was started: if that is the same file, run the command there) and is ${database} now`,
    ),
  });
  await rename(moved, join(directory, 'back'));
  const back = ['undo', join(directory, 'back'), '--to', join(directory, 'undo'), '--local', database];
  expect(await run(...back, '--dry-run')).toMatchObject({ exitCode: 0 });
});

test('a path in earlier records may also begin in the working directory, if nothing lies beside theirs', async () => {
  const { directory, file, database, run } = await start();
  const job = join(directory, 'jobs', 'x');
  const resume = (local: string) => run('import-hashes', file, '--job', job, '--local', local);
  expect((await resume(database)).exitCode).toBe(0);
  const journal = openJournalDatabase(DatabaseSync, join(job, 'journal.db'));
  const asTyped = (path: string) =>
    journal.exec(`UPDATE job SET value = json_set(value, '$.target.database', '${path}') WHERE name = 'job'`);
  asTyped(relative('', database));
  const undo = (local: string) =>
    run('undo', job, '--dry-run', '--to', join(directory, 'undo'), '--local', local);
  expect(await undo(database)).toMatchObject({ exitCode: 0 });
  const since = ['plan', file, '--since', job, '--to', join(directory, 'plan'), '--local', database];
  expect(await run(...since)).toMatchObject({ exitCode: 0 });
  expect(await resume(database)).toMatchObject({ exitCode: 0 });
  const other = join(directory, 'other.db');
  await run('list', '--local', other);
  asTyped(relative('', database));
  expect(await undo(other)).toMatchObject({ exitCode: 3 });
  await symlink(other, join(directory, 'jobs', 't.db'));
  asTyped('t.db');
  journal.close();
  expect(await undo(database)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`database was ${other} and is ${database} now`),
  });
});

test('no database is made for the records of another', async () => {
  const { directory, file, job, database, run } = await start();
  const other = join(directory, 'other.db');
  const plan = join(directory, 'plan');
  expect((await run('import-hashes', file, '--job', job, '--local', database)).exitCode).toBe(0);
  await run('plan', file, '--to', plan, '--local', database);
  for (const command of [
    ['import-hashes', file, '--job', job, '--only', 'failed'],
    ['apply', plan],
    ['undo', job, '--to', join(directory, 'undo')],
    ['cutover', job],
    ['compare', file, '--job', job, '--to', join(directory, 'compared')],
    ['plan', file, '--since', job, '--to', join(directory, 'next')],
  ]) {
    expect([command, await run(...command, '--local', other)]).toMatchObject([
      command,
      { exitCode: 3, stdout: '', stderr: expect.stringContaining(`there is no database ${other}`) },
    ]);
    expect(existsSync(other)).toBe(false);
  }
});
