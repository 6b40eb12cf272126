import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application } from '../../../test-service.ts';
import { environmentFor, startWorld, type TestWorld } from '../../../world.ts';
import { openTerminal } from '../../process/open-terminal.ts';
import { terminalTest } from '../../process/start-terminal.ts';

const hash = createHash('md5').update('Old secret 1').digest('hex');

async function writeRows(world: TestWorld, rows = 2): Promise<{ file: string; job: string }> {
  const file = join(world.directory, 'legacy.csv');
  const lines = Array.from({ length: rows }, (_, index) => `user${index},md5,${hash}`);
  await writeFile(file, `user_name,algorithm,hash\n${lines.join('\n')}\n`);
  return { file, job: join(world.directory, 'job') };
}

const totalOf = async ({ client }: TestWorld) => (await client.listUsers({ offset: 0, limit: 10 })).total;

test('a script without --yes gets the preview and the complete command, and nothing is sent', async () => {
  const world = await startWorld();
  const { file, job } = await writeRows(world);
  const args = ['import-hashes', file, '--job', job, '--restart'];
  const { exitCode, stdout, stderr } = await world.runWith({ mayRefuse: true }, ...args);
  expect({ exitCode, stdout, total: await totalOf(world) }).toEqual({ exitCode: 2, stdout: '', total: 0 });
  const target = `${world.baseUrl} (client id ${application.client_id})`;
  expect(stderr).toMatch(new RegExp(`^Target: ${target.replace(/[().]/g, '\\$&')}\n`));
  expect(stderr).toContain('2 rows will be imported. The API cannot delete a user');
  expect(stderr).toContain('2 users must change the password at the first login');
  expect(stderr).toContain('Not verified: md5.');
  expect(stderr).toContain(
    `nothing was sent: to import 2 users without a prompt, add --yes; the target is ${target}\n`,
  );
  expect(stderr).toContain(`Run:\n  tenant-users import-hashes ${file} --job ${job} --restart --yes\n`);
  expect(existsSync(job)).toBe(false);

  const json = await world.runWith({ mayRefuse: true }, ...args, '--json');
  expect({ ...json, stderr: JSON.parse(json.stderr) }).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: { error: { message: expect.stringContaining(`; the target is ${target}`) } },
  });
});

test('a run that resumes a job proposes no option that its job cannot have, and announces no import that it refuses', async () => {
  const world = await startWorld();
  const { file, job } = await writeRows(world);
  const args = ['import-hashes', file, '--job', job];
  const proposed = await world.runWith({ mayRefuse: true }, ...args);
  expect(proposed.stderr).toContain('To let them keep it, add --set pwd_must_modify=false.');
  await world.run(...args);
  const again = await world.run(...args);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).not.toContain('--set');
  for (const yes of [[], ['--yes']]) {
    const refused = await world.runWith(
      { mayRefuse: true },
      ...args,
      '--set',
      'pwd_must_modify=false',
      ...yes,
    );
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain('it holds the records of another import: the mapping, constants');
    expect(refused.stderr).not.toContain('imported');
  }
});

test('with --yes the import starts, and the same job needs consent again only if it has more users', async () => {
  const world = await startWorld();
  const { file, job } = await writeRows(world, 1);
  const args = ['import-hashes', file, '--job', job];
  const agreed = await world.runWith({ mayRefuse: true }, ...args, '--yes', '--json');
  expect(JSON.parse(agreed.stdout)).toMatchObject({
    created: 1,
    target: { base_url: world.baseUrl, client_id: application.client_id },
  });
  expect(await world.runWith({ mayRefuse: true }, ...args)).toMatchObject({ exitCode: 0 });
  await writeRows(world, 2);
  const grown = await world.runWith({ mayRefuse: true }, ...args, '--only', 'failed');
  expect(grown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--only failed --yes\n') });
  expect(grown.stderr).toContain('\n1 row will be imported, 1 was imported before. The API');
  expect(grown.stderr).toContain('to import 1 user without a prompt, add --yes');
  const restarted = await world.runWith({ mayRefuse: true }, ...args, '--restart');
  expect(restarted).toMatchObject({ exitCode: 2 });
  expect(await totalOf(world)).toBe(1);
  // Of users who have no row any more, none is counted as a row of the file.
  const rows = (await readFile(file, 'utf8')).split('\n').toSpliced(1, 1);
  await writeFile(file, rows.join('\n'));
  const accepting = [...args, '--only', 'failed', '--accept', 'KEY_CHANGED'];
  const shrunk = await world.runWith({ mayRefuse: true }, ...accepting);
  expect(shrunk).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('\n1 row will be imported. The'),
  });
});

