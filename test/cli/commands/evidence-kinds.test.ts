import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { startWorld } from '../../world.ts';

async function start() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const rows = ['ann', 'bob'].map((name) => `${name},md5,${goodHashes.md5}\n`);
  await writeFile(within('legacy.csv'), `user_name,algorithm,hash\n${rows.join('')}`);
  const importing = (...more: string[]) =>
    world.run('import-hashes', within('legacy.csv'), '--job', within('job'), ...more);
  const verified = async (job: string) => {
    const packed = await world.run('evidence', within(job), '--to', within(`${job}.e`));
    expect(packed).toMatchObject({ exitCode: 0 });
    return world.run('evidence', 'verify', within(`${job}.e`));
  };
  return { ...world, within, importing, verified };
}

test('evidence of a rehearsal says that nothing went to a tenant', async () => {
  const { importing, verified } = await start();
  expect(await importing('--rehearse')).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout, stderr } = await verified('job');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('rehearsal');
  expect(stderr).toContain('Warning: it is of a rehearsal: nothing was written to a tenant');
});

test('evidence of an import that was undone says so, and that of the undo shows whom it disabled', async () => {
  const { run, within, importing, verified } = await start();
  expect(await importing()).toMatchObject({ exitCode: 0 });
  const undo = await run('undo', within('job'), '--to', within('undo'), '--yes');
  expect(undo).toMatchObject({ exitCode: 0 });
  const { stdout, stderr } = await verified('job');
  expect(stdout).toMatch(/job[.]kind +│ import/);
  expect(stderr).toMatch(/^Target: http:.* client id test-application$/m);
  expect(stderr).toMatch(/^Warning: its users were disabled by an undo at 20/m);
  const undone = await verified('undo');
  expect(undone.stdout).toMatch(/job[.]disabled +│ 2/);
  expect(undone.stderr).not.toContain('Warning');
});

test('a purge names what other commands wrote into the directory, and what to do with it', async () => {
  const { run, within, importing } = await start();
  expect(await importing()).toMatchObject({ exitCode: 0 });
  await run('cutover', within('job'), '--dormant', join(within('job'), 'write-to-these.csv'));
  const { exitCode, stderr } = await run('job', 'purge', within('job'), '--yes');
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'not deleted, since the job did not write them: write-to-these.csv. Delete yourself',
  );
});

test('a purge names what is beside the directory and has the name of the file', async () => {
  const { run, within, importing } = await start();
  expect(await importing()).toMatchObject({ exitCode: 0 });
  await run('compare', within('legacy.csv'), '--to', within('legacy.csv.compare'));
  const { exitCode, stderr } = await run('job', 'purge', within('job'), '--yes');
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'Not deleted: legacy.csv, legacy.csv.compare, beside the directory. Delete yourself what names people\n',
  );
});
