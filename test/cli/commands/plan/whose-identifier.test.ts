import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NewUser } from '../../../../src/contract/wire.ts';
import type { ActionLine } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { insertUsers } from '../../../service/storage/insert-users.ts';
import { keptDatabase } from '../../../service/storage/test-database.ts';
import { startWorld } from '../../../world.ts';

/** A world with these users, and others, and a file; `plan` makes a plan of the file and returns its lines. */
async function worldWith(users: readonly NewUser[], content: string, others = 0) {
  const database = await keptDatabase();
  const world = await startWorld({ database });
  const ids: string[] = [];
  for (const user of users) ids.push((await world.client.createUser(user)).user_id);
  await insertUsers(database, others, (number) => ({ user_name: `user${number}` }));
  const file = join(world.directory, 'users.csv');
  await writeFile(file, content);
  const to = join(world.directory, 'plan');
  async function plan(...more: string[]) {
    const { exitCode, stderr } = await world.run('plan', file, '--to', to, '--allow-passwordless', ...more);
    const text = await readFile(join(to, 'actions.jsonl'), 'utf8').catch(() => '');
    const lines: ActionLine[] = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { exitCode, stderr, lines };
  }
  return { world, ids, file, plan };
}

/** So many users that looking up one row takes fewer requests than a listing. */
const many = 250;

/** How the tenant is asked, and the number of other users because of whom. */
const ways = [
  ['a complete listing', 0],
  ['look-ups', many],
] as const;

test.each(['create', 'update', 'disable'])(
  '--only %s and --disable-missing cannot be used together',
  async (only) => {
    const { plan } = await worldWith([{ user_name: 'ann' }, { user_name: 'bob' }], 'user_name\nann\n');
    const ended = await plan('--disable-missing', '--only', only);
    expect(ended).toMatchObject({
      exitCode: 2,
      lines: [],
      stderr: expect.stringContaining('--only and --disable-missing cannot be used together'),
    });
  },
);

test('of several users with the external ID of a row none is disabled, although look-ups would be cheaper', async () => {
  const shared = ['a', 'b'].map((user_name) => ({ user_name, external_id: 'x-1' }));
  const { world, file } = await worldWith(shared, 'external_id\nx-1\n', many);
  const words = ['disable', '--csv', file, '--to', `${file}.disable`, '--yes', '--json'];
  for (const key of [['--key', 'external_id'], []]) {
    const { exitCode, stdout } = await world.run(...words, ...key);
    const { codes } = JSON.parse(stdout);
    expect({ exitCode, codes }).toEqual({ exitCode: 7, codes: { SEVERAL_USERS: 1 } });
    const { asked } = JSON.parse(await readFile(join(`${file}.disable`, 'plan.json'), 'utf8'));
    expect(asked).toMatch(/^a complete listing, since several users can have the same external ID:/);
  }
});

test('the tenant is listed even if only one row of a file has no other identifier than an external ID', async () => {
  const shared = ['a', 'b'].map((user_name) => ({ user_name, external_id: 'x-1', name: 'Ann' }));
  const content = 'user_name,external_id,name,attr_nick_name\nuser1,,,One\n,x-1,Ann,Annie\n';
  const { plan } = await worldWith(shared, content, many);
  const { lines } = await plan('--update');
  expect(lines).toMatchObject([{ action: 'update' }, { action: 'conflict', reason: 'SEVERAL_USERS' }]);
});

test('a plan that changes nobody looks external IDs up, if that is cheaper', async () => {
  const { plan } = await worldWith([{ user_name: 'a', external_id: 'x-1' }], 'external_id\nx-1\n', many);
  const { lines, stderr } = await plan('--key', 'external_id');
  expect(lines).toMatchObject([{ action: 'same' }]);
  expect(stderr).toContain('Tenant asked by look-ups');
});

test.each(ways)(
  'a user who has the value of --key as another identifier is not the person of the row, by %s',
  async (_, others) => {
    const users = [{ user_name: 'bob', mobile: '13800138000' }, { user_name: '13900139000' }];
    const { plan, ids } = await worldWith(users, 'user_name\n13800138000\n', others);
    const { exitCode, lines } = await plan('--key', 'user_name', '--disable-all');
    expect({ exitCode, lines }).toMatchObject({
      exitCode: 7,
      lines: [
        { action: 'conflict', reason: 'OTHER_PERSON', owners: [{ userId: ids[0], keys: ['user_name'] }] },
      ],
    });
  },
);

