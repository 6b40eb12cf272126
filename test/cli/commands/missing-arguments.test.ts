import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';
import { openTerminal } from '../process/open-terminal.ts';
import { credentials } from '../process/start-program.ts';
import { type StartedTerminal, terminalTest } from '../process/start-terminal.ts';

async function startService() {
  const { client, baseUrl } = await startTestService();
  return { client, env: { ...credentials, TENANT_USERS_BASE_URL: baseUrl } };
}

type Answers = [question: string | RegExp, keys: string][];

/** Gives each answer when its question is on the screen; resolves to the exit code. */
async function answer(terminal: StartedTerminal, ...answers: Answers): Promise<number> {
  for (const [question, keys] of answers) {
    await terminal.waitFor(typeof question === 'string' ? `? ${question}` : question);
    terminal.type(keys);
  }
  const { exitCode } = await terminal.exited;
  expect(await terminal.leftovers()).toEqual([]);
  return exitCode;
}

terminalTest('disable asks for the user, shows the user, and asks whether to continue', async () => {
  const { client, env } = await startService();
  const { user_id } = await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const terminal = await openTerminal(['disable', '-o', 'tsv', '--columns', 'given,ok'], { env });
  const exitCode = await answer(
    terminal,
    ['User id, user name, e-mail address or mobile number', 'Ann@example.com\r'],
    ['Continue and disable 1 user?', 'y\r'],
  );
  expect(exitCode).toBe(0);
  expect(await terminal.screen()).toContain(`  ${user_id}  ann`);
  expect((await client.getUser(user_id)).disabled).toBe(true);
});

terminalTest('ensure asks for an identifier if none is given', async () => {
  const { client, env } = await startService();
  const terminal = await openTerminal(['ensure', '--name', 'Bob', '-q'], { env });
  expect(await answer(terminal, ['User name, e-mail address or mobile number', '86-13912345678\r'])).toBe(0);
  expect((await client.getUserByMobile('13912345678')).name).toBe('Bob');
  const external = await openTerminal(['ensure', '--key', 'external_id', '-q'], { env });
  expect(await answer(external, ['ID in a third-party system', 'E-7\r'])).toBe(0);
  expect((await client.getUserByExternalId('E-7')).external_id).toBe('E-7');
});

const strong = 'Str0ng-Enough!';

terminalTest(
  'create asks for the user, shows the rules of the tenant, and asks again after a value that breaks them',
  async () => {
    const directory = await temporaryDirectory();
    const database = join(directory, 'own.db');
    const definition = {
      attributes: { industry: { required: true } },
      extension: { badge: { display_name: 'Badge', required: true } },
      password: { min_length: 10 },
    };
    await writeFile(join(directory, 'own.json'), JSON.stringify(definition));
    const { run } = await startWorld();
    await run('tenant', 'apply', join(directory, 'own.json'), '--local', database);
    const terminal = await openTerminal(['create', '--local', database, '-o', 'tsv'], {
      columns: 100,
      rows: 40,
    });
    const exitCode = await answer(
      terminal,
      ['User name (empty: none)', 'ann\r'],
      ['Full name (empty: none)', '\r'],
      ['E-mail address (empty: none)', '\r'],
      ['Mobile number', '\r'],
      ['Industry', 'IT\r'],
      ['Badge', 'B7\r'],
      ['Give the user a password now?', 'y\r'],
      [/use\.\n\? Password/, 'too-Short\r'],
      [/must contain 10 to 18 characters\n\? Password/, `${strong}\r`],
      ['The same password again', `${strong}\r`],
    );
    expect(exitCode).toBe(0);
    expect(await terminal.scrollback()).toContain(
      'The password must have: 10 to 18 characters; at least 3 of digits',
    );
    expect(terminal.raw()).not.toContain(strong);
    const { stdout } = await run('get', '--by-user-name', 'ann', '--local', database, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ industry: 'IT', extension: { badge: 'B7' } });
  },
);

terminalTest('for another tenant, create can only say that the rules of that tenant apply', async () => {
  const { client, env } = await startService();
  const terminal = await openTerminal(['create', '--user-name', 'ann', '--password-prompt', '-q'], {
    env,
  });
  const exitCode = await answer(
    terminal,
    ['Password', `${strong}\r`],
    ['The same password again', `${strong}\r`],
  );
  expect(exitCode).toBe(0);
  expect(await terminal.screen()).toContain('The tenant decides which passwords it accepts');
  expect((await client.getUserByUserName('ann')).user_name).toBe('ann');
});

