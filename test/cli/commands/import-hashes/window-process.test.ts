import { once } from 'node:events';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';
import { credentials, runProgram, startProgram } from '../../process/start-program.ts';
import { startTerminal, terminalTest } from '../../process/start-terminal.ts';

/** A window that opens in about two hours. */
function laterWindow(): string {
  const hour = (new Date().getUTCHours() + 2) % 24;
  return `${hour}:59-${(hour + 1) % 24}:59`;
}

async function start() {
  const { client, baseUrl, directory, run } = await startWorld();
  const [file, job] = [join(directory, 'users.csv'), join(directory, 'job')];
  const rows = Array.from({ length: 20 }, (_, at) => `user${at},md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,algorithm,hash\n${rows.join('')}`);
  return {
    job,
    /** Runs a command in this process, which is another one than that of the run that waits. */
    run,
    args: ['import-hashes', file, '--job', job, '--yes'],
    env: { ...credentials, TENANT_USERS_BASE_URL: baseUrl, TZ: 'UTC' },
    users: async () => (await client.listUsers({ offset: 0, limit: 10 })).total,
  };
}

test('a run that is killed while it waits for its window can be resumed, and every row is sent once', async () => {
  const { args, env, job, run, users } = await start();
  const waiting = await startProgram([...args, '--window', laterWindow()], env);
  const ended = once(waiting, 'close');
  let said = '';
  for await (const chunk of waiting.stderr ?? []) {
    said += String(chunk);
    if (said.includes('Outside the window')) break;
  }
  const status = await run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    state: 'running',
    pending: 20,
    waiting_until: expect.stringMatching(/:59:00\.000Z$/),
  });
  waiting.kill('SIGKILL');
  await ended;
  const crashed = await run('import-hashes', 'status', job, '--json');
  expect(JSON.parse(crashed.stdout)).toMatchObject({ state: 'crashed', pending: 20 });
  const resumed = await run(...args, '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ created: 20, existing: 0, resumed: true });
  expect(await users()).toBe(20);
});

test('while a run waits for its window, cutover and compare --job read what it did before, and it goes on', async () => {
  const { args, env, job, run } = await start();
  const [, file = ''] = args;
  expect(await run(...args)).toMatchObject({ exitCode: 0 });
  await appendFile(file, `user20,md5,${goodHashes.md5}\n`);
  const waiting = await startProgram([...args, '--only', 'failed', '--window', laterWindow()], env);
  const ended = once(waiting, 'close');
  for await (const chunk of waiting.stderr ?? []) if (String(chunk).includes('Outside the window')) break;
  const { exitCode, stdout, stderr } = await run('cutover', job, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ unresolved: 0, algorithms: [{ created: 20, never: 20 }] });
  const compared = await run('compare', file, '--job', job, '--to', `${job}.compare`, '--json');
  expect(JSON.parse(compared.stdout)).toMatchObject({ rows: 21, missing: 1 });
  const undone = await run('undo', job, '--dry-run');
  expect(undone).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('in use by another run') });
  const packed = await run('evidence', job, '--to', `${job}.evidence`);
  expect(packed).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(
      /in use by another run: process \d+ on .*, since \S+, which waits for its window until \S+:59:00\.000Z\nWait until it ends, or stop it with Ctrl-C \(its own command resumes it\)\.\n$/,
    ),
  });
  waiting.kill('SIGINT');
  await ended;
  const names = await readdir(job);
  expect(names.filter((name) => name.includes('journal'))).toEqual(['journal.db']);
  expect(await run(...args, '--only', 'failed', '--json')).toMatchObject({ exitCode: 0 });
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  [':Europe/Berlin', 'Europe/Berlin'],
  ['europe/BERLIN', 'Europe/Berlin'],
  ['', 'UTC'],
])('the window uses the time zone of the machine: TZ=%s is %s', async (zone, named) => {
  const { args, env } = await start();
  const [, file = ''] = args;
  const forecast = ['forecast', file, '--window', '22:00-05:00', '--json'];
  const { exitCode, stdout } = await runProgram(forecast, { ...env, TZ: zone });
  expect([exitCode, JSON.parse(stdout).window.zone]).toEqual([0, named]);
  const { stderr } = await runProgram([...args, ...forecast.slice(2, 4), '--dry-run'], { ...env, TZ: zone });
  expect(stderr).toContain(` --window 22:00-05:00@${named} `);
});

test.each(['Nonsense', 'CET-1CEST'])('a window without a zone is refused if TZ is %s', async (zone) => {
  const { args, env } = await start();
  const [, file = ''] = args;
  const forecast = ['forecast', file, '--window', '22:00-05:00'];
  const { exitCode, stderr } = await runProgram(forecast, { ...env, TZ: zone });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining(`names no time zone: TZ is ${zone}, and it must be one such as`),
  });
  const named = await runProgram([...forecast.slice(0, -1), '22:00-05:00@Asia/Tokyo', '--json'], {
    ...env,
    TZ: zone,
  });
  expect([named.exitCode, JSON.parse(named.stdout).window.zone]).toEqual([0, 'Asia/Tokyo']);
});

terminalTest(
  'on a terminal the progress bar shows until when the run waits, and Ctrl-C ends it',
  async () => {
    const { args, env, users } = await start();
    const terminal = await startTerminal([...args, '--window', laterWindow()], { env, columns: 100 });
    await terminal.waitFor(/0\/20 rows, waiting until \d{4}-\d\d-\d\d \d\d:59 \+00:00/);
    terminal.type('\x03');
    expect(await terminal.exited).toEqual({ exitCode: 130, signal: 0 });
    expect(await terminal.leftovers()).toEqual([]);
    expect(await users()).toBe(0);
  },
);
