import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

test('a proposed command replaces the value of an option that the command line has already', async () => {
  const { directory, run } = await startWorld();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, 'user_name,algorithm,hash\nann,,{SSHA}MTIzNDU2Nzg5MDEyMzQ1Njc4OTBzYWx0\n');
  const job = join(directory, 'job');
  const trial = ['import-hashes', file, '--job', job, '--dry-run', '--foreign-hashes=reject'];
  const ended = await run(...trial);
  expect(ended).toMatchObject({ exitCode: 7 });
  const [, line = ''] = /^ *tenant-users (.*--foreign-hashes passwordless.*)$/m.exec(ended.stderr) ?? [];
  expect(line).toBe(`import-hashes ${file} --job ${job} --dry-run --foreign-hashes passwordless`);
  expect(await run(...line.split(' '))).toMatchObject({ exitCode: 0 });
});
