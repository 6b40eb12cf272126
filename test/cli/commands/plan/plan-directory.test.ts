import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** A world with a plan that creates 300 users. */
async function planned() {
  const world = await startWorld();
  const [file, to] = [join(world.directory, 'users.csv'), join(world.directory, 'plan')];
  await writeFile(file, `user_name\n${Array.from({ length: 300 }, (_, at) => `user${at}\n`).join('')}`);
  await world.run('plan', file, '--to', to, '--allow-passwordless');
  return { to, apply: (...more: string[]) => world.run('apply', to, '--yes', ...more) };
}

test.skipIf(process.platform === 'win32')(
  'what to do about a plan directory that cannot be used names no option that apply does not have',
  async () => {
    const { to, apply } = await planned();
    const elsewhere = 'Make the plan again in another directory (--to).';
    await chmod(to, 0o770);
    const loose = await apply();
    expect(loose).toMatchObject({ exitCode: 3, stdout: '' });
    expect(loose.stderr).toContain(
      `other accounts can write to the directory\nRemove that permission (chmod go-w), or use another one. ${elsewhere}\n`,
    );
    await chmod(to, 0o700);
    await writeFile(join(to, 'summary.json'), '{}');
    expect((await apply()).stderr).toContain(
      `the directory contains summary.json, but no journal of an import\n${elsewhere}\n`,
    );
    await rm(join(to, 'summary.json'));
    await writeFile(join(to, 'journal.db'), 'no database'.repeat(1000));
    expect((await apply()).stderr).toMatch(
      /journal\.db is damaged .*\nRestore the file from a copy\. If there is none: .*\. Make the plan again in another directory/,
    );
  },
);

test('of two runs of one plan the second is told to wait or to stop the first', async () => {
  const { to, apply } = await planned();
  const first = apply('--rate', '400/s');
  while (!existsSync(join(to, 'running.json'))) await new Promise((resolve) => setImmediate(resolve));
  expect((await apply()).stderr).toMatch(
    /plan: in use by another run: process \d+ on .*\nWait until it ends, or stop it with Ctrl-C \(its own command resumes it\)\.\n$/,
  );
  const json = await apply('--json');
  expect(json.exitCode).toBe(3);
  // The same command succeeds when the first has ended, unless that was the whole plan.
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'JOB_DIRECTORY', retryable: true });
  expect(await first).toMatchObject({ exitCode: 0 });
});
