import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../migration/hashes.ts';
import { startTestService } from '../../test-service.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';
import { credentials } from '../process/start-program.ts';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';

const legacy = `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`;

async function imported() {
  const world = await startWorld();
  const within = (...names: string[]) => join(world.directory, ...names);
  await writeFile(within('legacy.csv'), legacy);
  const args = ['import-hashes', within('legacy.csv'), '--job', within('job')];
  expect(await world.run(...args)).toMatchObject({ exitCode: 0 });
  const refused = async (path: string, ...command: string[]) => {
    const before = await readFile(path, 'utf8');
    const ended = await world.run(...command, path);
    expect({ ...ended, stderr: '' }).toEqual({ exitCode: 2, stdout: '', stderr: '' });
    expect(await readFile(path, 'utf8')).toBe(before);
    return ended.stderr;
  };
  return { ...world, within, refused };
}

test('cutover --dormant replaces an earlier list and no other file', async () => {
  const { run, within, refused } = await imported();
  const cutover = ['cutover', within('job'), '--dormant'];
  expect(await refused(within('legacy.csv'), ...cutover)).toContain('is there, and no list of this program');
  for (const name of ['users.csv', 'journal.db', 'report.html'])
    expect(await refused(within('job', name), ...cutover)).toContain('is a file of a job');
  for (const _ of ['first', 'second'])
    expect(await run(...cutover, within('list.csv'))).toMatchObject({ exitCode: 0 });
  expect(await readFile(within('list.csv'), 'utf8')).toMatch(/^user_id,.*\n.*,ann,/);
});

test('--output-file replaces neither a file that the command reads nor one of a job', async () => {
  const { within, refused } = await imported();
  const compare = ['compare', within('legacy.csv'), '--output-file'];
  expect(await refused(within('legacy.csv'), ...compare)).toContain('is also read by this command');
  const own = await refused(within('job', 'users.csv'), 'list', '-o', 'csv', '--output-file');
  expect(own).toContain('is a file of a job\nName another file with --output-file.\n');
});

test('no option replaces the file that was imported, although no word of the command names it', async () => {
  const { run, within, refused } = await imported();
  const [file, job] = [within('more.csv'), within('more.csv.import')];
  await writeFile(file, legacy.replace('ann', 'bob'));
  expect(await run('import-hashes', file, '--job', job, '--yes')).toMatchObject({ exitCode: 0 });
  for (const command of [['import-hashes', 'status', job], ['list']])
    expect(await refused(file, ...command, '--output-file')).toContain('is the file that a job imported');
  // Its directory may have any name.
  const status = ['import-hashes', 'status', within('job'), '--output-file'];
  expect(await refused(within('legacy.csv'), ...status)).toContain('is the file that a job imported');
  // A directory of the usual name may be that of another file.
  await run('import-hashes', file, '--job', within('other.csv.import'), '--yes');
  await writeFile(within('other.csv'), '');
  expect(await run('list', '--output-file', within('other.csv'))).toMatchObject({ exitCode: 0 });
  // A page replaces a page of this program, and nothing else.
  const assess = ['assess', file, '--report'];
  await writeFile(within('intranet.html'), '<!doctype html>\n<html lang="en">\n<title>Intranet</title>\n');
  for (const other of ['legacy.csv', 'intranet.html'])
    expect(await refused(within(other), ...assess)).toContain('is there, and no page of this program');
  for (const _ of ['first', 'second'])
    expect(await run(...assess, within('page.html'))).toMatchObject({ exitCode: 0 });
});

test('--output-file keeps the file that was imported after its directory was moved', async () => {
  const { within, refused } = await imported();
  await mkdir(within('moved'));
  await rename(within('legacy.csv'), within('moved', 'legacy.csv'));
  await rename(within('job'), within('moved', 'job'));
  const status = ['import-hashes', 'status', within('moved', 'job'), '--output-file'];
  expect(await refused(within('moved', 'legacy.csv'), ...status)).toContain(
    'is the file that a job imported',
  );
});

test('--output-file keeps a file that was imported from below the directory of the run, also after all were moved', async () => {
  const { run, within, refused } = await imported();
  const project = within('project');
  await mkdir(join(project, 'data'), { recursive: true });
  await writeFile(join(project, 'data', 'more.csv'), legacy.replace('ann', 'bob'));
  const before = process.cwd();
  process.chdir(project);
  try {
    expect(await run('import-hashes', 'data/more.csv', '--yes')).toMatchObject({ exitCode: 0 });
  } finally {
    process.chdir(before);
  }
  await rename(project, within('moved'));
  const status = ['import-hashes', 'status', within('moved', 'more.csv.import'), '--output-file'];
  expect(await refused(within('moved', 'data', 'more.csv'), ...status)).toContain(
    'is the file that a job imported',
  );
});

test('--output-file does not replace the file of a plan that is applied', async () => {
  const { run, within, refused } = await imported();
  const [file, plan] = [within('more.csv'), within('plan')];
  await writeFile(file, legacy.replace('ann', 'bob'));
  expect(await run('plan', file, '--to', plan)).toMatchObject({ exitCode: 0 });
  expect(await refused(file, 'apply', plan, '--yes', '--output-file')).toContain(
    'is also read by this command',
  );
  // What is wrong with a directory that holds no plan, its command says.
  await mkdir(within('odd', 'plan.json'), { recursive: true });
  const odd = await run('plan', 'show', within('odd'), '--output-file', within('out.txt'));
  expect(odd.stderr).toContain('there is no plan');
});

