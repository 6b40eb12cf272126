import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { keepCapitals } from '../../../migration/journal/keep-capitals.ts';
import { startWorld } from '../../../world.ts';

/** A tenant with two users, an import of a file with the same two, and that file with what a user was given there since. */
async function tenantWithTwo() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (name: string, ...rows: string[]) =>
    writeFile(
      within(name),
      `user_name,name,email,external_id,algorithm,hash\n${rows.map((row) => `${row},md5,${goodHashes.md5}\n`).join('')}`,
    );
  await write('monday.csv', 'ann,Ann,ann@example.com,x-1', 'bob,Bob,bob@example.com,x-2');
  expect((await world.run('import-hashes', within('monday.csv'), '--job', within('job'))).exitCode).toBe(0);
  const planned = async (file: string, since: string, to: string, ...more: string[]) => {
    const key = more.includes('--key') ? [] : ['--key', 'external_id'];
    const args = ['--since', within(since), '--to', within(to), ...key, ...more];
    await world.run('plan', within(file), ...args);
    const plan: Plan = JSON.parse(await readFile(join(within(to), 'plan.json'), 'utf8'));
    return { unchanged: plan.since?.unchanged, reasons: plan.reasons };
  };
  const apply = async (to: string) =>
    expect((await world.run('apply', within(to), '--yes')).exitCode).toBe(0);
  return { ...world, within, write, planned, apply };
}

test('a row of which only one field was updated is decided again, until its user is as the row says', async () => {
  const { client, write, planned, apply } = await tenantWithTwo();
  await write('tuesday.csv', 'ann,Anna,anna@example.com,x-1', 'bob,Bob,bob@example.com,x-2');
  const tuesday = await planned('tuesday.csv', 'job', 'tuesday', '--update', 'email');
  expect(tuesday).toEqual({ unchanged: 1, reasons: { DIFFERS: 1, UNCHANGED: 1 } });
  await apply('tuesday');
  expect(await client.getUserByUserName('ann')).toMatchObject({ name: 'Ann', email: 'anna@example.com' });
  const wednesday = await planned('tuesday.csv', 'tuesday', 'wednesday', '--update');
  expect(wednesday).toEqual({ unchanged: 1, reasons: { DIFFERS: 1, UNCHANGED: 1 } });
  await apply('wednesday');
  expect(await client.getUserByUserName('ann')).toMatchObject({ name: 'Anna', email: 'anna@example.com' });
  // All fields were updated, so nobody is looked up any more.
  const thursday = await planned('tuesday.csv', 'wednesday', 'thursday', '--update');
  expect(thursday).toEqual({ unchanged: 2, reasons: { UNCHANGED: 2 } });
});

test('a row in which only pwd_must_modify changed cannot be carried out, and one that means the same can', async () => {
  const { within, planned, run } = await tenantWithTwo();
  const row = (name: string, must: string) => `${name},${must},md5,${goodHashes.md5}\n`;
  const write = (...rows: string[]) =>
    writeFile(within('flags.csv'), `user_name,pwd_must_modify,algorithm,hash\n${rows.join('')}`);
  await write(row('cid', ''), row('dan', 'false'), row('eve', 'true'), row('fay', ''));
  await run('import-hashes', within('flags.csv'), '--job', within('flags'));
  await write(row('cid', 'false'), row('dan', ''), row('eve', 'false'), row('fay', 'true'));
  const plan = await planned('flags.csv', 'flags', 'tuesday', '--update', '--key', 'user_name');
  expect(plan.reasons).toEqual({ MUST_MODIFY_CHANGED: 3, EQUAL: 1 });
  const shown = await run('plan', 'show', within('tuesday'), '--action', 'cannot', '-o', 'tsv');
  expect(shown.stdout).toMatch(/^1\tMUST_MODIFY_CHANGED\t/);
});

