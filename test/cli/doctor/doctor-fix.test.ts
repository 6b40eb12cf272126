import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rmdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDirectory } from '../../../src/migration/directory/lock-directory.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';
import { openTerminal } from '../process/open-terminal.ts';
import { credentials } from '../process/start-program.ts';
import { terminalTest } from '../process/start-terminal.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const longAgo = new Date('2026-01-01');

/** A world with a job whose files, configuration and log have loose permissions, and with leftover files. */
async function looseWorld() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('legacy.csv'), `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  await world.run('import-hashes', within('legacy.csv'), '--job', within('job'));
  await writeFile(within('config.json'), '{"profiles":{}}');
  const loose = ['config.json', 'job/users.csv', 'job/journal.db', 'state/log/000001.jsonl'].map(within);
  for (const file of loose) await chmod(file, 0o644);
  await chmod(world.directory, 0o777);
  const left = ['config.json.tmp-1234567890abcdef', 'job/users.csv.new'].map(within);
  for (const file of left) await writeFile(file, 'left');
  await mkdir(within('config.json.lock'));
  for (const path of [...left, within('config.json.lock')]) await utimes(path, longAgo, longAgo);
  // Files that are not ours, are in use, or are not empty.
  const others = ['job/notes.new', 'job/failures.csv.new', 'config.json.tmp-mine'].map(within);
  for (const file of others) await writeFile(file, 'of somebody');
  await utimes(others[0] ?? '', longAgo, longAgo);
  return { ...world, within, loose, left: [...left, within('config.json.lock')], others };
}

test.skipIf(process.platform === 'win32')(
  'doctor --fix corrects permissions, removes leftovers, and changes nothing else',
  async () => {
    const { run, directory, loose, left, others, within } = await looseWorld();
    const journal = await readFile(within('job/journal.db'));
    const before = await run('doctor', '--json');
    expect(before.exitCode).toBe(0);
    const warned = ({ checks }: { checks: { name: string; status: string }[] }) =>
      checks.flatMap(({ name, status }) => (status === 'warning' ? [name] : []));
    expect(warned(JSON.parse(before.stdout))).toEqual(['configuration', 'log', 'jobs', 'leftovers']);
    expect(await modeOf(loose[0] ?? '')).toBe('644');

    const { exitCode, stdout, stderr } = await run('doctor', '--fix', '--yes', '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { fixes, ...rest } = JSON.parse(stdout);
    expect(warned(rest)).toEqual([]);
    expect(
      fixes.map(({ action, path }: { action: string; path: string }) => `${action} ${path}`).sort(),
    ).toEqual(
      [
        ...loose.map((path) => `chmod 600 ${path}`),
        `chmod 700 ${directory}`,
        ...left.map((path) => `delete ${path}`),
      ].sort(),
    );
    expect(fixes.every(({ error }: { error: unknown }) => error === null)).toBe(true);
    expect(await Promise.all(loose.map(modeOf))).toEqual(['600', '600', '600', '600']);
    expect(await modeOf(directory)).toBe('700');
    expect(left.filter(existsSync)).toEqual([]);
    expect(others.filter(existsSync)).toEqual(others);
    expect(await readFile(within('job/journal.db'))).toEqual(journal);

    const again = await run('doctor', '--fix');
    expect(again).toMatchObject({ exitCode: 0, stderr: 'There is nothing to fix\n' });
  },
);

test.skipIf(process.platform === 'win32')(
  'doctor --fix leaves a directory that a person named as it is, and says what to do',
  async () => {
    const { run, directory } = await startWorld();
    const named = join(directory, 'named');
    await mkdir(named);
    const file = join(named, 'config.json');
    await writeFile(file, '{"profiles":{}}', { mode: 0o600 });
    await chmod(named, 0o777);
    await chmod(directory, 0o777);
    const { exitCode, stdout } = await run('doctor', '--fix', '--yes', '--config', file, '--json');
    expect(exitCode).toBe(0);
    const { fixes, checks } = JSON.parse(stdout);
    expect(fixes).toEqual([]);
    expect(checks).toContainEqual({
      name: 'configuration',
      status: 'warning',
      message: `${named} is writable by other users; fix it with: chmod 700 ${named}`,
      hint: 'Restrict the permissions.',
    });
    expect([await modeOf(named), await modeOf(directory)]).toEqual(['777', '777']);
  },
);

test('old drafts of a comparison that still reads the tenant stay, and it is listed as running', async () => {
  const { run, directory } = await startWorld();
  const [file, to] = [join(directory, 'legacy.csv'), join(directory, 'compared')];
  await writeFile(file, 'user_name\nann\n');
  expect(await run('compare', file, '--to', to)).toMatchObject({ exitCode: 7 });
  const draft = join(to, 'extra.csv.new');
  const lock = await lockDirectory(to, Date.now);
  await writeFile(draft, '');
  await utimes(draft, longAgo, longAgo);
  const stateNow = async () => JSON.parse((await run('runs', '--json')).stdout).jobs[0].state;
  const { stdout } = await run('doctor', '--fix', '--yes', '--json');
  expect(JSON.parse(stdout).fixes).toEqual([]);
  expect(await stateNow()).toBe('running');
  lock.release();
  const after = await run('doctor', '--fix', '--yes', '--json');
  expect(JSON.parse(after.stdout).fixes).toMatchObject([{ action: 'delete', path: draft }]);
  expect(await stateNow()).toBe('finished');
});

test.skipIf(process.platform === 'win32')('in a script without --yes nothing is changed', async () => {
  const { run, loose, left } = await looseWorld();
  const refused = await run('doctor', '--fix');
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(`\nchmod 600 ${loose[0]}\n`);
  expect(await modeOf(loose[0] ?? '')).toBe('644');
  expect(left.filter(existsSync)).toEqual(left);
});

test.skipIf(process.platform === 'win32')(
  'a link is not followed, and a lock that contains something stays',
  async () => {
    const { run, within, directory } = await startWorld().then((world) => ({
      ...world,
      within: (name: string) => join(world.directory, name),
    }));
    await writeFile(within('elsewhere'), 'of somebody');
    await chmod(within('elsewhere'), 0o644);
    await mkdir(within('state/log'), { recursive: true, mode: 0o700 });
    await symlink(within('elsewhere'), within('state/log/000001.jsonl'));
    await chmod(directory, 0o700);
    await mkdir(within('config.json.lock'));
    await writeFile(within('config.json.lock/held'), '');
    await utimes(within('config.json.lock'), longAgo, longAgo);
    const { exitCode, stderr } = await run('doctor', '--fix', '--yes');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^Warning: not done: delete .*config\.json\.lock: .*\nDone: 0 of 1\n$/),
    });
    expect(await modeOf(within('elsewhere'))).toBe('644');
  },
);

terminalTest('on a terminal, doctor lists what it would do, and asks', async () => {
  const { baseUrl, directory, within } = await looseWorld();
  const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl, TENANT_USERS_CONFIG: within('config.json') };
  const terminal = await openTerminal(['doctor', '--fix'], { env, columns: 160 });
  await terminal.waitFor('(y/N)');
  const screen = (await terminal.screen()).replaceAll(directory, '…');
  expect(screen).toBe(
    'chmod 600 …/config.json\ndelete …/config.json.lock\ndelete …/config.json.tmp-1234567890abcdef\n? Apply these fixes? (y/N)',
  );
  terminal.type('n\r');
  expect(await terminal.exited).toEqual({ exitCode: 2, signal: 0 });
  expect(await terminal.screen()).toContain('tenant-users: nothing was fixed');
  expect(await modeOf(within('config.json'))).toBe('644');
});

terminalTest('a lock that another process took while doctor asked stays', async () => {
  const { baseUrl, within } = await looseWorld();
  const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl, TENANT_USERS_CONFIG: within('config.json') };
  const terminal = await openTerminal(['doctor', '--fix'], { env, columns: 160 });
  await terminal.waitFor('(y/N)');
  const lock = within('config.json.lock');
  await rmdir(lock);
  await mkdir(lock);
  terminal.type('y\r');
  expect(await terminal.exited).toMatchObject({ exitCode: 0 });
  expect(existsSync(lock)).toBe(true);
  expect(await terminal.scrollback()).toMatch(
    /not done: delete .*config\.json\.lock: it was changed\s+meanwhile/,
  );
});