test.each(ways)(
  'nobody is disabled for a row whose external ID another user has, unless people share them, by %s',
  async (_, others) => {
    const users = [
      { user_name: 'ann', external_id: 'x-1' },
      { user_name: 'zed', external_id: 'x-9' },
    ];
    const content = 'user_name,external_id\nann,x-9\n';
    const { plan, ids } = await worldWith(users, content, others);
    const [ann, zed] = ids;
    const how = ['--key', 'user_name', '--disable-all'];
    const conflict = {
      action: 'conflict',
      reason: 'SEVERAL_USERS',
      owners: [{ userId: ann }, { userId: zed }],
    };
    expect((await plan(...how)).lines).toMatchObject([conflict]);
    const shared = await plan(...how, '--accept', 'DUPLICATE_EXTERNAL_ID');
    expect(shared.lines).toMatchObject([{ action: 'disable', user_id: ann }]);
  },
);

test('of people who share an external ID a new one is created if that is accepted, or --key names another field', async () => {
  const users = [{ user_name: 'ann', external_id: 'DEP1' }];
  const { plan } = await worldWith(users, 'user_name,external_id\nann,DEP1\nnew,DEP1\n');
  const accept = ['--accept', 'DUPLICATE_EXTERNAL_ID'];
  const created = [{ action: 'same' }, { action: 'create', reason: 'NOBODY' }];
  expect((await plan(...accept)).lines).toMatchObject(created);
  const alone = await worldWith(users, 'user_name,external_id\nnew,DEP1\nbob,x-2\n');
  const bob = { action: 'create' };
  expect((await alone.plan()).lines).toMatchObject([{ action: 'conflict', reason: 'OTHER_NAMES' }, bob]);
  for (const how of [accept, ['--key', 'user_name']])
    expect((await alone.plan(...how)).lines).toMatchObject([{ action: 'create', reason: 'NOBODY' }, bob]);
});

test('a user whose name is the mobile number of a row does not have this mobile number', async () => {
  const { plan, ids } = await worldWith([{ user_name: '13900139000' }], 'mobile\n13900139000\n');
  expect((await plan()).lines).toMatchObject([
    { action: 'conflict', reason: 'OTHER_PERSON', fields: ['mobile'], owners: [{ userId: ids[0] }] },
  ]);
});

test('a user with the external ID of a row is neither disabled nor, without --key, created again, whoever has the other identifiers', async () => {
  const users = [
    { user_name: 'ann', external_id: 'x-1', name: 'Ann' },
    { user_name: 'bob', external_id: 'x-2', name: 'Bob' },
    { user_name: 'bea', external_id: 'x-2', name: 'Bea' },
    { user_name: 'cid', external_id: 'x-3', name: 'Cid' },
    { user_name: 'intruder', email: 'cid@example.com' },
    { user_name: 'dan', external_id: 'x-4', name: 'Dan' },
    { user_name: 'dora', external_id: 'x-4', name: 'Dan' },
    { user_name: 'eve', external_id: 'x-5', name: 'Eve' },
  ];
  const rows = [
    'ann.lee,,x-1,Ann',
    'bob,,x-2,Bob',
    'cid.lee,cid@example.com,x-3,Cid',
    'dan.lee,,x-4,Dan',
    'eve.lee,,x-5,Adam',
  ];
  const { plan, ids } = await worldWith(users, `user_name,email,external_id,name\n${rows.join('\n')}\n`);
  const [ann, bob, bea, cid, intruder] = ids;
  for (const by of [[], ['--key', 'user_name', '--update'], ['--key', 'email', '--update']]) {
    const { lines } = await plan('--disable-missing', '--at-most', 'disable=100%', ...by);
    expect(lines).toMatchObject([
      by.length > 0
        ? { action: 'create' }
        : { action: 'conflict', reason: 'OTHER_NAMES', owners: [{ userId: ann, keys: ['external_id'] }] },
      by.includes('email') ? { reason: 'OTHER_PERSON' } : { action: 'same', user_id: bob },
      { action: 'conflict', reason: 'SEVERAL_USERS', owners: [{ userId: intruder }, { userId: cid }] },
      // Several people can share an external ID: of these two, nobody knows which one it could be.
      { action: 'create' },
      // It is another person by name.
      { action: 'create' },
      // The file has this external ID for somebody else, who is there.
      { row: null, action: 'disable', reason: 'ABSENT', user_id: bea },
    ]);
  }
});

