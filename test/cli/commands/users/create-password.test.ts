import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** The output of `create` with a password from standard input. */
async function create(password: string, ...options: string[]) {
  const { runWith } = await startWorld();
  const user = ['--user-name', 'annabel', '--name', '单雄信', '--password-stdin'];
  return runWith({ stdin: `${password}\n` }, 'create', ...user, ...options);
}

test.each([
  ['Ab1!', 'SVC.TENANT.PWD.0007', 'The password must contain 8 to 18 characters'],
  [
    'onlysmallletters',
    'SVC.TENANT.PWD.0004',
    'Your password complexity is low, use at least 3 of digits, lower-case letters, upper-case letters and special characters',
  ],
  ['Gf4-kaaaaup', 'SVC.TENANT.PWD.0006', 'Number of character repeat in password should not exceed 3'],
  [
    'Shanxiongxin1',
    'SVC.TENANT.PWD.0003',
    'Password cannot contain :username, mobile number, email prefix, name in PinYing',
  ],
  ['P@ssw0rd', 'SVC.TENANT.PWD.0005', 'The password is weak'],
])('a password that the tenant rejects is reported with its code: %s', async (password, code, message) => {
  const { exitCode, stdout, stderr } = await create(password, '--json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code, message, status: 400, retryable: false });
  expect(stderr).not.toContain(password);
});

test('a rejected password is explained to a person in words', async () => {
  const { exitCode, stdout, stderr } = await create('P@ssw0rd');
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  expect(stderr).toContain('SVC.TENANT.PWD.0005');
  expect(stderr).toContain('The password is weak');
});
