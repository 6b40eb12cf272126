import { existsSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';

/** A database with a user `ann` and an audit log that takes no line, as on a full disk. */
async function withFullLog() {
  const directory = await temporaryDirectory();
  const database = join(directory, 'own.db');
  const run = (...args: string[]) =>
    runCommand([...args, '--local', database], { env: {}, configDirectory: directory });
  expect(await run('create', '--user-name', 'ann')).toMatchObject({ exitCode: 0 });
  const log = `${database}.audit.jsonl`;
  await rm(log);
  await symlink('/dev/full', log);
  const message = `the audit log ${log} cannot be written, and its last lines are lost: no space is left on the disk`;
  return { directory, run, message };
}

test.skipIf(!existsSync('/dev/full'))(
  'an embedded command fails if the audit log does not have what it did, after its result',
  async () => {
    const { directory, run, message } = await withFullLog();
    expect(await run('list', '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await run('create', '--user-name', 'bob')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('user_id'),
      stderr: expect.stringContaining(`Created without a password\ntenant-users: ${message}\n`),
    });
    const json = await run('create', '--user-name', 'cyd', '--json');
    expect(json).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('"user_id"') });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'CONFIGURATION', message } });
    const file = join(directory, 'new.csv');
    await writeFile(file, `user_name,algorithm,hash\ndan,md5,${goodHashes.md5}\n`);
    const imported = await run('import-hashes', file, '--job', join(directory, 'job'), '--json');
    expect(imported).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('"created":1') });
    // A command that failed keeps its exit code.
    const [ann, bob] = ['--by-user-name=ann', '--by-user-name=bob'];
    expect(await run('disable', ann, bob)).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining(
        `1 of 2 disabled; 1 got no clear answer, and may be disabled\ntenant-users: ${message}\n`,
      ),
    });
  },
);
