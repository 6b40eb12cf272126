import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorCatalogue, localErrors, tokenErrors } from '../../../../src/contract/errors.ts';
import { hashMistakes } from '../../../../src/migration/hashes/mistakes.ts';
import { issueTable } from '../../../../src/migration/rows/issues/issues.ts';
import { startWorld, withoutService } from '../../../world.ts';

const explained = {
  group: expect.stringMatching(/^[a-z]+$/),
  code: expect.stringMatching(/\S/),
  message: expect.stringMatching(/^\S/),
  cause: expect.stringMatching(/^\p{Lu}[^{}]+[.]$/u),
  remedy: expect.stringMatching(/^\p{Lu}[^{}]+$/u),
  retryable: expect.any(Boolean),
  operations: expect.any(Array),
  exit_code: expect.any(Number),
};

const offline = { env: {} };

async function codeOf(...words: string[]): Promise<string> {
  const { runWith } = await withoutService();
  return JSON.parse((await runWith(offline, 'explain', ...words, '--json')).stdout).code;
}

test('explain lists every code of the API, of the local service and of the program, and the exit codes', async () => {
  const { runWith } = await withoutService();
  const { exitCode, stdout, stderr } = await runWith(offline, 'explain', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const listed: { group: string; code: string }[] = JSON.parse(stdout).codes;
  const codes = listed.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  const wanted = [...Object.values(errorCatalogue), ...Object.values(localErrors)].map(({ code }) => code);
  expect(codes).toEqual(
    expect.arrayContaining([...wanted, ...Object.keys({ ...tokenErrors, ...issueTable })]),
  );
  expect(codes).toEqual(expect.arrayContaining(['USAGE', 'SOURCE', 'INCOMPLETE', '0', '7', '143']));
  for (const code of codes) {
    const one = await runWith(offline, 'explain', code, '--json');
    expect(one, code).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(one.stdout), code).toEqual({ ...explained, code });
  }
});

test('explain describes a code in words, and says where it comes from', async () => {
  const { runWith } = await withoutService();
  const { exitCode, stdout, stderr } = await runWith(offline, 'explain', 'SVC.TENANT.PWD.0005');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^SVC\.TENANT\.PWD\.0005: The password is weak\n\nCause: {6}The password is among/);
  expect(stdout).toContain('\nOperations: createUser, importHashedUser, updatePassword, changePassword\n');
  expect(stdout).toMatch(/\nRetryable: {2}no\n/);
  expect(stdout).toMatch(/\nExit code: {2}6\n$/);
});

test.each([
  [['svc.tenant.user.0034'], 'SVC.TENANT.USER.0034'],
  [['USER.0034'], 'SVC.TENANT.USER.0034'],
  [['0034'], 'SVC.TENANT.USER.0034'],
  [['usernametaken'], 'SVC.TENANT.USER.0034'],
  [['login.1005'], 'SDK.LOGIN.1005'],
  [['Invalid_Client'], 'invalid_client'],
  [['usage'], 'USAGE'],
  [['hash_shape'], 'HASH_SHAPE'],
  [['7'], '7'],
  [['exit', '7'], '7'],
  [['exit code 130'], '130'],
])('explain understands %j as %s', async (words, code) => {
  expect(await codeOf(...words)).toBe(code);
});

test('explain describes several codes one after another', async () => {
  const { runWith } = await withoutService();
  const { exitCode, stdout } = await runWith(offline, 'explain', 'USER.0034', 'HASH_SHAPE', '7');
  expect(exitCode).toBe(0);
  expect(stdout.match(/^\S+(?=: .*\n\nCause: )/gm)).toEqual(['SVC.TENANT.USER.0034', 'HASH_SHAPE', '7']);
  const json = await runWith(offline, 'explain', 'USER.0034', 'HASH_SHAPE', '--json');
  const { codes } = JSON.parse(json.stdout);
  expect(codes.map(({ code }: { code: string }) => code)).toEqual(['SVC.TENANT.USER.0034', 'HASH_SHAPE']);
  expect(await runWith(offline, 'explain', 'USER.0034', 'nothing')).toMatchObject({
    exitCode: 2,
    stdout: '',
  });
});

