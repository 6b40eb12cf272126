import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';
import { writeKeys } from '../../../write-keys.ts';

test('the error about a purged plan says that it was purged, not that it was changed', async () => {
  const world = await startWorld();
  const [file, to] = [join(world.directory, 'legacy.csv'), join(world.directory, 'plan')];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
  await world.run('plan', file, '--to', to);
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await world.run('job', 'purge', to, '--yes')).toMatchObject({ exitCode: 0 });
  const [, key] = await writeKeys(world.directory);
  for (const args of [
    ['plan', 'verify', to, key],
    ['plan', 'show', to],
    ['plan', 'diff', to, to],
  ]) {
    const { exitCode, stdout, stderr } = await world.run(...args, '--json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    const { code, message } = JSON.parse(stderr).error;
    expect(code).toBe('PLAN_APPLIED');
    expect(message).toMatch(/plan: its personal data was deleted at .*Z, and the actions with it$/);
  }
});
