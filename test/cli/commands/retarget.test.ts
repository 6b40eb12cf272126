import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { forgetOutcomes } from '../../migration/journal/forget-outcomes.ts';
import { environmentFor, startWorld, type TestWorld } from '../../world.ts';

const advised = (directory: string) =>
  `If it is the same tenant, which has a new address or application, its job can go on there after:\n  tenant-users job retarget ${directory}\nIf it is another tenant, select the profile of the job with --profile.\n`;

/** The same service by another name, as behind a proxy. */
const moved = ({ baseUrl }: TestWorld) => environmentFor(baseUrl.replace('127.0.0.1', 'localhost'));

/** A world with a job that created bob and cyd, and did not send dan. `there`: runs a command at the new address. */
async function imported() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const [file, job] = [within('legacy.csv'), within('job')];
  const rows = ['bob', 'cyd', 'dan'].map((name) => `${name},false,md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  const importing = ['import-hashes', file, '--job', job];
  expect(await world.run(...importing)).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(job, 2, 0);
  const there = (...args: string[]) => world.runWith({ env: moved(world) }, ...args);
  return { world, within, file, job, importing, there };
}

const namesIn = async ({ client }: TestWorld) =>
  (await client.listUsers({ offset: 0, limit: 100 })).users.map(({ user_name: name }) => name).sort();

test('each command on a job whose tenant has a new address advises to retarget it, and works after', async () => {
  const { world, within, file, job, importing, there } = await imported();
  const commands: [args: string[], after: number][] = [
    [importing, 0],
    [[...importing, '--only', 'unanswered'], 0],
    [[...importing, '--only', 'failed'], 0],
    [['cutover', job], 0],
    [['compare', file, '--job', job, '--to', within('lists')], 0],
    [['plan', file, '--since', job, '--to', within('plan')], 0],
    [['undo', job, '--to', within('undo'), '--yes'], 0],
  ];
  for (const [args] of commands) {
    const { exitCode, stdout, stderr } = await there(...args);
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 3, stdout: '' });
    expect(stderr).toContain(`base_url was ${world.baseUrl} and is http://localhost:`);
    expect(stderr).toContain(advised(job));
    expect(stderr).not.toMatch(/--only failed|--restart|Restore the file/);
  }
  expect((await there('import-hashes', 'status', job)).stderr).toContain(advised(job));
  const { exitCode, stdout } = await there('job', 'retarget', job, '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ job, former_target: { base_url: world.baseUrl }, users: 2 });
  const status = await there('import-hashes', 'status', job, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    target: { base_url: world.baseUrl.replace('127.0.0.1', 'localhost') },
    former_targets: [{ target: { base_url: world.baseUrl } }],
  });
  expect((await there('import-hashes', 'status', job)).stderr).not.toContain('retarget');
  for (const [args, after] of commands) {
    const ended = await there(...args);
    expect([args, ended.exitCode, ended.stderr]).toEqual([args, after, expect.any(String)]);
  }
  expect(await namesIn(world)).toEqual(['bob', 'cyd', 'dan']);
});

test('a plan that was begun goes on at the new address, and one that was not is made again', async () => {
  const { world, within, file, there } = await imported();
  const to = within('plan');
  await world.run('plan', file, '--to', to);
  const fresh = await there('apply', to, '--yes');
  expect(fresh).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('the plan was made for another'),
  });
  expect(fresh.stderr).not.toContain('job retarget');
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
  await forgetOutcomes(to, 2);
  const begun = await there('apply', to, '--yes');
  expect(begun).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(advised(to)) });
  expect(await there('job', 'retarget', to)).toMatchObject({ exitCode: 0 });
  expect(await there('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await namesIn(world)).toEqual(['bob', 'cyd', 'dan']);
});

