import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { NewUser } from '../../../../src/contract/wire.ts';
import type { ComparisonSummary } from '../../../../src/migration/compare/comparison.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const fields = ['user_name', 'email', 'mobile', 'external_id', 'name', 'attr_nick_name', 'extension.age'];

/** Writes a CSV file of these rows, without hashes. */
async function fileOf(world: TestWorld, ...rows: string[]): Promise<string> {
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `${fields.join(',')}\n${rows.join('\n')}\n`);
  return file;
}

async function worldWith(...users: NewUser[]) {
  const world = await startWorld();
  const ids: string[] = [];
  for (const user of users) ids.push((await world.client.createUser(user)).user_id);
  return { world, ids };
}

async function compare(world: TestWorld, file: string, ...more: string[]) {
  const to = join(world.directory, 'lists');
  const ended = await world.run('compare', file, '--to', to, '--json', ...more);
  const listOf = async (name: string): Promise<Record<string, string>[]> =>
    parse(await readFile(join(to, `${name}.csv`), 'utf8'), { columns: true });
  return { ...ended, summary: JSON.parse(ended.stdout) as ComparisonSummary, listOf, to };
}

const ann = { user_name: 'ann', email: 'ann@example.com', mobile: '+86-15200000000', name: 'Ann Lee' };

test('values that differ only in letter case or the notation of a number are equal: exit code 0 and a report', async () => {
  const { world, ids } = await worldWith(ann);
  const file = await fileOf(world, 'ANN,Ann@Example.com,15200000000,,Ann Lee,,');
  const { exitCode, stderr, summary, listOf, to } = await compare(world, file);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(summary).toMatchObject({ rows: 1, users: 1, same: 1, extra: 0, complete: true, faults: [] });
  expect(await listOf('same')).toEqual([{ row: '1', user_id: ids[0], job: '' }]);
  expect(await readFile(join(to, 'report.html'), 'utf8')).toContain('File and tenant are equal.');
  expect(JSON.parse(await readFile(join(to, 'summary.json'), 'utf8'))).toEqual(summary);
});

test('each difference is in its list, with the fields and without values: exit code 7', async () => {
  const { world, ids } = await worldWith(
    { ...ann, attr_nick_name: 'Annie', external_id: 'x-1' },
    { user_name: 'bob', email: 'bob@example.com', mobile: '852-51234567' },
    { user_name: 'eve', email: 'eve@example.com' },
    { user_name: 'zoe' },
  );
  await world.client.disableUser(ids[3] ?? '');
  const file = await fileOf(
    world,
    'ann,ann@example.com,,x-2,Anna,Annie,7',
    'bob,eve@example.com,,,,,',
    'cid,,51234567,,,,',
    'zoe,,,,,,',
    ',,,,Nobody,,',
    'dan,no address,,,,,',
  );
  const { exitCode, summary, listOf } = await compare(world, file);
  expect(exitCode).toBe(7);
  expect(summary).toMatchObject({
    rows: 6,
    users: 4,
    same: 0,
    differs: 2,
    missing: 1,
    ambiguous: 2,
    invalid: 1,
  });
  expect(summary).toMatchObject({
    extra: 0,
    fields: { name: 1, external_id: 1, 'extension.age': 1, disabled: 1 },
  });
  expect(await listOf('differs')).toMatchObject([
    { row: '1', line: '2', user_id: ids[0], fields: 'name extension.age external_id' },
    { row: '4', user_id: ids[3], fields: 'disabled', reason: expect.stringContaining('disabled') },
  ]);
  expect(await listOf('missing')).toMatchObject([{ row: '3', user_name: 'cid' }]);
  expect(await listOf('ambiguous')).toMatchObject([
    { row: '2', owners: expect.stringContaining(`user_name by ${ids[1]}, email by ${ids[2]}`) },
    { row: '5', reason: expect.stringContaining('no identifier') },
  ]);
  expect(await listOf('invalid')).toMatchObject([{ row: '6', code: 'EMAIL' }]);
});

test('a user without a row in the file is extra, and two rows cannot be the same user', async () => {
  const { world, ids } = await worldWith(ann, { user_name: 'bob', external_id: 'x-7' });
  const file = await fileOf(world, 'ann,,,,,,', ',ann@example.com,,,,,');
  const { exitCode, summary, listOf } = await compare(world, file);
  expect(exitCode).toBe(7);
  expect(summary).toMatchObject({ same: 1, ambiguous: 1, extra: 1 });
  expect(await listOf('extra')).toMatchObject([
    { user_id: ids[1], user_name: 'bob', external_id: 'x-7', disabled: 'false' },
  ]);
  expect(await listOf('ambiguous')).toMatchObject([
    { row: '2', reason: expect.stringContaining('another row of the file') },
  ]);
});

test('--key says by which identifier a person is found', async () => {
  const { world } = await worldWith({ user_name: 'ann', external_id: 'x-1' });
  const file = await fileOf(world, 'anna,,,x-1,,,');
  expect((await compare(world, file)).summary).toMatchObject({ missing: 1, extra: 1 });
  const by = await compare(world, file, '--key', 'external_id');
  expect(by.summary).toMatchObject({ differs: 1, missing: 0, extra: 0, fields: { user_name: 1 } });
});

