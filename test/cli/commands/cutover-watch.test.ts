import { getEventListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jumpingClock } from '../../clocks.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';

test('a job that created nobody has no logins to wait for', async () => {
  const { client, directory, run } = await startWorld();
  await client.createUser({ user_name: 'ann' });
  const [file, job] = [join(directory, 'legacy.csv'), join(directory, 'job')];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  await run('import-hashes', file, '--job', job);
  const { exitCode, stderr } = await run('cutover', job);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/0 of 0 users logged in, 0 never\nThe job created nobody[.]\n$/);
});

test('the looks of a watch leave nothing behind that waits for the signal', async () => {
  const { directory, run, runWith } = await startWorld();
  const [file, job] = [join(directory, 'legacy.csv'), join(directory, 'job')];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  expect(await run('import-hashes', file, '--job', job)).toMatchObject({ exitCode: 0 });
  const stop = new AbortController();
  let looks = 0;
  const counts: number[] = [];
  const clock = {
    ...jumpingClock(),
    schedule(wait: number, act: () => void) {
      if (wait === 60_000) {
        counts.push(getEventListeners(stop.signal, 'abort').length);
        looks += 1;
        if (looks === 5) stop.abort('SIGINT');
      }
      return jumpingClock().schedule(wait, act);
    },
  };
  const ended = await runWith({ clock, signal: stop.signal }, 'cutover', job, '--watch', '60');
  expect(ended.exitCode).toBe(130);
  expect(counts).toHaveLength(5);
  expect(new Set(counts).size).toBe(1);
});
