import { appendFileSync, chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, startWorld, temporaryDirectory } from '../../world.ts';

async function startAudited() {
  let time = Date.UTC(2026, 10, 22, 9, 30);
  const world = await startWorld({ now: () => time });
  const database = join(world.directory, 'tenant.db');
  const onDatabase = (...args: string[]) => world.run(...args, '--local', database);
  const create = async (name: string) => {
    const { stdout } = await onDatabase('create', '--user-name', name, '--json');
    return JSON.parse(stdout).user_id as string;
  };
  const read = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await onDatabase('audit', '--json', ...args);
    const events = JSON.parse(stdout).events as Record<string, unknown>[];
    return { exitCode, stderr, events: events.map(({ event }) => event), first: events[0] };
  };
  return {
    ...world,
    database,
    onDatabase,
    create,
    read,
    pass: (minutes: number) => {
      time += minutes * 60_000;
    },
  };
}

test('audit shows what commands did, filtered by user, event and time', async () => {
  const { onDatabase, create, read, pass, database, run, directory } = await startAudited();
  const ann = await create('ann');
  pass(60);
  const bob = await create('bob');
  await onDatabase('update', ann, '--name', 'Ann', '--nick-name', 'A');
  expect((await read('--user', ann)).events).toEqual(['createUser', 'updateUser']);
  expect(await read('--user', bob)).toEqual({
    exitCode: 0,
    stderr: '',
    events: ['createUser'],
    first: {
      time: '2026-11-22T10:30:00.000Z',
      event: 'createUser',
      outcome: 'done',
      tenant: 'default',
      application: 'embedded',
      user_id: bob,
      account: expect.stringMatching(/./),
      request_id: expect.any(String),
    },
  });
  const created = ['--event', 'createUser'];
  expect((await read(...created, '--since', '2026-11-22 10:30:00')).events).toHaveLength(1);
  expect((await read(...created, '--until', '2026-11-22 10:30:00')).events).toHaveLength(1);
  expect((await read('--since', '2026-11-23')).events).toEqual([]);

  const table = await run(
    'audit',
    '--file',
    `${database}.audit.jsonl`,
    '--user',
    ann,
    '--columns',
    'event,attributes',
  );
  expect(table).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/│ createUser +│ +│\n│ updateUser +│ \["name","attr_nick_name"\] │\n/),
    stderr: `2 events in ${database}.audit.jsonl\n`,
  });
  expect(table.stdout).not.toContain(directory);
});

test('rotated files are read in the order given, and lines that are no events are skipped with a notice', async () => {
  const { database, create, run } = await startAudited();
  await create('ann');
  const file = `${database}.audit.jsonl`;
  appendFileSync(file, '{"time":"2026-11-22T\n{"a":1}\n');
  const lines = readFileSync(file, 'utf8').split('\n').length - 3;
  const ended = await run('audit', '--file', file, '--file', file, '--columns', 'event');
  expect(ended).toMatchObject({
    exitCode: 0,
    stderr: `${lines * 2} events in ${file}, ${file}\nWarning: 4 lines skipped: not of an audit log\n`,
  });
});

test('the error names a log that does not exist, and says when there is no local service', async () => {
  const { run, directory } = await startWorld();
  const missing = join(directory, 'none.jsonl');
  expect(await run('audit', '--file', missing)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: the audit log ${missing} cannot be read: it does not exist\nIt is written from the first request on. Name another one with --file FILE.\n`,
  });
  expect(await run('audit', '--local', ':memory:')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('have no audit log on this machine'),
  });
});

test('audit says that the database of a profile is gone, and still reads the log that is left of it', async () => {
  const { database, directory, run } = await startAudited();
  const alone = (...args: string[]) => runCommand(args, { configDirectory: directory, env: {} });
  await alone('login', '--local', database, '--profile', 'own');
  await alone('create', '--user-name', 'ann', '--profile', 'own');
  rmSync(database);
  const left = await alone('audit', '--profile', 'own', '--event', 'createUser', '-o', 'tsv');
  expect(left).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('createUser') });
  rmSync(`${database}.audit.jsonl`);
  expect(await alone('audit', '--profile', 'own')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: the database ${database} of profile "own" does not exist\nPut it back, or make a new one: tenant-users login --profile own --local ${database}\n`,
  });
  expect((await run('audit', '--file', database)).exitCode).toBe(3);
});

test.skipIf(process.platform !== 'linux')(
  'serve does not start if its audit log cannot be written',
  async () => {
    const { run } = await startWorld();
    const serve = ['serve', '--port', '0', '--database', ':memory:'];
    expect(await run(...serve, '--audit', '/dev/full')).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining(
        'the audit log /dev/full cannot be written: no space is left on the disk',
      ),
    });
  },
);

test('serve writes the log beside a SQLite file; on request to stderr, to another file or nowhere', async () => {
  const { directory, runWith } = await startWorld();
  const stopped = { env: {}, signalAtOutput: 'SIGTERM' } as const;
  const database = join(directory, 'served.db');
  const serve = (...more: string[]) => runWith(stopped, 'serve', '--port', '0', ...more);
  const lines = (text: string) => text.split('\n').flatMap((line) => /"event":"(\w+)"/.exec(line)?.[1] ?? []);
  const both = ['startService', 'stopService'];
  const first = ['startService', 'createApplication', 'stopService'];
  const file = `${database}.audit.jsonl`;
  expect((await serve('--database', database)).stdout).toContain(`Audit log: ${file}\n`);
  expect(lines(readFileSync(file, 'utf8'))).toEqual(first);
  chmodSync(file, 0o644);
  expect((await serve('--database', database)).stderr).toContain(
    `Warning: ${file} is readable by other users; fix it with: chmod 600 ${file}\n`,
  );
  const off = await serve('--database', database, '--audit', 'off');
  expect(off.stdout).not.toContain('Audit log');
  expect(lines(readFileSync(file, 'utf8'))).toEqual([...first, ...both]);
  expect(lines((await serve('--database', ':memory:', '--audit', 'stderr')).stderr)).toEqual(first);
  expect(lines((await serve('--database', ':memory:')).stderr)).toEqual([]);
});

test('changes of a PostgreSQL database are recorded beside the configuration, failed ones too', async () => {
  const directory = await temporaryDirectory();
  const configDirectory = join(directory, 'configuration');
  const run = (...args: string[]) => runCommand(args, { env: {}, configDirectory, stdin: '{}' });
  const database = 'postgres://somebody@127.0.0.1:9/tenants';
  expect(await run('tenant', 'apply', '-', '--local', database)).toMatchObject({ exitCode: 3 });
  const { stdout } = await run('audit', '--local', database, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    events: [{ event: 'applyTenant', outcome: 'failed', tenant: 'default' }],
    unreadable_lines: 0,
  });
  expect((await run('audit', '--local', database)).stderr).toContain(
    'It has what commands of this account did to any PostgreSQL database. serve has a log of its own: stderr, or --audit FILE.',
  );
});