test('with --only failed and other options, rows that were never sent need consent again', async () => {
  const world = await startWorld();
  const { file, job } = await writeRows(world, 6);
  const rows = (await readFile(file, 'utf8')).replace(`user1,md5,${hash}`, 'user1,md5,cut');
  await writeFile(file, rows);
  const args = ['import-hashes', file, '--job', job];
  const options = ['--set', 'pwd_must_modify=false'];
  const first = ['--max-failures', '0', '--concurrency', '1', '--yes', '--json'];
  const stopped = await world.runWith({ mayRefuse: true }, ...args, ...options, ...first);
  const { created, pending } = JSON.parse(stopped.stdout);
  expect(pending).toBeGreaterThan(1);
  const other = await world.runWith({ mayRefuse: true }, ...args, '--only', 'failed');
  expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--only failed --yes\n') });
  expect(other.stderr).toContain(
    `Warning: --only failed also resumes the job: ${pending} rows that were never sent follow, and the mapping, constants or other options that affect what is sent differ.\n`,
  );
  expect(await totalOf(world)).toBe(created);
  const same = await world.runWith({ mayRefuse: true }, ...args, ...options, '--only', 'failed');
  expect(same).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('5 created, 1 invalid') });
  // No row was left over that was never sent, so only the failed one is sent in another way.
  expect(await world.runWith({ mayRefuse: true }, ...args, '--only', 'failed')).toMatchObject({
    exitCode: 7,
  });
});

test('with --only failed, a corrected file of other users needs consent again, however many rows it has', async () => {
  const world = await startWorld();
  const { file, job } = await writeRows(world, 2);
  const args = ['import-hashes', file, '--job', job];
  await world.runWith({ mayRefuse: true }, ...args, '--yes');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/^user(?=\d)/gm, 'other'));
  const accepted = [...args, '--only', 'failed', '--accept', 'KEY_CHANGED'];
  const other = await world.runWith({ mayRefuse: true }, ...accepted);
  expect(other).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('to import 2 users without a prompt, add --yes'),
  });
  expect(other.stderr).toContain(
    `Warning: this is not what was agreed to: the source has changed since (${file})`,
  );
  expect(await totalOf(world)).toBe(2);
});

test.each(['--dry-run', '--rehearse', '--local'])('%s asks no question', async (option) => {
  const world = await startWorld();
  const { file, job } = await writeRows(world);
  const value = option === '--local' ? [join(world.directory, 'own.db')] : [];
  const args = ['import-hashes', file, '--job', job, option, ...value];
  expect(await world.runWith({ mayRefuse: true }, ...args)).toMatchObject({ exitCode: 0 });
});

const environmentOf = ({ baseUrl }: TestWorld) => environmentFor(baseUrl);

