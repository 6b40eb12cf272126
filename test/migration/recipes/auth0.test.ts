import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const { bcrypt } = goodHashes;

test('the apostrophes that Auth0 writes before each text of a CSV export do not become part of anybody', async () => {
  const cells = ["'auth0|5d", '', "'ann@b.cn", "'Ann", "''t Hooft", "'+8613800138000", 'false'];
  const row = [...cells.map((cell) => `"${cell}"`), 'true', bcrypt].join(',');
  const header =
    'user_id,username,email,given_name,family_name,phone_number,blocked,email_verified,password_hash';
  const { sent, failures } = await runImport(`${header}\n${row}\n`);
  expect(failures).toEqual([]);
  expect(sent).toMatchObject([
    {
      user_name: 'ann@b.cn',
      email: 'ann@b.cn',
      first_name: 'Ann',
      last_name: "'t Hooft",
      mobile: '+86-13800138000',
      external_id: 'auth0|5d',
    },
  ]);
});

test('a name that begins with an apostrophe keeps it in an export as JSON', async () => {
  const user = { user_id: 'auth0|5d', email: 'ann@b.cn', family_name: "'t Hooft", given_name: 'Ann' };
  const { sent } = await runImport(JSON.stringify([{ ...user, email_verified: true, passwordHash: bcrypt }]));
  expect(sent).toMatchObject([{ last_name: "'t Hooft", first_name: 'Ann' }]);
});

test('an export that does not say who is blocked is imported with a warning that every user is enabled', async () => {
  const { directory, run } = await startWorld();
  const file = join(directory, 'hashes.ndjson');
  const ann = { _id: { $oid: '5dea' }, email: 'ann@b.cn', email_verified: true, passwordHash: bcrypt };
  await writeFile(file, JSON.stringify(ann));
  const warning =
    'The recipe finds people who may not log in by blocked, which no record of the file has: every user is created enabled. If the export left it out, people who were disabled in the old system would come back enabled: export it too.';
  const job = join(directory, 'job');
  const dry = await run('import-hashes', file, '--dry-run', '--job', job);
  expect(dry).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Warning: ${warning}\n`) });
  expect(await readFile(join(job, 'report.html'), 'utf8')).toContain(warning);
  const { stdout } = await run('import-hashes', file, '--dry-run', '--job', job, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ missing_status: ['blocked'] });
  expect(JSON.parse((await run('assess', file, '--json')).stdout).notices).toContain(warning);
  expect(await run('plan', file, '--to', join(directory, 'plan'))).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(directory, 'plan', 'plan.html'), 'utf8')).toContain(warning);
  await writeFile(file, [ann, { ...ann, blocked: true }].map((one) => JSON.stringify(one)).join('\n'));
  const whole = await run('import-hashes', file, '--dry-run', '--job', job);
  expect(whole.stderr).not.toContain('The recipe finds people who may not log in');
});

test('only the list identifiers of Auth0 is read by the types of its items', async () => {
  const at = (type: string, value: string) => ({ type, value });
  const auth0 = {
    _id: { $oid: '5dea' },
    email_verified: true,
    passwordHash: bcrypt,
    identifiers: [at('email', 'ann@b.cn'), at('phone_number', '+8613800138000')],
  };
  const { sent } = await runImport(JSON.stringify([auth0]));
  expect(sent).toMatchObject([{ email: 'ann@b.cn', mobile: '+86-13800138000' }]);
  // The paths of any other list do not depend on what a record has in it.
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  email: { column: contacts.0.value }
  mobile: { column: contacts.1.value, optional: true }
password: { column: hash, algorithm: { infer: true } }
`);
  const people = [
    { login: 'ann', hash: bcrypt, contacts: [at('email', 'ann@b.cn'), at('phone_number', '86-13800138000')] },
    { login: 'bob', hash: bcrypt, contacts: [at('email', 'bob@b.cn'), at('mobile', '86-13800138001')] },
    { login: 'cyd', hash: bcrypt, contacts: [at('email', 'cyd@b.cn')] },
  ];
  const others = await runImport(JSON.stringify(people), { recipe, concurrency: 1 });
  expect(others.failures).toEqual([]);
  expect(others.sent.map(({ email, mobile }) => [email, mobile])).toEqual([
    ['ann@b.cn', '86-13800138000'],
    ['bob@b.cn', '86-13800138001'],
    ['cyd@b.cn', undefined],
  ]);
});

const hasJq = spawnSync('jq', ['--version']).status === 0;

test.skipIf(!hasJq)(
  'somebody with a database account and Sign in with Apple keeps the password after the join of the page',
  async () => {
    const { directory } = await startWorld();
    const page = await readFile('docs/guide/from/auth0.md', 'utf8');
    const program = /jq -c -n '(?<program>[^']+)'/.exec(page)?.groups?.program ?? '';
    const users = [
      { user_id: 'apple|1', email: 'ann@b.cn', email_verified: true },
      { user_id: 'auth0|5dea', email: 'ann@b.cn', email_verified: true },
    ];
    const hashes = [{ _id: { $oid: '5dea' }, email: 'ann@b.cn', email_verified: true, passwordHash: bcrypt }];
    const linesOf = (records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');
    await writeFile(join(directory, 'users.ndjson'), linesOf(users));
    await writeFile(join(directory, 'hashes.ndjson'), linesOf(hashes));
    const { stdout } = spawnSync('jq', ['-c', '-n', program, 'users.ndjson', 'hashes.ndjson'], {
      cwd: directory,
      encoding: 'utf8',
    });
    const { sent } = await runImport(stdout, { allowPasswordless: true, concurrency: 1 });
    expect(sent).toMatchObject([
      { external_id: 'auth0|5dea', 'hash-pwd': { algorithm: 'bcrypt', value: bcrypt } },
    ]);
  },
);
