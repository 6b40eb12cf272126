import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutService } from '../../world.ts';
import { startShellHome } from './start-shell.ts';

/** The answer to a line: the words, and the directive. */
async function ask(...words: string[]) {
  const { env } = await startShellHome(['acme', 'globex']);
  const { runWith } = await withoutService();
  const { exitCode, stdout, stderr } = await runWith({ env }, 'complete', '--', ...words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^(?:[^\n\t]+\t[^\n\t]*\n)*:[0-9]+\n$/);
  const lines = stdout.trimEnd().split('\n');
  const directive = Number(lines.pop()?.slice(1));
  return { words: lines.map((line) => line.split('\t')[0]), directive };
}

const [files, noFiles, list] = [0, 4, 6];

test.each([
  [['imp'], ['import-hashes'], noFiles],
  [['users', ''], ['list', 'get', 'create', 'update', 'ensure', 'disable', 'help'], noFiles],
  [['sso', 'v'], ['verify'], noFiles],
  [['help', 'imp'], ['import-hashes'], noFiles],
  [['help', 'e'], ['ensure', 'evidence', 'explain', 'environment', 'exit-codes'], noFiles],
  [['help', 'users', 'e'], ['ensure'], noFiles],
  [['comple'], ['completion'], noFiles],
  [['list', '--up'], ['--updated-after', '--updated-before'], noFiles],
  [['--prof'], ['--profile'], noFiles],
  [['list', '--output', ''], ['table', 'json', 'jsonl', 'csv', 'tsv'], noFiles],
  [['list', '-o', 'j'], ['json', 'jsonl'], noFiles],
  [['list', '-qo', 'j'], ['json', 'jsonl'], noFiles],
  [['list', '--output=c'], ['--output=csv'], noFiles],
  [['login', '--auth-style', ''], ['query', 'form', 'basic'], noFiles],
  [['serve', '--log-level', 'w'], ['warn'], noFiles],
  [['create', '--gender', 'm'], ['male'], noFiles],
  [['import-hashes', '--algorithm', 'md5'], ['md5', 'md5_sha256'], noFiles],
  [['import-hashes', '--algorithm', 'inf'], ['infer'], noFiles],
  [['hash', 'verify', '--algorithm', 'inf'], [], noFiles],
  [['import-hashes', 'x.csv', '--encoding=utf-16'], ['--encoding=utf-16le', '--encoding=utf-16be'], noFiles],
  [['completion', ''], ['bash', 'zsh', 'fish', 'powershell'], noFiles],
  [['profiles', 'use', ''], ['acme', 'globex'], noFiles],
  [['profiles', 'remove', 'g'], ['globex'], noFiles],
  [['--profile', 'a'], ['acme'], noFiles],
  [['list', '--profile=g'], ['--profile=globex'], noFiles],
  [['list', '--columns', 'user_n'], ['user_name'], list],
  [['list', '--columns', 'user_name,user_'], ['user_name,user_id'], list],
  [['users', 'get', '--columns', 'ext'], ['external_id', 'extension', 'extension.'], list],
  [['update', 'x', '--unset', 'mobile,na'], ['mobile,name'], list],
  [['explain', 'SVC.TENANT.PAGE'], ['SVC.TENANT.PAGE.0001'], noFiles],
  [['import-hashes', ''], ['merge', 'status'], files],
  [['tenant', 'check', 'x'], [], files],
  [['evidence', 'verify', 'x'], [], files],
  [['undo', 'x'], [], files],
  [['plan', 'sign', 'a', 'x'], [], files],
  [['plan', 'diff', 'x'], [], files],
  [['import-hashes', 'merge', 'x'], [], files],
  [['serve', '--tls-cert', ''], [], files],
  [['create', '--data', ''], [], files],
  [['create', '--data=x'], [], files],
  [['--config', ''], [], files],
  [['disable', '--from', ''], [], files],
  [['list', '--local', 'x'], [], files],
  [['list', '--limit', ''], [], noFiles],
  [['create', '--email', ''], [], noFiles],
  [['profiles', 'use', 'acme', 'x'], [], noFiles],
  [['import-hashes', '--', '--dr'], [], files],
  [['nonsense', 'x'], [], noFiles],
  [['list', '--nonsense', '--upd'], ['--updated-after', '--updated-before'], noFiles],
])('complete offers the right words for %j', async (words, wanted, directive) => {
  expect(await ask(...words)).toEqual({ words: wanted, directive });
});

test('if nothing else can follow, complete offers the options', async () => {
  const { words, directive } = await ask('status', '');
  expect({ directive, words }).toEqual({ directive: noFiles, words: expect.arrayContaining(['--profile']) });
});

test('--local may be followed by a command or a database', async () => {
  const { words, directive } = await ask('--local', 'li');
  expect({ words, directive }).toEqual({ words: ['list'], directive: files });
  expect((await ask('--local', 'list', '--updated-a')).words).toEqual(['--updated-after']);
});

test('the hidden command is not offered, and no secret is ever printed', async () => {
  expect((await ask('')).words).not.toContain('complete');
  const { config } = await startShellHome(['acme']);
  const { run } = await withoutService();
  const { stdout } = await run('complete', '--', '--config', config, '--profile', '');
  expect(stdout).toBe('acme\thttps://id.example.com\n:4\n');
});

test('complete never fails: without a configuration, with a broken one, or with a name that no terminal could show', async () => {
  const { run, directory } = await withoutService();
  const none = { exitCode: 0, stdout: ':4\n', stderr: '' };
  expect(await run('complete', '--', 'profiles', 'use', '')).toEqual({
    ...none,
    stdout: expect.stringMatching(/^--help\t/),
  });
  const file = join(directory, 'config.json');
  await writeFile(file, '{"profiles":');
  expect(await run('complete', '--', 'profiles', 'use', 'a')).toEqual(none);
  await writeFile(file, JSON.stringify({ profiles: { 'a\nb': {}, ac: { base_url: 'https://x\ty\n:0' } } }));
  expect(await run('complete', '--', 'profiles', 'use', 'a')).toEqual({
    ...none,
    stdout: 'ac\thttps://x�y�:0\n:4\n',
  });
  expect(await run('complete')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await run('complete', '--nonsense')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('the last word may be given by an option, empty or not', async () => {
  const { run } = await withoutService();
  expect((await run('complete', '--word=', '--', 'completion')).stdout).toBe(
    'bash\t\nzsh\t\nfish\t\npowershell\t\n:4\n',
  );
  expect((await run('complete', '--word=z', '--', 'completion')).stdout).toBe('zsh\t\n:4\n');
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('completion %s prints a script', async (shell) => {
  const { run } = await withoutService();
  const { exitCode, stdout, stderr } = await run('completion', shell);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('tenant-users complete');
});

test('an unknown shell is refused, and the error lists the known ones', async () => {
  const { run } = await withoutService();
  const { exitCode, stderr } = await run('completion', 'tcsh');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});
