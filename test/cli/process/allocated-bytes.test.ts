import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { temporaryDirectory } from '../../world.ts';
import { bin } from './start-program.ts';

const rows = 20_000;
/** Bytes that a row may allocate, a third more than was measured, and that may outlive two collections: 105 to 195 were measured. */
const most = { allocated: 45_000, promoted: 330 };

test('a row of an import allocates few bytes, few of which become old: other work on the machine does not change them, as it does times', async () => {
  const directory = await temporaryDirectory();
  const users = Array.from(
    { length: rows },
    (_, row) =>
      `user${row},Person ${row},user${row}@example.com,+86-${13_810_000_000 + row},ext-${row},md5,${goodHashes.md5},false\n`,
  );
  const header = 'user_name,name,email,mobile,external_id,algorithm,hash,pwd_must_modify\n';
  writeFileSync(join(directory, 'users.csv'), header + users.join(''));
  const command = ['import-hashes', 'users.csv', '--local', 'service.db', '--json', '--yes'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--trace-gc', '--trace-gc-nvp', bin, ...command, '--job', 'job', '--concurrency', '256'],
    { cwd: directory, env: { PATH: process.env.PATH, HOME: directory }, maxBuffer: 2 ** 26 },
  );
  expect(stdout).toContain(`"created":${rows}`);
  for (const [name, bytes] of Object.entries(most)) {
    const collections = [...stdout.matchAll(new RegExp(`gc=s .*\\b${name}=(\\d+)`, 'g'))];
    // The first collections are also those of the start, whose objects live as long as the program.
    const later = collections.slice(collections.length / 2);
    const ofRow = later.reduce((sum, [, found]) => sum + Number(found), 0) / (rows / 2);
    expect(ofRow).toBeLessThan(bytes);
    expect(ofRow).toBeGreaterThan(bytes / 10);
  }
});
