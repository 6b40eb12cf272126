import { chmodSync, chownSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { unprivileged } from '../../../unprivileged.mjs';
import { startWorld } from '../../../world.ts';

const nobody = unprivileged();

/** A tenant into which a job has imported Ann and Bob, and a later file without Bob. */
async function imported() {
  const { client, directory, run } = await startWorld();
  const fileOf = (name: string, ...people: string[]) => {
    const rows = people.map((person) => `${person},md5,${goodHashes.md5}\n`);
    writeFileSync(join(directory, name), `user_name,algorithm,hash\n${rows.join('')}`);
    return join(directory, name);
  };
  const job = join(directory, 'job');
  const first = fileOf('first.csv', 'ann', 'bob');
  expect(await run('import-hashes', first, '--job', job)).toMatchObject({ exitCode: 0 });
  const later = fileOf('later.csv', 'ann');
  const [undone, planned] = [join(directory, 'undo'), join(directory, 'plan')];
  const disabled = async () => {
    const { users } = await client.listUsers({ offset: 0, limit: 10 });
    return users.filter((user) => user.disabled).length;
  };
  const plan = (...more: string[]) =>
    run('plan', later, '--since', job, '--to', planned, '--at-most', 'disable=1', ...more);
  return {
    ...{ job, run, plan, disabled, undone, planned },
    undo: (of = job) => run('undo', of, '--to', undone, '--yes'),
  };
}

/** Expects that nobody is disabled by the records of a job after `give`, and that they can be read all the same. */
async function expectRefused(fault: string, give: (job: string) => void) {
  const { job, run, plan, undo, disabled, undone, planned } = await imported();
  give(job);
  for (const refused of [await undo(), await plan('--disable-missing')]) {
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain(`${job}: ${fault}\n`);
    expect(refused.stderr).toContain(
      'Whoever copies it instead must move the original away, which does not learn who is disabled.\n',
    );
  }
  expect([existsSync(undone), existsSync(planned), await disabled()]).toEqual([false, false, 0]);
  // What only reads the job goes on.
  expect(await run('cutover', job)).toMatchObject({ exitCode: 0 });
  expect(await plan()).toMatchObject({ exitCode: 0 });

  cpSync(job, `${job}-own`, { recursive: true });
  chmodSync(`${job}-own`, 0o700);
  expect(await undo(`${job}-own`)).toMatchObject({ exitCode: 0 });
  expect(await disabled()).toBe(2);
}

test.skipIf(process.platform === 'win32')(
  'nobody is disabled by the records of a job that another account could write',
  () => expectRefused('other accounts can write to the directory', (job) => chmodSync(job, 0o777)),
);

test.skipIf(nobody === undefined).each([
  ['the directory belongs to another account', ''],
  ['its journal.db belongs to another account', 'journal.db'],
])('nobody is disabled by the records of a job of another account: %s', (fault, name) =>
  expectRefused(fault, (job) => chownSync(join(job, name), nobody?.uid ?? 0, nobody?.gid ?? 0)),
);