test('a row whose user differs, and was not to be updated, is decided again', async () => {
  const { client, write, planned, apply } = await tenantWithTwo();
  await write('tuesday.csv', 'ann,Anna,ann@example.com,x-1', 'bob,Bob,bob@example.com,x-2');
  const tuesday = await planned('tuesday.csv', 'job', 'tuesday');
  expect(tuesday.reasons).toEqual({ NOT_ASKED: 1, UNCHANGED: 1 });
  await apply('tuesday');
  const wednesday = await planned('tuesday.csv', 'tuesday', 'wednesday', '--update');
  expect(wednesday).toEqual({ unchanged: 1, reasons: { DIFFERS: 1, UNCHANGED: 1 } });
  await apply('wednesday');
  expect(await client.getUserByUserName('ann')).toMatchObject({ name: 'Anna' });
});

test('a row whose user was disabled by a plan that disables everybody in its file is decided again', async () => {
  const { run, within, planned, apply } = await tenantWithTwo();
  const all = ['--disable-all', '--key', 'external_id'];
  await run('plan', within('monday.csv'), '--to', within('tuesday'), ...all);
  await apply('tuesday');
  const wednesday = await planned('monday.csv', 'tuesday', 'wednesday');
  expect(wednesday).toEqual({ unchanged: 0, reasons: { ENABLE: 2 } });
});

test('a row of an import whose user was there before, and differs in another field, is decided again', async () => {
  const { client, run, within, planned, apply } = await tenantWithTwo();
  const header = 'user_name,name,email,external_id,attr_nick_name,algorithm,hash\n';
  const row = (line: string) => `${line},md5,${goodHashes.md5}\n`;
  const [ann, bob] = [row('ann,Ann,ann@example.com,x-1,Annie'), row('bob,Bob,bob@example.com,x-2,')];
  await writeFile(within('tuesday.csv'), header + ann + bob);
  const imported = await run('import-hashes', within('tuesday.csv'), '--job', within('second'), '--json');
  expect(JSON.parse(imported.stdout)).toMatchObject({ existing: 2 });
  const wednesday = await planned('tuesday.csv', 'second', 'wednesday', '--update');
  expect(wednesday).toEqual({ unchanged: 1, reasons: { DIFFERS: 1, UNCHANGED: 1 } });
  await apply('wednesday');
  expect((await client.getUserByUserName('ann')).attr_nick_name).toBe('Annie');
  // A hash that changed is still recognised.
  const other = ann.replace(goodHashes.md5, goodHashes.md5.replace(/^./, '0'));
  await writeFile(within('thursday.csv'), header + other + bob);
  const thursday = await planned('thursday.csv', 'wednesday', 'thursday', '--update');
  expect(thursday.reasons).toEqual({ HASH_CHANGED: 1, UNCHANGED: 1 });
});

test('a hash that an earlier version sent in capitals, as the file has it, did not change', async () => {
  const { run, within, planned } = await tenantWithTwo();
  const write = (...rows: string[]) =>
    writeFile(within('hex.csv'), `user_name,algorithm,hash\n${rows.join('')}`);
  const capitals = goodHashes.md5.toUpperCase();
  const [dan, eve] = ['dan', 'eve'].map((name) => `${name},md5,${capitals}\n`);
  await write(dan ?? '', eve ?? '');
  await run('import-hashes', within('hex.csv'), '--job', within('hex'));
  await keepCapitals(within('hex'), goodHashes.md5, { user_name: 'dan' }, { user_name: 'eve' });
  const tuesday = await planned('hex.csv', 'hex', 'tuesday', '--key', 'user_name');
  expect(tuesday).toEqual({ unchanged: 2, reasons: { UNCHANGED: 2 } });
  await write(dan ?? '', `eve,md5,${goodHashes.md5.replace(/^./, '0')}\n`);
  const wednesday = await planned('hex.csv', 'hex', 'wednesday', '--key', 'user_name');
  expect(wednesday).toEqual({ unchanged: 1, reasons: { UNCHANGED: 1, HASH_CHANGED: 1 } });
});