test('with the job, the lists show the outcome of each row, and who was changed since', async () => {
  let time = Date.UTC(2026, 0, 1);
  const world = await startWorld({ now: () => time });
  await world.client.createUser({ user_name: 'bob', name: 'Bob Old' });
  const file = join(world.directory, 'legacy.csv');
  const rows = ['ann,Ann', 'bob,Bob New', 'cid,Cid'].map((row) => `${row},md5,${goodHashes.md5}`);
  await writeFile(file, `user_name,name,algorithm,hash\n${rows.join('\n')}\n`);
  const job = join(world.directory, 'job');
  await world.run('import-hashes', file, '--job', job);
  const made = await world.client.getUserByUserName('ann');
  time += 5000;
  await world.client.updateUser(made.user_id, { name: 'Ann Married' });
  const { exitCode, summary, listOf } = await compare(world, file, '--job', job);
  expect(exitCode).toBe(7);
  expect(summary).toMatchObject({ same: 1, differs: 2, changed_since: 1, job });
  expect(await listOf('same')).toMatchObject([{ row: '3', job: 'created' }]);
  expect(await listOf('differs')).toMatchObject([
    { row: '1', fields: 'name', changed_since: 'yes', job: 'created' },
    { row: '2', fields: 'name', changed_since: '', job: 'conflict' },
  ]);
  await writeFile(file, `user_name,name,algorithm,hash\n${rows[0]}\n`);
  const other = await world.run('compare', file, '--job', job);
  expect(other).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining('another file') });
});

test('a comparison without the options of the import says which command had them', async () => {
  const world = await startWorld();
  const file = await fileOf(world, 'ann,,,,,,', 'bob,no address,,,,,');
  const job = join(world.directory, 'job');
  const recipe = join(world.directory, 'mine.yaml');
  await writeFile(recipe, 'fields: { user_name: { column: user_name } }\n');
  const options = ['--recipe', recipe, '--allow-passwordless'];
  await world.run('import-hashes', file, '--job', job, ...options);
  const forgotten = await world.run('compare', file, '--job', job, '--to', join(world.directory, 'a'));
  expect(forgotten.exitCode).toBe(7);
  expect(forgotten.stderr).toContain('Warning: 1 row failed the checks, and could not be compared\n');
  expect(forgotten.stderr).toContain(
    `0 rows failed them in ${job}. To compare what it imported, give the same options for the file as its command had:\n  tenant-users import-hashes ${file} --job ${job} --recipe ${recipe}`,
  );
  const same = await world.run(
    'compare',
    file,
    '--job',
    job,
    '--to',
    join(world.directory, 'b'),
    '--recipe',
    recipe,
  );
  expect(same.exitCode).toBe(0);
});

test('users who change while the tenant is read end with exit code 10, and are not reported as missing', async () => {
  const { world } = await worldWith(...Array.from({ length: 120 }, (_, at) => ({ user_name: `user${at}` })));
  const file = await fileOf(world, ...Array.from({ length: 121 }, (_, at) => `user${at},,,,,,`));
  const plain = await compare(world, file);
  expect(plain).toMatchObject({ exitCode: 7, summary: { missing: 1, complete: true } });
  const { user_id: id } = await world.client.getUserByUserName('user0');
  const reading = new AbortController();
  const changing = (async () => {
    for (let number = 0; !reading.signal.aborted; number += 1)
      await world.client.updateUser(id, { name: `Name ${number}` });
  })();
  const changed = await compare(world, file);
  reading.abort();
  await changing;
  expect(changed.exitCode).toBe(10);
  expect(changed.summary).toMatchObject({
    complete: false,
    faults: ['1 user was changed or created while the tenant was read'],
  });
});

test.each([
  ['compare', [], (to: string) => `Interrupted: nothing was written to ${to}\n`],
  ['plan', ['--allow-passwordless'], (to: string) => `Interrupted: no plan was made in ${to}\n`],
])('%s that is interrupted ends after its files are closed, and says so', async (command, options, said) => {
  const { world } = await worldWith(...Array.from({ length: 120 }, (_, at) => ({ user_name: `user${at}` })));
  const file = await fileOf(world, ...Array.from({ length: 9000 }, (_, at) => `user${at},,,,,,`));
  const to = join(world.directory, 'lists');
  await mkdir(to);
  const stop = new AbortController();
  let stderr = '';
  const watching = new Writable({
    write(chunk, _, done) {
      stderr += String(chunk);
      if (stderr.includes('9,000 rows')) setTimeout(() => stop.abort('SIGINT'), 5);
      done();
    },
  });
  const ended = await world.runWith(
    { signal: stop.signal, stderr: watching },
    command,
    file,
    '--to',
    to,
    ...options,
  );
  expect(ended.exitCode).toBe(130);
  expect(await readdir(to)).toEqual([]);
  expect(stderr.endsWith(said(to))).toBe(true);
});

test('a comparison does not replace the summary and the report of a job, and nothing is written beside a plan', async () => {
  const { world } = await worldWith();
  const file = await fileOf(world, 'ann,,,,,,');
  const [job, plan] = [join(world.directory, 'job'), join(world.directory, 'plan')];
  await world.run('import-hashes', file, '--job', job, '--allow-passwordless');
  await world.run('plan', file, '--to', plan, '--allow-passwordless');
  for (const to of [job, plan]) {
    const before = await readdir(to);
    expect(await world.run('compare', file, '--job', job, '--to', to)).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringMatching(/(job|plan): it holds a \1, .*\nName another directory with --to\.\n/),
    });
    expect(await readdir(to)).toEqual(before);
  }
  expect(JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'))).toMatchObject({ created: 1 });
});

test('an unknown column is a usage error, as in an import, and nothing is written', async () => {
  const { world } = await worldWith();
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, 'user_name,shoe\nann,37\n');
  const to = join(world.directory, 'lists');
  const ended = await world.run('compare', file, '--to', to);
  expect(ended).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('unknown columns: shoe'),
  });
});
