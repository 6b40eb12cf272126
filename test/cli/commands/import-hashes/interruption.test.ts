import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { environmentFor, runCommand, startWorld, temporaryDirectory } from '../../../world.ts';
import { startSilence } from '../../connection/start-silence.ts';

const content = 'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n';

/** Collects the output, and calls `then` as soon as it contains `text`. */
function watching(text: string, then: () => void) {
  let said = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const before = said.includes(text);
      said += String(chunk);
      if (!before && said.includes(text)) then();
      done();
    },
  });
  return { stream, said: () => said };
}

test.each([
  [['--dry-run'], 'Interrupted: the file was not read to its end. Nothing was sent.'],
  [['--rehearse'], 'Interrupted. Nothing was sent to the tenant.'],
  [[], 'Interrupted. Nothing was sent.'],
])(
  'Ctrl-C during the check of the file, %j, exits with 130 and says that nothing was sent',
  async (options, text) => {
    const world = await startWorld();
    const [file, job] = [join(world.directory, 'users.csv'), join(world.directory, 'job')];
    await writeFile(file, content);
    const stop = new AbortController();
    const { stream: stderr, said } = watching('columns used', () => stop.abort('SIGINT'));
    const circumstances = { stderr, signal: stop.signal };
    const ended = await world.runWith(circumstances, 'import-hashes', file, '--job', job, ...options);
    expect(ended.exitCode).toBe(130);
    expect(said()).toMatch(new RegExp(`${text}\\n$`));
    expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
  },
);

test.each([
  [[], 'the same command, which'],
  [['--restart'], 'the same command without --restart, which'],
])('a second Ctrl-C while rows are sent, %j, says what may remain', async (options, again) => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'users.csv');
  await writeFile(file, content);
  const [stop, cut] = [new AbortController(), new AbortController()];
  const baseUrl = await startSilence(() => stop.abort('SIGINT'));
  const { stream: stderr, said } = watching('Stopping', () => cut.abort('SIGINT'));
  const { exitCode } = await runCommand(
    ['import-hashes', file, '--job', join(directory, 'job'), '--yes', '--timeout', '1', ...options],
    {
      configDirectory: directory,
      stderr,
      signal: stop.signal,
      secondSignal: cut.signal,
      env: environmentFor(baseUrl),
    },
  );
  expect(exitCode).toBe(130);
  expect(said()).toContain(
    `Stopping: no more rows are sent. Waiting up to 1.5 s for the requests under way; Ctrl-C again ends at once.\nEnded at once. Requests under way may have arrived: rerun ${again} looks their users up first.\n`,
  );
});

test('the advice of a run with --restart that stopped does not start over again', async () => {
  const world = await startWorld();
  const [file, job] = [join(world.directory, 'users.csv'), join(world.directory, 'job')];
  await writeFile(file, `${content}bob,md5,bad\n`);
  const options = ['--yes', '--json', '--max-failures', '0', '--restart'];
  const { exitCode, stderr } = await world.run('import-hashes', file, '--job', job, ...options);
  expect(exitCode).toBe(8);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    code: 'MAX_FAILURES',
    hint: expect.stringContaining('The same command without --restart goes on with the rows not sent yet'),
    // A script that runs it again as it is would start over.
    retryable: false,
  });
});

test('Ctrl-C while a plan is applied says what it waits for', async () => {
  const world = await startWorld();
  const [file, plan] = [join(world.directory, 'users.csv'), join(world.directory, 'plan')];
  await writeFile(file, content);
  await world.run('plan', file, '--to', plan);
  const stop = new AbortController();
  const { stream: stderr, said } = watching('"what":"rows"', () => stop.abort('SIGINT'));
  const circumstances = { stderr, signal: stop.signal };
  const { exitCode } = await world.runWith(circumstances, 'apply', plan, '--yes', '--progress', 'jsonl');
  expect(exitCode).toBe(130);
  expect(said()).toContain('Stopping: no more rows are sent.');
});

test('Ctrl-C while rows are sent does not hide that the records could not be written', async () => {
  const directory = await temporaryDirectory();
  const [file, job] = [join(directory, 'users.csv'), join(directory, 'job')];
  await writeFile(file, content);
  const stop = new AbortController();
  const baseUrl = await startSilence(() => stop.abort('SIGINT'));
  // A directory in the place of a file cannot be replaced by that file.
  const { stream: stderr, said } = watching('Stopping', () => mkdirSync(join(job, 'summary.json')));
  const { exitCode } = await runCommand(['import-hashes', file, '--job', job, '--yes', '--timeout', '1'], {
    configDirectory: directory,
    stderr,
    signal: stop.signal,
    env: environmentFor(baseUrl),
  });
  expect(exitCode).toBe(130);
  expect(said()).toMatch(/tenant-users: .*: the job records cannot be written there/);
  expect(said()).not.toContain('Nothing was sent');
});

test('a dry run and a rehearsal do not write to the records of an import', async () => {
  const directory = process.cwd();
  const world = await startWorld();
  await writeFile(join(world.directory, 'users.csv'), content);
  process.chdir(world.directory);
  try {
    expect(await world.run('import-hashes', 'users.csv', '--quiet')).toMatchObject({ exitCode: 0 });
    const summary = await readFile('users.csv.import/summary.json', 'utf8');
    for (const kind of ['dry-run', 'rehearsal']) {
      const option = kind === 'dry-run' ? '--dry-run' : '--rehearse';
      const { exitCode, stderr } = await world.run('import-hashes', 'users.csv', option);
      expect(exitCode).toBe(0);
      expect(stderr).toContain(`go to users.csv.${kind}\n`);
      expect(stderr).toContain(`Report: users.csv.${kind}/report.html`);
      const refused = await world.run(
        'import-hashes',
        'users.csv',
        option,
        '--restart',
        '--job',
        'users.csv.import',
      );
      expect(refused).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining(`Name another directory, such as --job users.csv.import.${kind}.\n`),
      });
    }
    expect(await readFile('users.csv.import/summary.json', 'utf8')).toBe(summary);
  } finally {
    process.chdir(directory);
  }
});

test('a notice says that a database of --local is new, and one in a missing directory is refused', async () => {
  const directory = await temporaryDirectory();
  const surroundings = { configDirectory: directory, env: {} };
  const database = join(directory, 'x.db');
  const list = (file: string) => runCommand(['list', '--local', file], surroundings);
  expect((await list(database)).stderr).toContain(`New empty database: ${database}\n`);
  expect((await list(database)).stderr).not.toContain('New empty database');
  const lost = join(directory, 'tpyo', 'x.db');
  expect(await list(lost)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: there is no directory ${join(directory, 'tpyo')} for the database ${lost}\nCorrect --local, or run: mkdir -p ${join(directory, 'tpyo')}\n`,
  });
});
