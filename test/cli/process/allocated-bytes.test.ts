import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { temporaryDirectory } from '../../world.ts';
import { bin } from './start-program.ts';

const rows = 10_000;
/** A third more than was measured. */
const most = 40_000;

test('a row of an import allocates few bytes: other work on the machine does not change them, as it does times', async () => {
  const directory = await temporaryDirectory();
  const users = Array.from(
    { length: rows },
    (_, row) =>
      `user${row},Person ${row},user${row}@example.com,+86-${13_810_000_000 + row},ext-${row},md5,${goodHashes.md5},false\n`,
  );
  const header = 'user_name,name,email,mobile,external_id,algorithm,hash,pwd_must_modify\n';
  writeFileSync(join(directory, 'users.csv'), header + users.join(''));
  const command = ['import-hashes', 'users.csv', '--local', 'service.db', '--job', 'job', '--json', '--yes'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--trace-gc', '--trace-gc-nvp', bin, ...command],
    { cwd: directory, env: { PATH: process.env.PATH, HOME: directory }, maxBuffer: 2 ** 26 },
  );
  expect(stdout).toContain(`"created":${rows}`);
  const collections = [...stdout.matchAll(/\ballocated=(\d+)/g)].map(([, bytes]) => Number(bytes));
  const allocated = collections.reduce((sum, bytes) => sum + bytes, 0) / rows;
  expect(allocated).toBeLessThan(most);
  expect(allocated).toBeGreaterThan(most / 4);
});
