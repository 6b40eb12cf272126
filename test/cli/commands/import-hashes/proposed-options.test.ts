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

test('a refused file of another system is named with a command that makes a recipe for it', async () => {
  const { directory, run } = await startWorld();
  const file = join(directory, 'k.csv');
  const advice = `make a recipe for it: tenant-users recipe make ${file}`;
  for (const [content, line, map] of [
    ['login,Kontakt\nann,+8613800138000\n', `${advice}\n`, []],
    ['Kennung,Kontakt\nann,+8613800138000\n', `${advice} --map user_name=COLUMN\n`, ['user_name=Kennung']],
  ] as const) {
    await writeFile(file, content);
    expect((await run('import-hashes', file, '--yes')).stderr).toContain(line);
    const options = map.flatMap((one) => ['--map', one]);
    expect((await run('recipe', 'make', file, ...options)).exitCode).toBe(0);
  }
  await writeFile(file, 'id,nr\n');
  expect((await run('import-hashes', file, '--yes')).stderr).not.toContain('recipe make');
});
