import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testClock } from '../../../clocks.ts';
import { runCommand, temporaryDirectory } from '../../../world.ts';

const hash = 'e10adc3949ba59abbe56e057f20f883e';

/** Checks a file of this content on the clock of the test. */
async function check(content: string, clock = testClock, ...args: string[]) {
  const directory = await temporaryDirectory();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, content);
  return runCommand(['import-hashes', file, '--dry-run', '--job', join(directory, 'job'), ...args], {
    configDirectory: directory,
    env: {},
    clock,
  });
}

test('every issue of a row is counted, and the names of unknown algorithms are shown', async () => {
  const { exitCode, stdout, stderr } = await check(
    `user_name,mobile,algorithm,hash\nann,12,BLOWFISH,${hash}\nann,,SHA-MD5,${hash}\n`,
  );
  expect(exitCode).toBe(7);
  expect(stderr).toContain('Each of these rows counts for its first issue. All issues:\n');
  expect(stderr).toContain('Algorithms that the API does not accept: BLOWFISH (1), SHA-MD5 (1)\n');
  const counted = (code: string, rows: number) => new RegExp(`│ ${code} +│ ${rows} +│`);
  for (const [code, rows] of [
    ['ALGORITHM_UNKNOWN', 2],
    ['DUPLICATE_USER_NAME', 1],
  ] as const) {
    expect(stdout).toMatch(counted(code, rows));
  }
});

test('the progress of a dry run counts the rows that were checked, and does not mention created users', async () => {
  let time = 0;
  const now = () => {
    time += 5001;
    return time;
  };
  const rows = Array.from({ length: 3000 }, (_, row) => `u${row},md5,${row === 7 ? 'cut' : hash}\n`);
  const { stderr } = await check(`user_name,algorithm,hash\n${rows.join('')}`, { ...testClock, now });
  expect(stderr).toMatch(/\n\d+\/3000 rows checked, 1 rejected, \d+ rows\/s, \d+:\d\d left\n/);
  expect(stderr).not.toContain('created');
});

test('a file without hashes is refused with the option that allows it; with the option the output says who has no password', async () => {
  const content = 'user_name\nann\nbob\n';
  expect((await check(content)).stderr).toContain(
    'columns "algorithm" and "hash" are missing; add them, map them (--map), or allow users without a password (--allow-passwordless)\n',
  );
  const { exitCode, stderr } = await check(content, testClock, '--allow-passwordless');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Warning: 2 users will have no password');
});
