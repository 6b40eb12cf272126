import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { jumpingClock } from '../../../clocks.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

const zone = 'Europe/Berlin';
const night = ['--window', '22:00-05:00'];

/** A world in which it is noon until the output mentions a window; then it becomes 22:00, unless `stays` is set. */
async function startAtNoon({
  stays = false,
  hears = () => {},
}: {
  stays?: boolean;
  hears?: () => void;
} = {}) {
  let time = Date.parse('2026-11-23T12:00:00+01:00');
  const world = await startWorld({ now: () => time });
  const [file, job] = [join(world.directory, 'users.csv'), join(world.directory, 'job')];
  const rows = Array.from({ length: 20 }, (_, at) => `user${at},md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,algorithm,hash\n${rows.join('')}`);
  let said = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      said += String(chunk);
      if (/indow/.test(String(chunk))) {
        if (!stays) time = Date.parse('2026-11-23T22:00:00+01:00');
        hears();
      }
      done();
    },
  });
  const users = async () => (await world.client.listUsers({ offset: 0, limit: 10 })).total;
  return {
    ...world,
    ...{ file, job, users, said: () => said },
    run: (args: string[], more: { signal?: AbortSignal } = {}) =>
      world.runWith({ zone, stderr, clock: jumpingClock(), ...more }, ...args),
  };
}

test('an import waits for its window, says so once, and sends when the window opens', async () => {
  const { run, file, job, said, users } = await startAtNoon();
  const { exitCode, stdout } = await run(['import-hashes', file, '--job', job, ...night]);
  expect({ exitCode, users: await users() }).toEqual({ exitCode: 0, users: 20 });
  expect(stdout).toContain('20');
  const lines = said()
    .split('\n')
    .filter((line) => line.includes('indow'));
  expect(lines).toEqual([
    'Outside the window 22:00-05:00 (Europe/Berlin): no row is sent before 2026-11-23 22:00 +01:00. The run waits; it can be ended and resumed at any time.',
    'The window 22:00-05:00 (Europe/Berlin) is open: rows are sent.',
    expect.stringMatching(/^Took \d+\.\d s, of which \d+\.\d s waiting for the window/),
  ]);
});

test('--progress jsonl has an event for the wait and one for the opening, and the summary says how long the run waited', async () => {
  const { run, file, job, said } = await startAtNoon();
  const { stdout } = await run([
    'import-hashes',
    file,
    '--job',
    job,
    ...night,
    '--json',
    '--progress',
    'jsonl',
  ]);
  const events = said()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).progress);
  expect(events.filter(({ what }) => what.includes('window'))).toEqual([
    { what: 'waiting for the window', until: '2026-11-23T22:00:00+01:00' },
    { what: 'window open' },
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ created: 20, waited_seconds: 36_000 });
});

test('Ctrl-C during the wait exits with 130, nothing was sent, and the run can be resumed', async () => {
  const stop = new AbortController();
  const { run, file, job, users, said } = await startAtNoon({
    stays: true,
    hears: () => stop.abort('SIGINT'),
  });
  const args = ['import-hashes', file, '--job', job];
  const ended = await run([...args, ...night, '--json', '--progress', 'jsonl'], { signal: stop.signal });
  expect({ exitCode: ended.exitCode, users: await users() }).toEqual({ exitCode: 130, users: 0 });
  expect(JSON.parse(ended.stdout)).toMatchObject({ pending: 20, created: 0, unknown: 0 });
  const events = said()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).progress);
  expect(events).toEqual([
    { what: 'waiting for the window', until: '2026-11-23T22:00:00+01:00' },
    expect.objectContaining({ what: 'rows', done: 0, total: 20 }),
  ]);
  expect(await run(args)).toMatchObject({ exitCode: 0 });
  expect(await users()).toBe(20);
});

test('the command that is printed names the time zone, so that it sends at the same hours elsewhere', async () => {
  let stop = new AbortController();
  const { run, file, job, said, users, runWith } = await startAtNoon({
    stays: true,
    hears: () => stop.abort('SIGINT'),
  });
  const args = ['import-hashes', file, '--job', job];
  expect(await run([...args, ...night], { signal: stop.signal })).toMatchObject({ exitCode: 130 });
  const again = `${args.join(' ')} --window 22:00-05:00@Europe/Berlin`;
  expect(said()).toContain(`  tenant-users ${again}`);
  const status = await runWith({ zone: 'UTC' }, 'import-hashes', 'status', job);
  expect(status.stderr).toContain(`  tenant-users ${again}`);
  stop = new AbortController();
  const elsewhere = await run([...args, '--window=22:00-05:00@Asia/Tokyo'], { signal: stop.signal });
  expect(elsewhere.exitCode).toBe(130);
  expect(said()).toContain('Outside the window 22:00-05:00 (Asia/Tokyo)');
  expect(await users()).toBe(0);
});

test.each(['--dry-run', '--rehearse'])('%s does not wait for the window', async (option) => {
  const { run, file, job, said } = await startAtNoon({ stays: true });
  expect(await run(['import-hashes', file, '--job', job, option, ...night])).toMatchObject({ exitCode: 0 });
  expect(said()).not.toContain('Outside the window');
});

test('a plan is applied in a window, too', async () => {
  const { run, file, directory, said, users } = await startAtNoon();
  const plan = join(directory, 'plan');
  expect(await run(['plan', file, '--to', plan])).toMatchObject({ exitCode: 0 });
  expect(await run(['apply', plan, '--yes', ...night])).toMatchObject({ exitCode: 0 });
  expect(said()).toContain('no row is sent before 2026-11-23 22:00 +01:00');
  expect(await users()).toBe(20);
});

test.each(['undo', 'create --csv'])('%s waits for its window, too', async (command) => {
  const { run, file, directory, said, users } = await startAtNoon();
  const job = join(directory, 'created');
  const create = ['create', '--csv', file, '--to', job, '--yes'];
  if (command === 'undo') {
    expect(await run(create)).toMatchObject({ exitCode: 0 });
    expect(await run(['undo', job, '--to', join(directory, 'undo'), '--yes', ...night])).toMatchObject({
      exitCode: 0,
    });
  } else expect(await run([...create, ...night])).toMatchObject({ exitCode: 0 });
  expect(said()).toContain('no row is sent before 2026-11-23 22:00 +01:00');
  expect(await users()).toBe(20);
});

test.each([
  ['22:00', 'must be FROM-TO'],
  ['22-05', 'must be FROM-TO'],
  ['24:00-05:00', 'must be FROM-TO'],
  ['22:00-24:01', 'must be FROM-TO'],
  ['22:60-05:00', 'must be FROM-TO'],
  ['-1:00-05:00', 'must be FROM-TO'],
  ['22:00-05:00 UTC', 'must be FROM-TO'],
  ['05:00-05:00', 'would never be open'],
  ['22:00-05:00@Europe/Berln', 'names no time zone: the text after @ is Europe/Berln'],
  ['22:00-05:00@', 'names no time zone'],
  ['22:00-05:00@UTC@x', 'names no time zone'],
])('--window %s is refused before anything is read', async (window, reason) => {
  const { directory, runWith } = await startWorld();
  const ended = await runWith({}, 'import-hashes', join(directory, 'none.csv'), `--window=${window}`);
  expect({ ...ended, stderr: '' }).toEqual({ exitCode: 2, stdout: '', stderr: '' });
  expect(ended.stderr).toContain(reason);
  expect(ended.stderr).toContain('22:00-05:00');
});
