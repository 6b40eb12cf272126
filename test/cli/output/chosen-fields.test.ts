import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLoggedIn } from '../process/start-logged-in.ts';

test.each([
  [['tenant', 'show', '--json'], 'tenant_id', '{"tenant_id":"default"}\n'],
  [['tenant', 'show', '-o', 'csv'], 'tenant_id', 'tenant_id\ndefault\n'],
  [['schema', 'list', '--json'], 'title', /^\{"title":"[^"]+"\}\n$/],
  [['explain', '7', '-o', 'csv'], 'exit_code', 'exit_code\n7\n'],
  [['explain', '7'], 'exit_code', /^[^C]*exit_code[^C]*7[^C]*$/],
  [['recipe', 'show', 'django'], 'name', /^[^#]*name[^#]*django[^#]*$/],
  [['template'], 'name', /name[^,]*user_name/],
  [['doctor'], 'name', /^[^→]*name[^→]*configuration[^→]*$/i],
  [['logout'], 'name', /name.*default/s],
])('%j prints the field %s, and nothing else', async (command, column, stdout) => {
  const { tell } = await startLoggedIn();
  const ended = await tell(...command, '--columns', column);
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: typeof stdout === 'string' ? stdout : expect.stringMatching(stdout),
  });
});

test('a plan prints its totals as a table and as CSV, and fields of the document if they are named', async () => {
  const { directory, tell } = await startLoggedIn();
  const [file, plan] = [join(directory, 'a.csv'), join(directory, 'plan')];
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,5f4dcc3b5aa765d61d8327deb882cf99\n');
  await tell('plan', file, '--to', plan);
  expect((await tell('plan', 'show', plan, '-o', 'csv')).stdout).toMatch(/^create,same,.*\n1,0,/);
  expect((await tell('plan', 'show', plan, '--columns', 'users')).stdout).toMatch(/users.*0/s);
  expect((await tell('plan', 'show', plan, '--columns', 'totals.create', '-o', 'csv')).stdout).toBe(
    'totals.create\n1\n',
  );
});

test('text for scripts has the same columns whatever the counts are, while a table leaves out what is 0', async () => {
  const { directory, tell } = await startLoggedIn();
  const [file, plan, job] = ['a.csv', 'plan', 'job'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,5f4dcc3b5aa765d61d8327deb882cf99\n');
  const csv = async (...words: string[]) => (await tell(...words, '-o', 'csv')).stdout;
  expect(await csv('plan', file, '--to', plan)).toBe(
    'create,same,update,disable,conflict,cannot,invalid,skipped\n1,0,0,0,0,0,0,0\n',
  );
  expect(await csv('import-hashes', file, '--job', job, '--yes')).toBe(
    'rows,created,existing,conflict,failed,invalid,skipped,unknown,pending\n1,1,0,0,0,0,0,0,0\n',
  );
  const states =
    'state,rows,created,updated,disabled,existing,conflict,failed,invalid,skipped,unknown,pending';
  expect(await csv('import-hashes', 'status', job)).toBe(`${states}\nfinished,1,1,0,0,0,0,0,0,0,0,0\n`);
  expect((await tell('import-hashes', 'status', job, '-o', 'tsv')).stdout.split('\t')).toHaveLength(12);
  expect((await tell('import-hashes', 'status', job)).stdout).not.toContain('skipped');
  expect(await csv('cutover', job)).toMatch(/,disabled,gone,percent,/);
});

test('recipe make and hash verify print the fields that are named, also as a table', async () => {
  const { directory, tell } = await startLoggedIn();
  const file = join(directory, 'a.csv');
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,5f4dcc3b5aa765d61d8327deb882cf99\n');
  const made = await tell('recipe', 'make', file, '--columns', 'rows');
  expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[^:]*rows[^:]*1[^:]*$/) });
  const password = join(directory, 'password');
  await writeFile(password, 'password');
  const row = ['--csv', file, '--row', '1', '--password-file', password];
  const verified = await tell('hash', 'verify', ...row, '--columns', 'matches');
  expect(verified).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/matches.*true/s) });
});