test('--since does not take a user for missing whose external ID is in the file', async () => {
  const content = 'user_name,external_id\nann,x-1\nbob,x-2\nbea,x-2\ncid,x-3\ndan,x-4\n';
  const { world, file, plan } = await worldWith([], content);
  const job = join(world.directory, 'job');
  const accept = ['--accept', 'DUPLICATE_EXTERNAL_ID'];
  await world.run('import-hashes', file, '--job', job, '--allow-passwordless', ...accept);
  const { user_id: bea } = await world.client.getUserByUserName('bea');
  await writeFile(file, 'user_name,external_id\nann.lee,x-1\nbob,x-2\ncid,x-4\n');
  const { lines } = await plan('--since', job, '--disable-missing', '--at-most', 'disable=100%');
  expect(lines).toMatchObject([
    { row: 1, action: 'conflict', reason: 'OTHER_NAMES' },
    { row: 2, action: 'same' },
    // The row of Cid has the external ID of Dan.
    { row: 3, action: 'conflict' },
    { row: null, action: 'disable', user_id: bea },
  ]);
});

test.each(ways)(
  'without --key, nobody is created whose external ID a user of the same name has, by %s',
  async (how, others) => {
    const users = [{ user_name: 'ann', external_id: 'x-1', name: 'Ann' }, { user_name: 'intruder' }];
    const content = 'user_name,email,external_id,name\nann.lee,,x-1,Ann\n';
    const { plan, ids } = await worldWith(users, content, others);
    const [ann] = ids;
    const { lines, stderr } = await plan();
    expect(stderr).toContain(`Tenant asked by ${how}`);
    expect(lines).toMatchObject([
      { action: 'conflict', reason: 'OTHER_NAMES', owners: [{ userId: ann, keys: ['external_id'] }] },
    ]);
    for (const more of [
      ['--key', 'user_name'],
      ['--accept', 'DUPLICATE_EXTERNAL_ID'],
    ])
      expect((await plan(...more)).lines).toMatchObject([{ action: 'create' }]);
  },
);

test.each(ways)(
  '--since disables nobody whose external ID a row has, if the earlier rows had none, by %s',
  async (how, others) => {
    const users = [
      { user_name: 'ann', external_id: 'x-1', name: 'Ann' },
      { user_name: 'eve', external_id: 'x-2', name: 'Eve' },
      ...['dan', 'dora'].map((user_name) => ({ user_name, external_id: 'x-3', name: 'Dan' })),
    ];
    const content = 'user_name,name\nann,Ann\neve,Eve\ndan,Dan\ndora,Dan\ncid,Cid\n';
    const { world, ids, file, plan } = await worldWith(users, content, others);
    const [ann, eve, dan, dora] = ids;
    const job = join(world.directory, 'job');
    await world.run('import-hashes', file, '--job', job, '--allow-passwordless');
    const { user_id: cid } = await world.client.getUserByUserName('cid');
    await writeFile(file, 'user_name,external_id,name\nann.lee,x-1,Ann\neve.lee,x-2,Adam\ndan.lee,x-3,Don\n');
    const limit = ['--at-most', 'disable=100%', '--accept', 'KEY_CHANGED'];
    const since = ['--since', job, '--disable-missing', ...limit];
    // Who the row is about is not known: another name, several users, or --key says that it is somebody else.
    const left = [eve, dan, dora].map((user_id) => ({ row: null, reason: 'VANISHED_OWNER', user_id }));
    const { lines, stderr } = await plan(...since);
    expect(stderr).toContain(`Tenant asked by ${how}`);
    expect(lines).toMatchObject([
      { row: 1, reason: 'OTHER_NAMES', earlier_user_id: ann },
      ...[{ row: 2 }, { row: 3 }],
      ...left,
      { row: null, reason: 'ABSENT', user_id: cid },
    ]);
    expect((await plan(...since, '--key', 'user_name')).lines).toMatchObject([
      { row: 1, action: 'create' },
      ...[{ row: 2 }, { row: 3 }],
      { row: null, reason: 'VANISHED_OWNER', user_id: ann },
      ...left,
      { row: null, reason: 'ABSENT', user_id: cid },
    ]);
  },
);