terminalTest('sso verify asks for the ticket, and for the device in the words of sso ticket', async () => {
  const { client, env } = await startService();
  await client.createUser({ user_name: 'ann', pwd: strong, pwd_must_modify: false });
  const device = { operating_sys_version: '14', device_ip: '127.0.0.1', device_fingerprint: 'tenant-users' };
  const login = await client.logIn('ann', strong, device);
  if (login.status !== 'SUCCESS') throw new Error(login.status);
  const { sso_ticket } = await client.issueSsoTicket(login.session_token, device);
  const terminal = await openTerminal(['sso', 'verify', '-o', 'tsv', '--columns', 'userName'], { env });
  const exitCode = await answer(
    terminal,
    ['Ticket', `${sso_ticket}\r`],
    ['Operating system version', '14\r'],
    ['IP address of the device', '\r'],
    ['Fingerprint of the device', '\r'],
  );
  expect(exitCode).toBe(0);
  expect(await terminal.screen()).toMatch(/\nann$/);
  expect(terminal.raw()).not.toContain(sso_ticket);
});

terminalTest('a missing required argument is asked for, and then the complete command is shown', async () => {
  const { client, env } = await startService();
  await client.createUser({ user_name: 'ann', pwd: strong, pwd_must_modify: false });
  const terminal = await openTerminal(['sso', 'check', '-o', 'tsv', '--columns', 'userName'], { env });
  const exitCode = await answer(
    terminal,
    ['User name, mobile number or e-mail address', 'ann\r'],
    ['Password', `${strong}\r`],
  );
  expect(exitCode).toBe(0);
  expect(await terminal.screen()).toContain('  tenant-users sso check -o tsv --columns userName ann\n');
  const cut = await openTerminal(['sso', 'check'], { env });
  expect(await answer(cut, ['User name, mobile number or e-mail address', '\x03'])).toBe(130);
});

terminalTest(
  'a list is shown if there are values to choose from; without any, the argument is reported as missing',
  async () => {
    const terminal = await openTerminal(['recipe', 'show']);
    expect(await answer(terminal, ['Name of the recipe', '\r'])).toBe(0);
    expect(await terminal.scrollback()).toContain('  tenant-users recipe show auth0\n');
    const none = await openTerminal(['profiles', 'use']);
    expect((await none.exited).exitCode).toBe(2);
    expect(await none.screen()).toContain("missing required argument 'profile'");
  },
);

terminalTest(
  'import-hashes asks for an existing file, and what to do with it; the first choice is a check',
  async () => {
    const cwd = await temporaryDirectory();
    await writeFile(
      join(cwd, '-old.csv'),
      'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n',
    );
    const terminal = await openTerminal(['import-hashes', '--local', 'none.db', '--job', 'job'], {
      cwd,
      columns: 100,
      rows: 40,
    });
    await terminal.waitFor('? File');
    terminal.type('old.csv\r');
    await terminal.waitFor('There is no such file or directory.');
    terminal.type('\x15-old.csv\r');
    expect(await answer(terminal, ['What do you want to do?', '\r'])).toBe(0);
    const screen = await terminal.scrollback();
    expect(screen).toContain(
      '  tenant-users import-hashes --local none.db --job job --dry-run -- -old.csv\n',
    );
    expect(screen).toContain('1 row: 1 ready to import');
    expect(existsSync(join(cwd, 'none.db'))).toBe(false);
  },
);

test('in a pipe no question is asked', async () => {
  const { run } = await startWorld();
  for (const line of [
    'disable',
    'ensure',
    'create',
    'sso check',
    'sso verify',
    'import-hashes',
    'sessions end',
  ]) {
    const { exitCode, stdout, stderr } = await run(...line.split(' '));
    expect({ line, exitCode, stdout }).toEqual({ line, exitCode: 2, stdout: '' });
    expect(stderr).not.toContain('?');
  }
});

terminalTest('an answer becomes an argument, not the value of an option with an optional value', async () => {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, 'legacy.csv'), 'user_name,algorithm,hash\n');
  const terminal = await openTerminal(['import-hashes', '--dry-run', '--local'], { cwd });
  await answer(terminal, [/\? .*ile/, 'legacy.csv\r']);
  expect(await terminal.screen()).toContain('tenant-users import-hashes --dry-run --local -- legacy.csv');
});

terminalTest('the profiles to choose from are those of --config', async () => {
  const cwd = await temporaryDirectory();
  const profile = { base_url: 'https://id.example.com', client_id: 'app' };
  const stored = { profiles: { one: profile, two: profile } };
  await writeFile(join(cwd, 'b.json'), JSON.stringify(stored), { mode: 0o600 });
  const terminal = await openTerminal(['profiles', 'use', '--config', 'b.json'], { cwd });
  expect(await answer(terminal, [/two/, '\r'])).toBe(0);
  expect(await terminal.screen()).toContain('tenant-users profiles use --config b.json one');
});
