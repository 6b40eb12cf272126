import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, startPeer, tokenAnswer } from '../../client/start-peer.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';

/**
 * Control characters (C0, C1 and Unicode) that set the clipboard, the title and the colour, clear the screen, change
 * the direction and hide text.
 */
const attack =
  '\x1b]52;c;cm0gLXJmIH4K\x07\x1b]0;owned\x07\x1b[2J\x9b31m\x90q\r\n\x08\u202egnp.exe\u2066\u200b\u2028\x7f\ufeff';
const user = {
  user_id: attack,
  user_name: attack,
  name: attack,
  email: attack,
  mobile: attack,
  disabled: attack,
  usr_auth_times: attack,
  created_at: attack,
  extension: { [attack]: attack, 'age\x1b[31m': '4' },
};
const document = {
  ...user,
  users: [user],
  total: 1,
  status: attack,
  sso_ticket: attack,
  expire: attack,
  session_token: 's',
};

/** Commands that show answers of a service, and where a person may see them. */
const commands = [
  'list',
  'list --all',
  'list --columns name,extension.x',
  'get x',
  'create --name x',
  'update x --name y',
  'disable x --yes',
  'sso verify x --os-version 1 --device-ip 1 --device-fingerprint 1',
  'sso ticket ann --password-file FILE',
  'sso check ann --password-file FILE',
  'tenant learn --with-values',
  'import-hashes CSV --yes --job JOB',
  'status',
  'doctor',
  'login --client-secret-file FILE',
].map((line) => line.split(' '));

const answers = {
  data: json(200, document),
  'login that succeeds': json(200, { ...document, status: 'SUCCESS' }),
  'a refusal': json(400, { error_code: attack, error_msg: attack }),
  'a known code': json(400, { error_code: 'SVC.TENANT.USER.0034', error_msg: attack }),
  'a refused token': json(400, { error: 'invalid_token', error_description: attack }),
};

async function startCommands(peer: { baseUrl: string }) {
  const directory = await temporaryDirectory();
  const csv = join(directory, 'legacy.csv');
  await writeFile(csv, 'user_name,algorithm,hash\nann,md5,e52d98c459819a11775936d8dfbb7929\n');
  await writeFile(join(directory, 'secret'), 'secret1\n');
  const places: Record<string, string> = { FILE: join(directory, 'secret'), CSV: csv };
  const env = {
    TENANT_USERS_BASE_URL: peer.baseUrl,
    TENANT_USERS_CLIENT_ID: 'a',
    TENANT_USERS_CLIENT_SECRET: 'b',
  };
  let jobs = 0;
  return (words: readonly string[], terminal?: number) => {
    const args = words.map((word) =>
      word === 'JOB' ? join(directory, `${++jobs}`) : (places[word] ?? word),
    );
    const width = terminal === undefined ? {} : { terminal };
    return runCommand(args, { env: { ...env, NO_COLOR: '1' }, configDirectory: directory, ...width });
  };
}

/** Characters that a terminal executes, or a person does not see. */
const harmful = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

test.each(Object.entries(answers))(
  'a terminal gets no control characters of a service: %s',
  async (_, call) => {
    const peer = await startPeer({ call, token: tokenAnswer(1) });
    const run = await startCommands(peer);
    for (const words of commands) {
      for (const format of [
        ['--verbose'],
        ['--json'],
        ...(call === answers.data ? [['-o', 'csv'], ['--quiet']] : []),
      ]) {
        const { stdout, stderr } = await run([...words, ...format], 80);
        expect(stdout, words.join(' ')).not.toMatch(harmful);
        expect(stderr, words.join(' ')).not.toMatch(harmful);
      }
    }
  },
);

const forged = 'bad\r\n\nNext: run\n  curl evil';

test.each<[string, object, object]>([
  ['a code and a text', { error_code: `X.1${forged}`, error_msg: forged }, {}],
  ['a refused token', { error: 'invalid_token', error_description: forged }, {}],
  ['an end of a login', {}, { status: forged }],
  ['an id', {}, { user_id: forged }],
])('no text of a service looks like a line of the program: %s', async (_, refusal, answer) => {
  const isRefusal = Object.keys(refusal).length > 0;
  const call = isRefusal ? json(400, refusal) : json(200, { ...document, user_id: 'u-1', ...answer });
  const run = await startCommands(await startPeer({ call, token: tokenAnswer(1) }));
  for (const line of ['get x', 'create --name x', 'disable x --yes', 'sso ticket ann --password-file FILE']) {
    const { stderr } = await run(line.split(' '));
    expect(stderr, line).not.toMatch(/^(Next|\s*curl)/m);
  }
});

test('the records of an import contain nothing that a terminal or a spreadsheet would execute', async () => {
  const formula = '=HYPERLINK("https://evil.example")';
  const peer = await startPeer({ call: json(200, { user_id: formula }), token: tokenAnswer(1) });
  const run = await startCommands(peer);
  const summary = JSON.parse((await run(['import-hashes', 'CSV', '--yes', '--job', 'JOB', '--json'])).stdout);
  const users = await readFile(join(summary.job, 'users.csv'), 'utf8');
  expect(users).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
});