test('mistakes that occurred together are explained one after another', async () => {
  const { runWith } = await withoutService();
  const { exitCode, stdout, stderr } = await runWith(offline, 'explain', 'value_cut+PASSWORD_LOWER');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.match(/^\S+(?=: the password does not match: )/gm)).toEqual(['VALUE_CUT', 'PASSWORD_LOWER']);
  for (const given of ['VALUE_CUT+', 'VALUE_CUT+nothing']) {
    expect(await runWith(offline, 'explain', given), given).toMatchObject({ exitCode: 2, stdout: '' });
  }
  const json = JSON.parse((await runWith(offline, 'explain', 'VALUE_CUT+PASSWORD_LOWER', '--json')).stdout);
  expect(json).toEqual({
    codes: [
      { ...explained, code: 'VALUE_CUT' },
      { ...explained, code: 'PASSWORD_LOWER' },
    ],
  });
});

test.each([
  ['USER.0099', /^Did you mean SVC\.TENANT\.USER\.00\d\d, /],
  ['userNameTakn', /^Did you mean SVC\.TENANT\.USER\.0034\? tenant-users explain lists all codes\.$/],
  ['USAGES', /^Did you mean USAGE\?/],
  ['quite something else', /^To list all codes, run: tenant-users explain/],
  ['0001', /^Use one of: SVC\.TENANT\.USER\.0001, SVC\.TENANT\.ALGORITHM\.0001, /],
])('%s is not a code: exit code 2 and a suggestion', async (given, hint) => {
  const { runWith } = await withoutService();
  const { exitCode, stdout, stderr } = await runWith(offline, 'explain', given, '--json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'USAGE', hint: expect.stringMatching(hint) });
});

describe('what explain says is what happens', () => {
  test.each([
    [['get', '20201028102749564-9082-DC8CD2722']],
    [['create', '--user-name', 'a b']],
    [['create', '--user-name', 'ann']],
    [['list', '--base-url', 'http://127.0.0.1:1']],
    [['list', '--limit', '5']],
    [['import-hashes', '/nowhere.csv']],
    [['sso', 'verify', 'x', '--os-version', '1', '--device-ip', '1', '--device-fingerprint', '1']],
  ])('the exit code and the remedy of %j are those of explain', async (args) => {
    const { run } = await withoutService();
    await run('create', '--user-name', 'ann');
    const { exitCode, stderr } = await run(...args, '--json');
    const { code, hint } = JSON.parse(stderr).error;
    const described = JSON.parse((await run('explain', code, '--json')).stdout);
    expect(described).toMatchObject({ code, exit_code: exitCode });
    expect(hint).toMatch(/\S/);
    if (code.startsWith('SVC.')) expect(hint).toBe(described.remedy);
  });

  test('on a terminal an error names the command that explains it', async () => {
    const { runWith, run, directory } = await startWorld();
    const more = 'More: tenant-users explain SVC.TENANT.USER.0001';
    const ended = await runWith({ terminal: 80 }, 'get', 'nobody');
    expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringContaining(more) });
    expect((await run('get', 'nobody')).stderr).not.toContain('explain');
    expect((await runWith({ terminal: 80 }, 'get', 'a', 'b')).stderr).not.toContain('explain');
    const file = join(directory, 'hash');
    await writeFile(file, 'f'.repeat(32));
    const verify = ['hash', 'verify', '--algorithm', 'md5', '--hash-file', file, '--password-stdin'];
    const wrong = await runWith({ terminal: 80, stdin: 'x' }, ...verify);
    expect(wrong.stderr).toContain('More: tenant-users explain HASH_MISMATCH');
    expect((await runWith({ stdin: 'x' }, ...verify)).stderr).not.toContain('More:');
    await writeFile(file, createHash('md5').update('x\n').digest('hex'));
    const known = await runWith({ terminal: 80, stdin: 'x' }, ...verify, '--no-color');
    const code = /\((\w+)\)/.exec(known.stderr)?.[1] ?? '';
    expect(Object.keys(hashMistakes)).toContain(code);
    expect(known.stderr).toContain(`More: tenant-users explain ${code}\n`);
  });
});
