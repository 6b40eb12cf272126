import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { environmentFor, startWorld } from '../../../world.ts';

const device = ['--os-version', '14', '--device-ip', '10.0.0.7', '--device-fingerprint', 'f00d'];

async function startWithAnn(pwd_must_modify: boolean) {
  const world = await startWorld();
  const value = createHash('md5').update('geheim').digest('hex');
  const hash = { algorithm: 'md5', value } as const;
  const { user_id } = await world.client.importHashedUser({
    user_name: 'ann',
    pwd_must_modify,
    'hash-pwd': hash,
  });
  const env = environmentFor(world.baseUrl);
  const logIn = (password: string) =>
    world.runWith({ stdin: password, env }, 'sso', 'ticket', 'ann', '--password-stdin', ...device, '--json');
  const verify = (ticket: string) =>
    world.runWith({ stdin: ticket, env }, 'sso', 'verify', ...device, '--json');
  return { ...world, user_id, logIn, verify };
}

test('a login with the old password gives a ticket, which can be verified once', async () => {
  const { user_id, logIn, verify } = await startWithAnn(false);
  const login = await logIn('geheim');
  expect({ exitCode: login.exitCode, stderr: login.stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { sso_ticket, expire } = JSON.parse(login.stdout);
  expect(expire).toBe(300);

  expect(await verify(sso_ticket)).toEqual({
    exitCode: 0,
    stdout: `${JSON.stringify({ id: user_id, userName: 'ann' })}\n`,
    stderr: '',
  });
  const again = await verify(sso_ticket);
  expect(again.exitCode).toBe(6);
  expect(JSON.parse(again.stderr).error.code).toBe('SVC.TENANT.SSO.0001');
});

test('a wrong password gives no ticket', async () => {
  const { logIn } = await startWithAnn(false);
  const { exitCode, stdout, stderr } = await logIn('wrong');
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  expect(JSON.parse(stderr).error.code).toBe('SDK.LOGIN.1005');
});

test('sso ticket says so if the password is right but must be changed first', async () => {
  const { logIn } = await startWithAnn(true);
  const { exitCode, stderr } = await logIn('geheim');
  expect(exitCode).toBe(6);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'PASSWORD_EXPIRED',
    message: expect.stringContaining('the password is correct'),
  });
});

test('sso verify needs the device', async () => {
  const { run } = await startWorld();
  const { exitCode, stderr } = await run('sso', 'verify', 'ssoTicket-x', '--os-version', '1');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    '--device-ip, --device-fingerprint are missing\nAdd: --device-ip <address> --device-fingerprint <text>',
  );
});

test('sso verify names all missing options together', async () => {
  const { run } = await startWorld();
  expect(await run('sso', 'verify', 'ssoTicket-x')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: --os-version, --device-ip, --device-fingerprint are missing
Add: --os-version <version> --device-ip <address> --device-fingerprint <text>
`,
  });
  expect((await run('sso', 'verify', 'x', '--os-version', '1', '--device-ip', '1')).stderr).toContain(
    'tenant-users: --device-fingerprint is missing\nAdd: --device-fingerprint <text>\n',
  );
});

test('sso verify without a terminal for its prompt names its argument, since it takes no file', async () => {
  const { runWith } = await startWorld();
  const stdin = Object.assign(Readable.from([]), { isTTY: true });
  expect(await runWith({ stdin }, 'sso', 'verify', ...device)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'tenant-users: Ticket is required, but there is no terminal to prompt on\nUse a pipe or the argument TICKET.\n',
  });
});