terminalTest(
  'on a terminal the import asks about the passwords first, and then whether to continue',
  async () => {
    const world = await startWorld();
    const { file, job } = await writeRows(world);
    const options = { env: environmentOf(world), columns: 120 };
    const args = ['import-hashes', file, '--job', job];
    const refusing = await openTerminal(args, options);
    await refusing.waitFor('Continue although the passwords of 2 users must be changed at the first login?');
    refusing.type('n\r');
    await refusing.waitFor(/^ {2}tenant-users import-hashes \S+/m);
    // On one line of any length, so that it can be copied.
    const shown = `  tenant-users import-hashes ${file} --job ${job} --set pwd_must_modify=false`;
    expect(refusing.raw()).toContain(shown);
    expect(await refusing.exited).toEqual({ exitCode: 2, signal: 0 });
    const asking = await openTerminal([...args, '--set', 'pwd_must_modify=false'], options);
    await asking.waitFor('Continue and import 2 users?');
    asking.type('\r');
    expect(await asking.exited).toEqual({ exitCode: 2, signal: 0 });
    expect(await totalOf(world)).toBe(0);
    const agreeing = await openTerminal([...args, '--set', 'pwd_must_modify=false'], options);
    await agreeing.waitFor('Continue and import 2 users?');
    agreeing.type('y\r');
    expect(await agreeing.exited).toEqual({ exitCode: 0, signal: 0 });
    expect(await agreeing.leftovers()).toEqual([]);
    expect(await totalOf(world)).toBe(2);
  },
);

terminalTest('for more than a hundred users the host must be typed', async () => {
  const world = await startWorld();
  const { file, job } = await writeRows(world, 101);
  const { host } = new URL(world.baseUrl);
  const args = ['import-hashes', file, '--job', job, '--set', 'pwd_must_modify=false', '--quiet'];
  const terminal = await openTerminal(args, { env: environmentOf(world), columns: 120 });
  await terminal.waitFor(`Type ${host} to import 101 users`);
  expect(await terminal.screen()).toContain(`Target: ${world.baseUrl}`);
  terminal.type('y\r');
  await terminal.waitFor('or press Ctrl-C.');
  terminal.type(`\x15${host}\r`);
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect(await totalOf(world)).toBe(101);
});

test('the commands that a dry run, a rehearsal and an import print work when they are copied', async () => {
  const world = await startWorld();
  const { job } = await writeRows(world);
  const file = join(world.directory, 'my legacy.csv');
  await writeFile(file, `Login,enc,pwd,city\nann,md5,${hash},A\nbob,md5,nonsense,A\n`);
  const map = ['--map', 'user_name=Login', '--map=algorithm=enc', '--map', 'hash=pwd', '--ignore-unknown'];
  const canaries = join(world.directory, 'known.csv');
  await writeFile(canaries, 'ann,Old secret 1\n');
  const args = ['import-hashes', file, ...map, '--job', job, '--canary', canaries];
  const commandsOf = async (stderr: string) => {
    const report = await readFile(join(job, 'report.html'), 'utf8');
    const shown = [...report.matchAll(/<code>(tenant-users import-hashes [^<]*)<\/code>/g)];
    const printed = [...stderr.matchAll(/^ {2}(tenant-users .*)$/gm)].map(([, line = '']) => line);
    const decoded = shown.map(([, line = '']) => line.replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
    expect(decoded).toEqual(printed);
    // The path, which is the only quoted part, without the quotes of the shell.
    return printed.map((line) =>
      line
        .replace(`'${file}'`, 'FILE')
        .split(' ')
        .slice(1)
        .map((word) => (word === 'FILE' ? file : word)),
    );
  };
  const dry = await world.runWith({ mayRefuse: true }, ...args, '--dry-run');
  const [again = [], real = []] = await commandsOf(dry.stderr);
  expect(again.at(-1)).toBe('--dry-run');
  expect(real.at(-1)).toBe('--yes');
  expect(await world.runWith({ mayRefuse: true }, ...again)).toMatchObject({ exitCode: 7 });
  const imported = await world.runWith({ mayRefuse: true }, ...real);
  expect(imported).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('1 created, 1 invalid') });
  const [failed = []] = await commandsOf(imported.stderr);
  expect(failed.slice(-2)).toEqual(['--only', 'failed']);
  expect(await world.runWith({ mayRefuse: true }, ...failed)).toMatchObject({ exitCode: 7 });
});
