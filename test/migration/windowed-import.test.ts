import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ImportOptions } from '../../src/migration/import-users.ts';
import { readJobStatus } from '../../src/migration/records/job-status.ts';
import { goodHashes } from './hashes.ts';
import { createClock } from './rate-limit/simulate.ts';
import { importFile, inDirectory, recordingClient } from './run-import.ts';

const hour = 3_600_000;
const midnight = Date.parse('2026-11-23T00:00:00Z');
const window = { from: 22 * 60, to: 5 * 60, zone: 'UTC' };

const rows = (count: number) =>
  `user_name,algorithm,hash\n${Array.from({ length: count }, (_, at) => `user${at},md5,${goodHashes.md5}\n`).join('')}`;

/** A clock that starts at an hour of the day, and options with which an import uses it. */
function clockAt(hours: number) {
  const clock = createClock(undefined, setImmediate);
  const now = () => midnight + hours * hour + clock.now();
  return { clock, now, options: { clock, now, window } satisfies Partial<ImportOptions> };
}

/** Moves the clock until the import has ended, and waits for file access before each move. */
async function ending<Result>(clock: ReturnType<typeof createClock>, run: Promise<Result>): Promise<Result> {
  let isOver = false;
  void run.finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.run();
  return run;
}

test('a run waits for its window, sends in it, and continues in the next', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, rows(40));
    const { clock, now, options } = clockAt(18);
    const heard: (number | undefined)[] = [];
    const times: number[] = [];
    const client = recordingClient(() => times.push((now() - midnight) / hour));
    const { summary } = await ending(
      clock,
      importFile(client, {
        file,
        jobDirectory,
        ...options,
        // Long enough for about twenty rows a night.
        window: { ...window, to: 22 * 60 + 20 },
        concurrency: 1,
        rate: 1 / 61,
        onWindow: (opensAt) => heard.push(opensAt === undefined ? opensAt : (opensAt - midnight) / hour),
      }),
    );
    expect(heard).toEqual([22, undefined, 46, undefined]);
    expect(times.every((time) => time % 24 >= 22 && time % 24 < 22 + 1 / 3)).toBe(true);
    const firstNight = times.filter((time) => time < 24).length;
    expect(firstNight).toBeGreaterThan(15);
    expect(firstNight).toBeLessThan(25);
    expect(summary).toMatchObject({ created: 40, pending: 0 });
    // From 18:00 to 22:00, and from 22:20 to 22:00.
    expect(summary.waited_seconds).toBeCloseTo((4 + 23 + 2 / 3) * 3600, 0);
    expect(summary.seconds).toBeGreaterThan(summary.waited_seconds ?? 0);
  });
});

test('outcomes are on disk as soon as the window has closed', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    const copy = join(directory, 'copy');
    await writeFile(file, rows(100));
    // A tenth of a second before the window closes: outcomes that follow each other so quickly wait for the next ones.
    const { clock, options } = clockAt(5 - 0.1 / 3600);
    const stop = new AbortController();
    const client = recordingClient();
    const run = importFile(client, {
      file,
      jobDirectory,
      ...options,
      concurrency: 1,
      rate: 100,
      signal: stop.signal,
      onWindow: () => {
        cpSync(jobDirectory, copy, { recursive: true });
        stop.abort(new Error('enough'));
      },
    });
    await ending(clock, run);
    const { status } = await readJobStatus(copy, Date.now);
    expect(status).toMatchObject({ state: 'crashed', created: client.sent.length });
    expect(client.sent.length).toBeGreaterThan(5);
  });
});

test('the time left has the hours in which the window is closed', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, rows(40));
    const { clock, now, options } = clockAt(22);
    const left: (number | null | undefined)[] = [];
    const run = importFile(recordingClient(), {
      file,
      jobDirectory,
      ...options,
      // Thirty rows a night.
      window: { ...window, to: 22 * 60 + 30 },
      concurrency: 1,
      rate: 1 / 60,
      async onProgress({ done }, limits) {
        if (done !== 20 || left.length > 0) return;
        const { status } = await readJobStatus(jobDirectory, now);
        left.push(status.seconds_left);
        expect(limits().window).toEqual({ ...window, to: 22 * 60 + 30 });
      },
    });
    await ending(clock, run);
    expect(left[0]).toBeGreaterThan(23 * 3600);
    expect(left[0]).toBeLessThan(24 * 3600);
  });
});

