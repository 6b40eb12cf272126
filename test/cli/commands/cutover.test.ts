import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/client/retry.ts';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { jumpingClock } from '../../clocks.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { scriptOf } from '../../service/fault-injection/script-of.ts';
import { device } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

const md5 = '5f4dcc3b5aa765d61d8327deb882cf99';
const { md5_sha256: unused } = goodHashes;
const header = 'user_name,name,email,algorithm,hash\n';

/** A world with a job that imported these rows. */
const imported = (...rows: string[]) => importedWith({}, ...rows);

async function importedWith(options: Parameters<typeof startWorld>[0], ...rows: string[]) {
  const world = await startWorld(options);
  const [file, job] = [join(world.directory, 'legacy.csv'), join(world.directory, 'job')];
  await writeFile(file, header + rows.map((row) => `${row}\n`).join(''));
  const args = [
    'import-hashes',
    file,
    '--job',
    job,
    '--set',
    'pwd_must_modify=false',
    '--allow-passwordless',
  ];
  expect(await world.run(...args)).toMatchObject({ exitCode: 0 });
  const cutover = (...more: string[]) => world.run('cutover', job, ...more);
  const logIn = (name: string) => world.client.logIn(name, 'password', device);
  const lookAgain = async () => JSON.parse((await cutover('--json')).stdout);
  return { world, file, job, cutover, logIn, lookAgain };
}

/** Two algorithms with this number of users each: `m1` and so on can log in, `s1` and so on cannot. */
const two = (each: number) =>
  Array.from({ length: each }, (_, at) => [`m${at},,,md5,${md5}`, `s${at},,,md5_sha256,${unused}`]).flat();

test('who logged in, never did, or is disabled is counted by algorithm, and the job stores only counts', async () => {
  const { world, job, cutover, logIn } = await imported(
    `ann,Ann,,md5,${md5}`,
    `bob,Bob,,md5,${md5}`,
    `cyd,Cyd,,md5_sha256,${unused}`,
    `dan,Dan,,md5_sha256,${unused}`,
    'eve,Eve,,,',
  );
  await world.client.createUser({ user_name: 'zoe' });
  await logIn('ann');
  await logIn('ann');
  await world.client.disableUser((await world.client.getUserByUserName('dan')).user_id);
  const { exitCode, stdout, stderr } = await cutover('--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const counts = { created: 2, logged_in: 0, never: 0, disabled: 0, gone: 0, percent: 0, out_of_line: false };
  expect(JSON.parse(stdout)).toMatchObject({
    job,
    users: 6,
    looks: 1,
    unresolved: 0,
    algorithms: [
      { ...counts, algorithm: 'md5', logged_in: 1, never: 1, percent: 50 },
      { ...counts, algorithm: 'md5_sha256', never: 1, disabled: 1 },
      { ...counts, algorithm: null, created: 1, never: 1, out_of_line: null, evidence: null },
    ],
  });
  expect((await cutover()).stdout).toMatch(/│ no password +│ 1 +│ 0 +│ 1 +│/);
  const narrow = await world.runWith({ terminal: 40 }, 'cutover', job);
  expect(narrow.stdout).toMatch(/│ no password +│ 0 +│ 1 +│\n/);
  expect((await cutover('-o', 'csv')).stdout).toContain('\n,1,0,1,0,0,');
  const kept = await readFile(join(job, 'cutover.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({
    looks: [
      {
        algorithms: [
          { algorithm: 'md5', logged_in: 1, never: 1 },
          { algorithm: 'md5_sha256', logged_in: 0, never: 1 },
        ],
      },
    ],
  });
  expect(kept).not.toMatch(/ann|bob|cyd/i);
  expect((await stat(join(job, 'cutover.json'))).mode & 0o777).toBe(0o600);
});

test('users who have never logged in are listed in a file that only its owner can read, safe for a spreadsheet', async () => {
  const { world, cutover, logIn } = await imported(
    `ann,Ann,,md5,${md5}`,
    `bob,Bob,bob@example.com,md5,${md5}`,
    `cyd,Cyd,,md5,${md5}`,
  );
  await logIn('ann');
  await world.client.disableUser((await world.client.getUserByUserName('cyd')).user_id);
  const { user_id: bob, created_at: at } = await world.client.getUserByUserName('bob');
  await world.client.updateUser(bob, { name: '=Bob' });
  const list = join(world.directory, 'write-to-these.csv');
  const columns = 'user_id,user_name,name,email,mobile,external_id,created_at,algorithm\n';
  await writeFile(list, `${columns}an older list`);
  const { exitCode, stderr } = await cutover('--dormant', list);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`Never logged in: 1 user, in ${list}\n`);
  expect(await readFile(list, 'utf8')).toBe(`${columns}${bob},bob,'=Bob,bob@example.com,,,${at},md5\n`);
  expect((await stat(list)).mode & 0o777).toBe(0o600);
});

test('an algorithm whose users cannot log in raises an alarm: exit code 8, its name and what to do', async () => {
  const { cutover, logIn } = await imported(...two(40));
  expect(await cutover('-q')).toMatchObject({ exitCode: 0 });
  for (let at = 0; at < 16; at += 1) await logIn(`m${at}`);
  const { exitCode, stdout, stderr } = await cutover();
  expect(exitCode).toBe(8);
  expect(stdout).toMatch(/│ md5 +│ 40 +│ 16 +│ 24 +│ 0 +│ 40 +│ false +│/);
  expect(stdout).toMatch(/│ md5_sha256 +│ 40 +│ 0 +│ 40 +│ 0 +│ 0 +│ true +│/);
  expect(stderr).toContain('the users with md5_sha256 (0 of 40 logged in) log in far less than all others');
  expect(stderr).toContain('tenant-users hash verify --csv FILE');
  const json = await cutover('--json');
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'OUT_OF_LINE', retryable: false } });
});

