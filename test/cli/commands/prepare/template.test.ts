import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld, temporaryDirectory } from '../../../world.ts';

test('an empty file has each column once, and the filled file can be imported', async () => {
  const { run } = await startWorld();
  const directory = await temporaryDirectory();
  const { exitCode, stdout, stderr } = await run('template');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'Extension attributes of your tenant are columns extension.KEY; --tenant FILE adds them.\n',
  });
  const names = stdout.trimEnd().split(',');
  expect(names).toContain('mailing_address');
  expect(names.slice(-4)).toEqual(['pwd_must_modify', 'algorithm', 'hash', 'key']);
  expect(new Set(names).size).toBe(names.length);

  const values: Partial<Record<string, string>> = {
    user_name: 'tom',
    algorithm: 'md5',
    hash: 'e10adc3949ba59abbe56e057f20f883e',
  };
  const file = join(directory, 'users.csv');
  await writeFile(file, `${stdout}${names.map((name) => values[name] ?? '').join(',')}\n`);
  const imported = await run('import-hashes', file, '--yes', '--json', '--job', join(directory, 'job'));
  expect(JSON.parse(imported.stdout)).toMatchObject({ rows: 1, created: 1 });
  expect(imported.stderr).not.toContain('Columns ignored');
});

test('a definition adds its extension attributes, and each format explains the content of a column', async () => {
  const { run } = await startWorld();
  const directory = await temporaryDirectory();
  const file = join(directory, 'acme.json');
  const extension = { dept: { display_name: 'Department' }, 'a,b': { display_name: 'Odd' } };
  await writeFile(file, JSON.stringify({ tenant_id: 'acme', extension }));
  const plain = await run('template', '--tenant', file);
  expect(plain).toMatchObject({ exitCode: 0, stderr: '' });
  expect(plain.stdout).toContain(',extension.dept,"extension.a,b",pwd_must_modify,');
  const { stdout } = await run('template', '--tenant', file, '--json');
  expect(JSON.parse(stdout).columns).toContainEqual({ name: 'extension.dept', holds: 'extension attribute' });
  expect((await run('template', '-o', 'table')).stdout).toMatch(/│ algorithm +│ md5, bcrypt/);
});

test('a definition with faults is refused', async () => {
  const { run } = await startWorld();
  const directory = await temporaryDirectory();
  const file = join(directory, 'acme.json');
  await writeFile(file, '{ "tenant_id": 7 }');
  const ended = await run('template', '--tenant', file);
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ended.stderr).toContain('tenant_id');
});
