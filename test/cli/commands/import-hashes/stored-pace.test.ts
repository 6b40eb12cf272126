import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application } from '../../../test-service.ts';
import { startWorld } from '../../../world.ts';

test('status shows the pace of the last import, and deletes it on request', async () => {
  const { run, runWith, directory } = await startWorld();
  expect(JSON.parse((await run('status', '--json')).stdout).pace).toBeNull();
  async function importNew(name: string, ...more: string[]) {
    const lines = Array.from({ length: 400 }, (_, row) => `${name}${row},md5,${'0'.repeat(28)}${1000 + row}`);
    const file = join(directory, `${name}.csv`);
    await writeFile(file, `user_name,algorithm,hash\n${lines.join('\n')}\n`);
    const { exitCode } = await run('import-hashes', file, '--job', join(directory, name), '--quiet', ...more);
    expect(exitCode).toBe(0);
  }
  await importNew('limited', '--rate', '9000/s');
  expect(JSON.parse((await run('status', '--json')).stdout).pace).toBeNull();
  await importNew('free');

  const { pace } = JSON.parse((await run('status', '--json')).stdout);
  expect(pace).toMatchObject({ limit: null, measured_at: expect.stringMatching(/Z$/) });
  expect(pace.likely).toBeGreaterThan(0);
  expect((await run('status')).stdout).toMatch(
    /pace +│ [\d.,]+ requests\/s, \d+ in flight, no limit met \(\d{4}-\d\d-\d\d\)/,
  );
  // The next import then shows how long it will take.
  const next = join(directory, 'next.csv');
  await writeFile(next, `user_name,algorithm,hash\nanother,md5,${'0'.repeat(32)}\n`);
  const asked = await runWith({ mayRefuse: true }, 'import-hashes', next, '--job', join(directory, 'next'));
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toMatch(
    /This takes (?:less than a second|about 0:0\d, between 0:0\d and 0:0\d) \(the pace of \d{4}-\d\d-\d\d, [\d.,]+ requests\/s\)\./,
  );
  const stored = await readFile(join(directory, 'state', 'pace.json'), 'utf8');
  expect(stored).not.toContain(application.client_secret);

  const forgetting = await run('status', '--forget-pace');
  expect(forgetting.exitCode).toBe(0);
  expect(forgetting.stdout).not.toMatch(/pace/);
  expect(forgetting.stderr).toContain('The stored pace of this tenant was deleted.\n');
  expect((await run('status', '--forget-pace')).stderr).toContain('No pace of this tenant is known.\n');
});