test('the status shows that a run waits, and if it is stopped then, no row was sent', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, rows(30));
    const { clock, options } = clockAt(12);
    const stop = new AbortController();
    const client = recordingClient();
    const run = importFile(client, {
      file,
      jobDirectory,
      ...options,
      signal: stop.signal,
      onWindow: async () => {
        expect((await readJobStatus(jobDirectory, options.now)).status).toMatchObject({
          state: 'running',
          waiting_until: '2026-11-23T22:00:00.000Z',
          process: { last_outcome_at: null },
          rows_per_second: 0,
          seconds_left: null,
          pending: 30,
        });
        stop.abort(new Error('enough'));
      },
    });
    const { summary } = await ending(clock, run);
    expect(client.sent).toEqual([]);
    expect(summary).toMatchObject({ pending: 30, unknown: 0, created: 0 });
    // No row was sent, so none is looked up, and the next run sends immediately.
    const { summary: resumed } = await importFile(client, { file, jobDirectory });
    expect(resumed).toMatchObject({ created: 30, found_by_look_up: 0 });
    expect(client.sent).toHaveLength(30);
  });
});

test('a run that is killed while it waits can be resumed, and every row is sent once', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory, copy] = [
      join(directory, 'users.csv'),
      join(directory, 'job'),
      join(directory, 'copy'),
    ];
    await writeFile(file, rows(30));
    const { clock, options } = clockAt(12);
    const stop = new AbortController();
    const run = importFile(recordingClient(), {
      file,
      jobDirectory,
      ...options,
      signal: stop.signal,
      onWindow: () => {
        // The next run has only what is on disk at that moment.
        cpSync(jobDirectory, copy, { recursive: true });
        stop.abort(new Error('enough'));
      },
    });
    await ending(clock, run);
    expect((await readJobStatus(copy, Date.now)).status).toMatchObject({ state: 'crashed', pending: 30 });
    const next = recordingClient();
    const { summary } = await importFile(next, { file, jobDirectory: copy });
    expect(summary).toMatchObject({ created: 30, resumed: true });
    expect(next.sent.map(({ user_name: name }) => name)).toEqual(
      expect.arrayContaining(Array.from({ length: 30 }, (_, at) => `user${at}`)),
    );
    expect(next.sent).toHaveLength(30);
  });
});

test('a user who is created just before the window closes is disabled nevertheless', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, `login,pwd,status\nann,${goodHashes.md5},L\nbob,${goodHashes.md5},L\n`);
    const recipe = {
      name: 'own',
      digest: 'digest',
      recipe: {
        fields: { user_name: { column: 'login' } },
        password: { column: 'pwd', algorithm: { infer: true as const } },
        disable: { where: [{ column: 'status', in: ['L'] }] },
        examples: [],
      },
    };
    const { clock, now, options } = clockAt(5 - 1 / 3600);
    const calls: string[] = [];
    const at = () =>
      now() - midnight < 5 * hour ? 'open' : now() - midnight < 22 * hour ? 'closed' : 'next night';
    const client = recordingClient(async ({ user_name: name }) => {
      calls.push(`${at()}: create ${name}`);
      // The answer arrives after the window has closed.
      await new Promise<void>((resolve) => void clock.schedule(2000, resolve));
    });
    client.disableUser = async (user_id) => {
      calls.push(`${at()}: disable ${user_id}`);
      return { user_id };
    };
    const { summary } = await ending(
      clock,
      importFile(client, { file, jobDirectory, ...options, recipe, concurrency: 1 }),
    );
    expect(calls).toEqual([
      'open: create ann',
      'closed: disable id-1',
      'next night: create bob',
      'next night: disable id-2',
    ]);
    expect(summary).toMatchObject({ created: 2, failed: 0 });
  });
});