test('--output-file replaces neither a database nor the configuration, although no word of the command names them', async () => {
  const { run, runWith, within } = await imported();
  const [database, config] = [within('own.db'), within('own.json')];
  const env = { TENANT_USERS_CONFIG: config };
  expect(await runWith({ env }, 'login', '--local', database)).toMatchObject({ exitCode: 0 });
  expect(await runWith({ env }, 'create', '--user-name', 'ann')).toMatchObject({ exitCode: 0 });
  const before = await readFile(config, 'utf8');
  const intoDatabase = await runWith({ env }, 'list', '--output-file', database);
  expect(intoDatabase).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('is a database\nName another file with --output-file.\n'),
  });
  // Of another command, too.
  expect(await run('list', '--output-file', database)).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await runWith({ env }, 'list', '--output-file', config)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('is also read by this command'),
  });
  expect(await readFile(config, 'utf8')).toBe(before);
  expect(await runWith({ env }, 'list')).toMatchObject({ exitCode: 0, stderr: '1 of 1 user\n' });
});

test('--output-file replaces neither a key file nor what lies beside a database', async () => {
  const { run, runWith, within } = await imported();
  const [database, key] = [within('own.db'), within('k.key')];
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const env = { TENANT_USERS_KEY_FILE: key };
  const list = ['list', '--local', database, '--output-file'];
  const create = ['create', '--local', database, '--user-name', 'ann'];
  expect(await runWith({ env }, ...create)).toMatchObject({ exitCode: 0 });
  await writeFile(within('other.db'), 'SQLite format 3\0');
  for (const end of ['wal', 'shm']) await writeFile(within(`other.db-${end}`), '');
  const before = await readFile(`${database}.audit.jsonl`, 'utf8');
  const refused = async (path: string) => (await runWith({ env }, ...list, path)).stderr.split('\n')[0];
  expect(await refused(key)).toContain(`${key} is the key file of TENANT_USERS_KEY_FILE`);
  expect(await refused(`${database}.audit.jsonl`)).toContain('is the audit log of a database');
  for (const end of ['wal', 'shm'])
    expect(await refused(within(`other.db-${end}`))).toContain('is part of a database');
  expect(await readFile(`${database}.audit.jsonl`, 'utf8')).toBe(before);
  expect(await runWith({ env }, 'list', '--local', database)).toMatchObject({ exitCode: 0 });
  expect(await run('list', '--output-file', within('a-wal'))).toMatchObject({ exitCode: 0 });
});

test('--output-file replaces no key, evidence or audit log, although nothing names them', async () => {
  const { run, runWith, within, refused } = await imported();
  const key = within('service.key');
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  await run('evidence', within('job'), '--to', within('acme.evidence'));
  await writeFile(within('own.db.audit.jsonl.1'), '{}\n');
  const list = ['list', '--output-file'];
  for (const path of [key, within('acme.evidence.key')])
    expect(await refused(path, ...list)).toContain('is a key');
  const text = await readFile(key, 'utf8');
  for (const other of [
    `\uFEFF${text}`,
    `  ${text}${' '.repeat(40)}`,
    `${'0a'.repeat(40)}\n`,
    '-----BEGIN X-----\n',
  ]) {
    await writeFile(key, other);
    expect(await refused(key, ...list)).toContain('is a key');
  }
  expect(await refused(within('acme.evidence'), ...list)).toContain('is evidence');
  expect(await refused(within('own.db.audit.jsonl.1'), ...list)).toContain('is the audit log of a database');
  // What commands on PostgreSQL write.
  await writeFile(within('audit.jsonl'), '{}\n');
  const env = { TENANT_USERS_CONFIG: within('config.json') };
  expect((await runWith({ env }, ...list, within('audit.jsonl'))).stderr).toContain(
    'is the audit log of a database',
  );
});

test('compare replaces an earlier comparison, and no file of anybody else or of a job', async () => {
  const { run, within } = await imported();
  const compare = (to: string) => run('compare', within('legacy.csv'), '--to', to);
  for (const name of ['extra.csv', 'report.html', 'summary.json']) {
    const path = within(`my-${name}`, name);
    await mkdir(within(`my-${name}`));
    await writeFile(path, 'precious\n');
    const { exitCode, stderr } = await compare(within(`my-${name}`));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining(
        `its ${name} is not of a comparison\nName another directory with --to.\n`,
      ),
    });
    expect(await readFile(path, 'utf8')).toBe('precious\n');
  }
  for (const _ of ['first', 'second']) expect((await compare(within('new'))).exitCode).toBe(0);
});

terminalTest('on a terminal, --output-file asks before it replaces a file', async () => {
  const { baseUrl } = await startTestService();
  const file = join(await temporaryDirectory(), 'users.csv');
  await writeFile(file, legacy);
  const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
  for (const [answer, exitCode] of [
    ['n', 2],
    ['y', 0],
  ] as const) {
    const terminal = await startTerminal(['list', '--output-file', file], { env, columns: 200 });
    await terminal.waitFor(`Replace ${file}?`);
    terminal.type(`${answer}\r`);
    expect((await terminal.exited).exitCode).toBe(exitCode);
    expect((await readFile(file, 'utf8')) === legacy).toBe(answer === 'n');
  }
});
