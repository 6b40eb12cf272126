import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonicalText, sealPlan } from '../../../../src/migration/plan/document/plan-document.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const row = (name: string, more = ',,') => `${name},${more},md5,${goodHashes.md5}\n`;
const header = 'user_name,name,email,external_id,algorithm,hash\n';

/** A world with Ann and Zoe, a file, and a plan that creates Bob, updates Ann and disables Zoe. */
async function planned() {
  const world = await startWorld();
  const { user_id: ann } = await world.client.createUser({
    user_name: 'ann',
    name: 'Ann',
    external_id: 'x-1',
  });
  const { user_id: zoe } = await world.client.createUser({ user_name: 'zoe' });
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, header + row('ann', 'Ann Smith,ann@example.com,x-1') + row('bob', 'Bob,,x-2'));
  const to = join(world.directory, 'plan');
  const args = ['plan', file, '--to', to, '--key', 'external_id', '--update'];
  expect(await world.run(...args, '--disable-missing')).toMatchObject({ exitCode: 0 });
  return { world, file, to, ann, zoe };
}

const apply = (world: TestWorld, to: string, ...more: string[]) => world.run('apply', to, '--yes', ...more);

test('a plan is carried out exactly and only once, and leaves the records of a job', async () => {
  const { world, to, ann, zoe } = await planned();
  const { exitCode, stdout, stderr } = await apply(world, to, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 3,
    created: 1,
    updated: 1,
    disabled: 1,
    pending: 0,
    codes: {},
  });
  expect(await world.client.getUser(ann)).toMatchObject({ name: 'Ann Smith', email: 'ann@example.com' });
  expect(await world.client.getUser(zoe)).toMatchObject({ disabled: true });
  expect(await world.client.getUserByUserName('bob')).toMatchObject({ name: 'Bob', external_id: 'x-2' });
  const users = await readFile(join(to, 'users.csv'), 'utf8');
  expect(users).toContain(`1,ann,x-1,${ann},updated,,\n`);
  expect(users).toContain(`\n,,,${zoe},disabled,,true\n`);
  expect(await readFile(join(to, 'report.html'), 'utf8')).toContain(
    'The plan was applied: 1 created, 1 updated, 1 disabled.',
  );
  const again = await apply(world, to);
  expect(again).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining('this plan was applied at'),
  });
  expect((await world.run('plan', join(world.directory, 'legacy.csv'), '--to', to)).exitCode).toBe(3);
});

test('without consent nothing is sent, and the complete command is printed', async () => {
  const { world, to } = await planned();
  const { exitCode, stdout, stderr } = await world.run('apply', to);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^Target: /);
  expect(stderr).toContain('create 1, update 1, disable 1. What is written stays. Nobody gets a message.');
  expect(stderr).toContain('1 user will be disabled, which the API cannot take back');
  expect(stderr).toContain(`Run:\n  tenant-users apply ${to} --yes\n`);
  expect(existsSync(join(to, 'journal.db'))).toBe(false);
});

test('users who have changed since the plan are not touched, and stop the run', async () => {
  const { world, to, ann, zoe } = await planned();
  await world.client.updateUser(ann, { name: 'Ann Jones' });
  await world.client.updateUser(zoe, { name: 'Zoe' });
  await world.client.createUser({ user_name: 'bob' });
  const { exitCode, stderr } = await apply(world, to, '--concurrency', '1');
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 8,
    stderr: expect.stringMatching(/1 user met so far is no longer as the plan saw/),
  });
  const accepted = await apply(world, to, '--accept-drift', '3', '--json');
  expect(accepted.exitCode).toBe(7);
  expect(JSON.parse(accepted.stdout)).toMatchObject({
    created: 0,
    updated: 0,
    disabled: 0,
    conflict: 3,
    codes: { DRIFT: 3 },
  });
  expect(await world.client.getUser(ann)).toMatchObject({ name: 'Ann Jones' });
  expect(await world.client.getUser(zoe)).toMatchObject({ disabled: false });
  const report = await readFile(join(to, 'report.html'), 'utf8');
  expect(report).toContain('the user was changed, created or disabled after the plan was made.');
});

test('a login is not drift', async () => {
  const { world, to, ann } = await planned();
  await world.client.getUser(ann);
  expect(await apply(world, to)).toMatchObject({ exitCode: 0 });
});

/** Changes one byte of a file. */
async function flip(path: string, at = 20): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const pem = { type: 'pkcs8', format: 'pem' } as const;
const publicPem = { type: 'spki', format: 'pem' } as const;