test('all looks of a job are one watch, which starts again if the job was started over', async () => {
  const { world, file, job, logIn, lookAgain } = await imported(...two(10));
  await logIn('m1');
  const { evidence: first } = (await lookAgain()).algorithms[1];
  await logIn('m2');
  const second = await lookAgain();
  expect(second.looks).toBe(2);
  expect(second.algorithms[1].evidence).toBeGreaterThan(first);
  // No login since the last look: this look shows nothing new, and is not stored.
  const third = await lookAgain();
  expect([third.looks, third.algorithms[1].evidence]).toEqual([2, second.algorithms[1].evidence]);
  await writeFile(file, `${header}new,,,md5,${goodHashes.md5}\n`);
  await world.run('import-hashes', file, '--job', job, '--restart');
  expect(await lookAgain()).toMatchObject({ looks: 0, algorithms: [{ created: 1 }] });
});

/** A clock on which each pause of a watch ends when the next step is done; other waits are short. */
function steppingClock(...steps: (() => Promise<unknown>)[]): Clock {
  const clock = jumpingClock();
  return {
    now: clock.now,
    schedule(wait, wake) {
      if (wait !== 60_000) return clock.schedule(wait, wake);
      void steps.shift()?.().then(wake);
      return () => {};
    },
  };
}

test('--watch looks again until it is interrupted, and a look that fails does not end it', async () => {
  const failing = { operation: 'listUsers', when: { from: 3, to: 7 }, do: { status: 500 } };
  const faults = planFaults(scriptOf(JSON.stringify({ faults: [failing] })), Date.now);
  const { world, job, logIn } = await importedWith({ faults }, ...two(3));
  const interrupted = new AbortController();
  const clock = steppingClock(
    async () => {},
    () => logIn('m1'),
    async () => interrupted.abort('SIGINT'),
  );
  const circumstances = { clock, signal: interrupted.signal };
  const { exitCode, stdout, stderr } = await world.runWith(circumstances, 'cutover', job, '--watch', '60');
  expect(exitCode).toBe(130);
  expect(stdout.match(/^│ md5 .*$/gm)?.map((line) => line.split('│')[3]?.trim())).toEqual(['0', '1']);
  expect(stderr).toMatch(
    /0 of 6 users logged in.*This look failed: .*1 of 6 users logged in, 5 never\nThe watch ended\.\n$/s,
  );
});

test('a watch and another command at the same time keep the looks of both, and count one evidence', async () => {
  const { world, job, logIn, lookAgain } = await imported(...two(10));
  const interrupted = new AbortController();
  const others: { looks: number }[] = [];
  const clock = steppingClock(
    async () => {
      await logIn('m1');
      others.push(...(await Promise.all([lookAgain(), lookAgain()])));
      await logIn('m2');
    },
    async () => interrupted.abort('SIGINT'),
  );
  const looksAt = join(world.directory, 'looks.jsonl');
  const watch = ['cutover', job, '--watch', '60', '--json', '--output-file', looksAt];
  const ended = { exitCode: 130, stdout: '', stderr: '' };
  expect(await world.runWith({ clock, signal: interrupted.signal }, ...watch)).toEqual(ended);
  expect(others.map(({ looks }) => looks)).toEqual([1, 1]);
  const seen = (await readFile(looksAt, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(seen.map(({ looks }) => looks)).toEqual([0, 2]);
  const { looks } = JSON.parse(await readFile(join(job, 'cutover.json'), 'utf8'));
  expect(looks.map((one: { algorithms: object[] }) => one.algorithms[0])).toEqual([
    { algorithm: 'md5', logged_in: 1, never: 9 },
    { algorithm: 'md5', logged_in: 2, never: 8 },
  ]);
  const last = await lookAgain();
  expect([last.looks, last.algorithms]).toEqual([2, seen[1].algorithms]);
});

test('--watch ends with the alarm', async () => {
  const { world, job, logIn } = await imported(...two(40));
  const clock = steppingClock(async () => {
    for (let at = 0; at < 16; at += 1) await logIn(`m${at}`);
  });
  const looksAt = join(world.directory, 'looks.jsonl');
  const watch = ['cutover', job, '--watch', '60', '--json', '--output-file', looksAt];
  const { exitCode, stderr } = await world.runWith({ clock }, ...watch);
  expect(exitCode).toBe(8);
  expect(
    (await readFile(looksAt, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).looks),
  ).toEqual([0, 1]);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'OUT_OF_LINE' } });
});

test('the output says so if nobody has logged in, or if passwords have only one algorithm', async () => {
  const { cutover, logIn } = await imported(`ann,,,md5,${md5}`);
  const { stderr } = await cutover();
  expect(stderr).toContain('0 of 1 user logged in, 1 never');
  expect(stderr).toContain('a tenant that does not count logins (usr_auth_times) shows none.');
  await logIn('ann');
  expect((await cutover()).stderr).toContain('there is nothing to compare it with');
});

test('the error names a damaged cutover.json, and a job of another tenant', async () => {
  const { job, cutover } = await imported(`ann,,,md5,${md5}`);
  await writeFile(join(job, 'cutover.json'), '{"version":1,"looks":[{}]}');
  expect(await cutover()).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: ${job}: its cutover.json is damaged\nRemove that file: a new watch begins.\n`,
  });
  const other = await startWorld();
  const { exitCode, stderr } = await other.run('cutover', job);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(`${job}: the job went to another tenant: base_url was`);
});
