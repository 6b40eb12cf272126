import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application } from '../../../test-service.ts';
import { startWorld } from '../../../world.ts';
import { behind, importing, type Logins, rows } from './import-in-stages.ts';

/**
 * Imports both shards of a file whose last row fails in stages, and merges them. `logins`: what the login of the tenant does
 * during each. `words`: of the command that goes on. `goOn` runs it, with this login.
 */
async function merged(...logins: readonly [Logins, Logins]) {
  const world = await startWorld();
  let login: Logins | undefined;
  const baseUrl = await behind(world, () => login ?? 'unknown');
  const cut = rows.map((row, at) => (at < 39 ? row : row.slice(0, -4)));
  const jobs: string[] = [];
  for (const [at, during] of logins.entries()) {
    login = during;
    const job = join(world.directory, `shard${at + 1}`);
    await importing(world, cut, 'canaries,10', { baseUrl, args: ['--shard', `${at + 1}/2`, '--job', job] });
    jobs.push(job);
  }
  const whole = join(world.directory, 'whole');
  const { stderr } = await world.run('import-hashes', 'merge', ...jobs, '--job', whole);
  const command = /^ {2}tenant-users (import-hashes .*)$/m.exec(stderr)?.[1] ?? '';
  expect(await readFile(join(whole, 'report.html'), 'utf8')).toContain(command);
  const words = command.split(' ');
  const { client_id: id, client_secret: secret } = application;
  const env = { TENANT_USERS_CLIENT_ID: id, TENANT_USERS_CLIENT_SECRET: secret };
  const goOn = async (now: Logins) => {
    login = now;
    await writeFile(join(world.directory, 'legacy.csv'), `user_name,email,hash\n${rows.join('\n')}\n`);
    return world.runWith({ env: { ...env, TENANT_USERS_BASE_URL: baseUrl } }, ...words, '--json');
  };
  return { words, goOn };
}

test('canaries that logged in for their shards are not tried again for the whole: their passwords may be others', async () => {
  const { words, goOn } = await merged('right', 'right');
  expect(words).toEqual(expect.arrayContaining(['--canary', '--only', 'failed']));
  const { exitCode, stdout } = await goOn('wrong');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ created: 40, ramp: { canaries: 2, logins: 'accepted' } });
  expect(words).not.toContain('--ramp');
});

test('canaries that could not be tried for their shards are tried for the whole', async () => {
  const { words, goOn } = await merged('unknown', 'unknown');
  expect(words).toContain('--ramp');
  const { exitCode, stdout } = await goOn('right');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ created: 40, ramp: { canaries: 2, logins: 'accepted' } });
});

test('after a shard whose canaries could not log in, the whole is sent in stages, with the canaries first', async () => {
  const { words } = await merged('right', 'wrong');
  expect(words).toContain('--ramp');
});
