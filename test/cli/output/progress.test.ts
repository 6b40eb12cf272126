import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { barOf, showProgress } from '../../../src/cli/output/progress.ts';
import { systemClock } from '../../../src/client/retry.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { type Ended, startWorld } from '../../world.ts';

/** The output of `--progress jsonl`; every line must be a progress line. */
function progressOf({ stderr }: Ended): Record<string, unknown>[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { progress, ...rest } = JSON.parse(line);
      expect(rest).toEqual({});
      return progress;
    });
}

test('--progress jsonl reports how far a command is, with --json too', async () => {
  const { client, run, directory } = await startWorld();
  await client.createUser({ user_name: 'ann' });
  const file = join(directory, 'legacy.csv');
  await writeFile(file, `user_name,algorithm,hash\nbob,md5,${goodHashes.md5}\neve,md5,x\n`);
  const flags = ['--json', '--progress', 'jsonl'];

  const listed = await run('list', '--search', 'nn', ...flags);
  expect(listed.exitCode).toBe(0);
  expect(JSON.parse(listed.stdout)).toMatchObject({ read: 1, complete: true });
  expect(progressOf(listed).at(-1)).toEqual({ what: 'users read', done: 1, total: 1, matches: 1 });

  const planned = await run('plan', file, '--to', join(directory, 'plan'), ...flags);
  expect(planned.exitCode).toBe(7);
  expect(progressOf(planned).at(-1)).toEqual({ what: 'rows decided', done: 2, total: 2 });

  const job = ['--job', join(directory, 'job')];
  const checked = await run('import-hashes', file, '--dry-run', ...job, ...flags);
  expect(checked.exitCode).toBe(7);
  const rows_per_second = expect.any(Number);
  const counts = { total: 2, done: 2, failed: 0, invalid: 1, rows_per_second };
  expect(progressOf(checked).at(-1)).toEqual({ what: 'rows checked', created: 0, ...counts });

  const imported = await run('import-hashes', file, ...job, ...flags);
  expect(imported.exitCode).toBe(7);
  const last = { what: 'rows', created: 1, ...counts, in_flight: 0 };
  expect(progressOf(imported).at(-1)).toEqual(last);
});

test('a run that changes users reports how many, on the progress line too', async () => {
  const { client, run, directory } = await startWorld();
  await client.createUser({ user_name: 'ann' });
  const file = join(directory, 'leavers.csv');
  await writeFile(file, 'user_name\nann\n');
  const disable = ['disable', '--csv', file, '--to', join(directory, 'plan'), '--yes'];
  const ended = await run(...disable, '--json', '--progress', 'jsonl');
  expect(ended.exitCode).toBe(0);
  expect(progressOf(ended).at(-1)).toMatchObject({
    what: 'rows',
    done: 1,
    created: 0,
    changed: 1,
    failed: 0,
  });
});

test('without --json the events replace the bar, and notices stay', async () => {
  const { runWith } = await startWorld();
  const ended = await runWith({ terminal: 80 }, 'list', '--all', '--progress', 'jsonl', '-o', 'tsv');
  expect(ended).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '{"progress":{"what":"Listing users"}}\n0 of 0 users\n',
  });
});

/** The display of progress in a pipe, its lines so far, and its clock. */
async function shownProgress() {
  const said: string[] = [];
  const stderr = new Writable({ write: (chunk, _encoding, done) => done(void said.push(String(chunk))) });
  let time = 0;
  // The properties of a context that the display of progress uses.
  const context = {
    options: {},
    stderr,
    clock: { ...systemClock, now: () => time },
    now: () => time,
  } as Partial<CommandContext> as CommandContext;
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  return { progress: await showProgress(context), said, wait };
}

test('the rate and the time left of a resumed run are those of its own rows', async () => {
  const { progress, said, wait } = await shownProgress();
  const limits = { concurrency: 32, inFlight: 8, rate: Infinity, pause: 0, silence: 0 };
  for (const done of [1045, 1085, 1125]) {
    progress.update(
      { total: 1525, done, created: done, failed: 0, invalid: 0, isCheck: false },
      () => limits,
    );
    wait(5000);
  }
  progress.end();
  expect(said).toEqual([
    '1085/1525 rows, 1085 created, 0 failed, 8 rows/s, 0:55 left, 8 in flight\n',
    '1125/1525 rows, 1125 created, 0 failed, 8 rows/s, 0:50 left, 8 in flight\n',
  ]);
});

test.each([
  [{ silence: 0, changed: 7 }, '7 changed, 0 failed, 3 rejected, 0 rows/s, ? left, 8 in flight'],
  [{ silence: 2900 }, '0 failed, 0 rows/s, ? left, 8 in flight'],
  [{ silence: 12_400 }, 'no answer for 12 s, trying again'],
  [{ silence: 0, heldFor: 89_100, inFlight: 0 }, 'waiting 90 s for requests of an earlier run'],
  [{ silence: 0, heldFor: 89_100 }, '0 failed, 0 rows/s, ? left, 8 in flight'],
  [{ silence: 12_400, pause: 1500 }, '0 failed, 0 rows/s, ? left, 8 in flight, waiting 2 s for the service'],
])(
  'for %o the progress line says %s',
  async ({ changed, ...limits }: { silence: number; changed?: number }, end) => {
    const { progress, said, wait } = await shownProgress();
    wait(60_000);
    const counts = {
      total: 1000,
      done: 0,
      created: 0,
      failed: 0,
      invalid: changed ? 3 : 0,
      isCheck: false,
      ...(changed ? { changed } : {}),
    };
    progress.update(counts, () => ({ concurrency: 32, inFlight: 8, rate: Infinity, pause: 0, ...limits }));
    progress.end();
    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^0/1000 rows, (?:0 created, )?${end.replace('?', '\\?')}\n$`)),
    ]);
  },
);

test.each([
  [40, '█████░░░░░ 500/1000 rows, 488 created'],
  [60, '█████░░░░░ 500/1000 rows, 488 created, 12 failed'],
  [120, '██████████░░░░░░░░░░ 500/1000 rows, 488 created, 12 failed, 950 rows/s, 0:01 left'],
])('the bar has the parts that fit into a line of %d columns', (columns, line) => {
  const parts = ['500/1000 rows', '488 created', '12 failed', '950 rows/s', '0:01 left'];
  expect(barOf({ total: 1000, done: 500 }, parts, columns)).toBe(line);
});