test('another tenant is refused, where nothing is written, and the job goes on where it was', async () => {
  const { world, job, importing } = await imported();
  const other = await startWorld();
  const elsewhere = await other.run('job', 'retarget', job);
  expect(elsewhere).toMatchObject({ exitCode: 3, stdout: '' });
  expect(elsewhere.stderr).toMatch(
    /job: this is another tenant than that of the job, .*: user \S+ is not there\n/,
  );
  expect((await other.run(...importing)).stderr).toContain('base_url was');
  expect(await namesIn(other)).toEqual([]);
  expect(await world.run(...importing)).toMatchObject({ exitCode: 0 });
  expect(await namesIn(world)).toEqual(['bob', 'cyd', 'dan']);
});

test('a job is not retargeted without a user, for a database, or after a purge', async () => {
  const { world, within, file, job, there } = await imported();
  const nothing = within('nothing.csv');
  await writeFile(nothing, 'user_name,algorithm,hash\neve,md5,x\n');
  await world.run('import-hashes', nothing, '--job', within('empty'));
  await world.run('import-hashes', file, '--job', within('trial'), '--dry-run');
  await world.run('list', '--local', within('own.db'));
  const cases: [fault: string, ended: Promise<{ exitCode: number; stderr: string }>][] = [
    ['it knows no user', there('job', 'retarget', within('empty'))],
    ['its job wrote nothing to a tenant', there('job', 'retarget', within('trial'))],
    ['only the base URL and the client id', there('job', 'retarget', job, '--local', within('own.db'))],
    ['it contains no journal', there('job', 'retarget', within('none'))],
  ];
  for (const [fault, ended] of cases)
    expect(await ended).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(fault) });
  const twice = [await there('job', 'retarget', job), await there('job', 'retarget', job)];
  expect(twice).toMatchObject([
    { exitCode: 0, stderr: expect.stringContaining('The job goes on here from now on') },
    { exitCode: 0, stderr: expect.stringContaining('has this base URL and client id already') },
  ]);
  await there('job', 'purge', job, '--yes');
  const purged = await world.run('job', 'retarget', job);
  expect(purged).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('was deleted') });
  const status = await there('import-hashes', 'status', job, '--json');
  expect(JSON.parse(status.stdout).former_targets).toMatchObject([{ target: { base_url: world.baseUrl } }]);
});

test('a job of another database is not advised to start over with options that are refused', async () => {
  const { importing, within, there } = await imported();
  await there('list', '--local', within('own.db'));
  const { exitCode, stderr } = await there(...importing, '--local', within('own.db'));
  expect(exitCode).toBe(3);
  expect(stderr).toContain('Name another directory with --job, start over with --restart.\n');
});

test('status names the profile with which the job was run', async () => {
  const { world, within, file } = await imported();
  const login = (env: Record<string, string>) =>
    world.runWith(
      { env },
      'login',
      '--profile',
      'acme',
      '--base-url',
      env.TENANT_USERS_BASE_URL ?? '',
      '--yes',
    );
  expect(await login(environmentFor(world.baseUrl))).toMatchObject({ exitCode: 0 });
  const job = within('other');
  await world.runWith({ env: {} }, 'import-hashes', file, '--job', job, '--profile', 'acme');
  expect(await login(moved(world))).toMatchObject({ exitCode: 0 });
  const { stderr } = await world.runWith({ env: {} }, 'import-hashes', 'status', job);
  expect(stderr).toContain(`tenant-users job retarget ${job} --profile acme\n`);
});

test('a plan since a job knows of the plans since it that were applied at the former address', async () => {
  const { world, within, file, job, importing, there } = await imported();
  await world.run(...importing);
  const [other, next] = [within('other.csv'), within('next.csv')];
  const rows = await readFile(file, 'utf8');
  await writeFile(other, `${rows}eve,false,md5,${goodHashes.md5}\n`);
  await writeFile(next, `${rows}fay,false,md5,${goodHashes.md5}\n`);
  await world.run('plan', other, '--since', job, '--to', within('plan'));
  expect(await world.run('apply', within('plan'), '--yes')).toMatchObject({ exitCode: 0 });
  expect(await there('job', 'retarget', job)).toMatchObject({ exitCode: 0 });
  expect(await there('plan', next, '--since', job, '--to', within('late'))).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`a plan since this job was applied at`),
  });
});