test('one changed byte of file, plan, actions, key, signature or tenant is refused by name', async () => {
  const { world, file, to } = await planned();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const pathOf = (name: string) => join(world.directory, name);
  await writeFile(pathOf('key.pem'), privateKey.export(pem));
  await writeFile(pathOf('key.pub'), publicKey.export(publicPem));
  await writeFile(pathOf('other.pub'), other.publicKey.export(publicPem));
  const signed = ['--require-signature', pathOf('key.pub')];
  const code = async (...more: string[]) => {
    const { exitCode, stdout, stderr } = await apply(world, to, '--json', ...more);
    expect({ exitCode, stdout, journal: existsSync(join(to, 'journal.db')) }).toEqual({
      exitCode: 3,
      stdout: '',
      journal: false,
    });
    return JSON.parse(stderr).error.code;
  };
  expect(await code(...signed)).toBe('PLAN_SIGNATURE');
  expect(await world.run('plan', 'sign', to, pathOf('key.pem'))).toMatchObject({ exitCode: 0 });
  expect(await world.run('plan', 'verify', to, pathOf('key.pub'))).toMatchObject({
    exitCode: 0,
  });
  expect(await world.run('plan', 'verify', to, pathOf('other.pub'))).toMatchObject({
    exitCode: 3,
  });
  expect(await code('--require-signature', pathOf('other.pub'))).toBe('PLAN_SIGNATURE');
  const changes: [string, string, string[]][] = [
    [file, 'PLAN_FILE', []],
    [join(to, 'plan.json'), 'PLAN_CHANGED', []],
    [join(to, 'actions.jsonl'), 'PLAN_CHANGED', []],
    [join(to, 'plan.key'), 'PLAN_CHANGED', []],
    [join(to, 'plan.sig'), 'PLAN_SIGNATURE', signed],
  ];
  for (const [path, expected, more] of changes) {
    await flip(path);
    expect([path, await code(...more)]).toEqual([path, expected]);
    await flip(path);
  }
  expect(await code('--local', pathOf('own.db'))).toBe('CONFIGURATION');
  expect((await world.run('list', '--local', pathOf('own.db'))).exitCode).toBe(0);
  expect(await code('--local', pathOf('own.db'))).toBe('PLAN_TARGET');
  await writeFile(pathOf('hmac.txt'), 'another key');
  expect(await code('--key-file', pathOf('hmac.txt'))).toBe('PLAN_MAPPING');
  expect(await apply(world, to, ...signed)).toMatchObject({ exitCode: 0 });
});

test('a plan with a recipe of several fields is applied, whatever their order', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const [file, to, recipe] = [within('users.csv'), within('plan'), within('mine.yaml')];
  await writeFile(file, `login,mail,pass\nann,ann@example.com,${goodHashes.md5}\n`);
  await writeFile(
    recipe,
    'fields: { user_name: { column: login }, email: { column: mail } }\npassword: { column: pass, algorithm: { infer: true } }\n',
  );
  expect(await world.run('plan', file, '--recipe', recipe, '--to', to)).toMatchObject({ exitCode: 0 });
  expect(await apply(world, to)).toMatchObject({ exitCode: 0 });
  expect(await world.client.getUserByUserName('ann')).toMatchObject({ email: 'ann@example.com' });
});

test('a recipe that was changed in the plan is refused, even if the plan was sealed again', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const [to, recipe] = [within('plan'), within('mine.yaml')];
  await writeFile(within('users.csv'), `login,nick,pass\nann,annie,${goodHashes.md5}\n`);
  await writeFile(
    recipe,
    'fields: { user_name: { column: login } }\npassword: { column: pass, algorithm: { infer: true } }\n',
  );
  const made = await world.run('plan', within('users.csv'), '--recipe', recipe, '--to', to);
  expect(made).toMatchObject({ exitCode: 0 });
  const path = join(to, 'plan.json');
  const text = await readFile(path, 'utf8');
  const other = text.replace('"column":"login"', '"column":"nick"');
  expect(other).not.toBe(text);
  const { digest: _, ...unsealed } = JSON.parse(other);
  for (const [changed, code] of [
    [other, 'PLAN_CHANGED'],
    [canonicalText(sealPlan(unsealed)), 'PLAN_MAPPING'],
  ] as const) {
    await writeFile(path, changed);
    const { exitCode, stdout, stderr } = await apply(world, to, '--json');
    expect({ exitCode, stdout, code: JSON.parse(stderr).error.code }).toEqual({
      exitCode: 3,
      stdout: '',
      code,
    });
  }
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
  // The plan contains the recipe, so a change of the recipe's file has no effect.
  await writeFile(path, text);
  await writeFile(recipe, 'fields: { user_name: { column: nick } }\n');
  expect(await apply(world, to)).toMatchObject({ exitCode: 0 });
  expect(await world.client.getUserByUserName('ann')).toMatchObject({ user_name: 'ann' });
});

test('a public key that is not Ed25519 is refused, and not printed', async () => {
  const { world, to } = await planned();
  const key = join(world.directory, 'key.pem');
  await writeFile(key, 'Planted secret');
  const { exitCode, stdout, stderr } = await world.run('plan', 'sign', to, key);
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toContain('not a private Ed25519 key');
  expect(stderr).not.toContain('Planted');
});
