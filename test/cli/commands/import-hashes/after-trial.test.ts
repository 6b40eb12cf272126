import { readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { startWorld, unlessGiven } from '../../../world.ts';

/** A world whose directory is the current one, with an import of `users.csv` in the usual job directory. */
async function imported() {
  const world = await startWorld();
  const before = process.cwd();
  process.chdir(world.directory);
  onTestFinished(() => process.chdir(before));
  await writeFile('users.csv', fileOf('ann', 'bob').slice(0, -3));
  expect(await world.run('import-hashes', 'users.csv')).toMatchObject({ exitCode: 7 });
  return world;
}

const fileOf = (...names: string[]) =>
  `user_name,pwd_must_modify,algorithm,hash\n${names.map((name) => `${name},false,md5,${goodHashes.md5}\n`).join('')}`;

/** Runs a rehearsal, or a dry run, and then the import that it proposes last. */
async function afterTrial({ run }: Awaited<ReturnType<typeof imported>>, ...trial: string[]) {
  const { stderr } = await run('import-hashes', 'users.csv', ...trial);
  expect(stderr).toMatch(/^users.csv.import holds the records of an import.*; those of this/m);
  const command = /^ {2}tenant-users (.*--yes)$/m.exec(stderr)?.[1] ?? '';
  return { command, ended: await run(...command.split(' ').filter((word) => word !== '--yes')) };
}

test.each(['--rehearse', '--dry-run'])(
  'after the %s of a corrected file, the proposed import goes on with the job',
  async (trial) => {
    const world = await imported();
    await writeFile('users.csv', fileOf('ann', 'bob'));
    const { command, ended } = await afterTrial(world, trial);
    expect(command).toBe('import-hashes users.csv --only failed --yes');
    expect(ended).toMatchObject({ exitCode: 0 });
    expect(ended.stderr).toContain('2 rows: 2 created\n');
  },
);

test('after a trial, the proposed import of a job that was undone starts over', async () => {
  const world = await imported();
  expect(await world.run('undo', 'users.csv.import', '--yes')).toMatchObject({ exitCode: 0 });
  await writeFile('users.csv', fileOf('bob'));
  const { command, ended } = await afterTrial(world, '--rehearse');
  expect(command).toBe('import-hashes users.csv --restart --yes');
  expect(ended).toMatchObject({ exitCode: 0 });
});

test('after an undo, neither a live dry run nor a forecast speaks as if the job could go on', async () => {
  const { run } = await imported();
  await run('undo', 'users.csv.import', '--yes');
  const forecast = await run('forecast', 'users.csv');
  expect(forecast).toMatchObject({ exitCode: 0 });
  expect(forecast.stderr).toMatch(
    /users.csv.import is not counted, as its users were disabled by an undo at \S+Z: the import can only start over, with --restart\n1 row would be sent in 1 request; 1 would be rejected\.\n/,
  );
  await writeFile('users.csv', fileOf('ann', 'bob'));
  const live = await run('import-hashes', 'users.csv', '--dry-run', '--live');
  expect(live).toMatchObject({ exitCode: 7 });
  expect(live.stderr).toMatch(
    /users.csv.import holds the records of an import whose users were disabled by an undo at \S+Z; those of this/,
  );
  expect(live.stderr).toContain('Warning: 1 user stays disabled, although the file does not say so: ');
  expect(live.stderr).not.toContain('Correct ');
  expect(live.stderr).toContain(
    'Next: Ask the operator of the service to enable the user (ENABLE in failures.csv).\n',
  );
});

test('a run that only looks rows up does not say how long an import takes', async () => {
  const { run } = await imported();
  await run('undo', 'users.csv.import', '--yes');
  const { target } = JSON.parse(await readFile('users.csv.import.undo/plan.json', 'utf8'));
  const pace = { slowest: 1, likely: 2, fastest: 3, limit: null, in_flight: 2 };
  const paces = [{ target, measured_at: new Date().toISOString(), ...pace }];
  await writeFile('state/pace.json', JSON.stringify({ paces }));
  await forgetOutcomes('users.csv.import', 0, 0);
  const asked = await run('import-hashes', 'users.csv', '--only', 'unanswered');
  expect(asked).toMatchObject({ exitCode: 7, stderr: expect.not.stringContaining('This takes') });
});

test.each([['--rehearse'], ['--dry-run', '--live']])(
  'after a trial with --restart and %s, the proposed import starts over, too',
  async (...trial) => {
    const { command, ended } = await afterTrial(await imported(), '--restart', ...trial);
    expect(command).toBe('import-hashes users.csv --restart --yes');
    expect(ended).toMatchObject({ exitCode: 7 });
    expect(ended.stderr).toContain('Warning: --restart archives its journal');
  },
);

test.each([[[]], [['--restart']]])(
  'after a trial for another tenant, the proposed import has a directory of its own: %j',
  async (more) => {
    const world = await imported();
    const { command, ended } = await afterTrial(
      { ...world, run: (...args) => world.run(...args, ...unlessGiven(args, '--local', 'own.db')) },
      '--dry-run',
      ...more,
    );
    expect(command).toBe('import-hashes users.csv --local own.db --job users.csv.import-2 --yes');
    expect(ended).toMatchObject({ exitCode: 7 });
  },
);
