import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, memoryClient, runImport } from '../run-import.ts';

const header = 'user_name,email,mobile,external_id,name,attr_nick_name,algorithm,hash\n';
const fileOf = (...rows: string[]) => header + rows.map((row) => `${row},md5,${goodHashes.md5}\n`).join('');
const { code, message } = errorCatalogue.userNameTaken;

/** A tenant that holds these users, refuses who has a key of one of them, and is asked one row at a time. */
function tenantOf(...there: HashedUser[]) {
  const client = memoryClient((user) => {
    const keys = ['user_name', 'email', 'mobile'] as const;
    for (const other of client.users.values()) {
      if (keys.some((key) => user[key] !== undefined && user[key] === other[key]))
        throw new ApiError(code, message, 400);
    }
  });
  for (const [index, user] of there.entries()) client.users.set(`there-${index + 1}`, user);
  return client;
}

const ann = { user_name: 'ann', email: 'ann@example.com', mobile: '86-15200000000', name: 'Ann Lee' };

test('somebody who is there already and is the same person is existing, whatever else changed since', async () => {
  const { summary, users, failures } = await runImport(
    fileOf('ann,ann@example.com,86-15200000000,,Ann Lee,Annie', 'bob,,,,Bob,'),
    { concurrency: 1 },
    tenantOf({ ...ann, attr_nick_name: 'A.' }),
  );
  expect(summary).toMatchObject({ created: 1, existing: 1, conflict: 0, failed: 0, codes: {} });
  expect(users).toMatchObject([
    { row: '1', user_id: 'there-1' },
    { row: '2', user_name: 'bob' },
  ]);
  expect(failures).toEqual([]);
});

test.each<[string, string, HashedUser[], string]>([
  ['another name', 'ann,,,,Anna Li,', [ann], 'held: user_name by there-1; different there: name'],
  [
    'another address',
    'ann,anna@example.com,,,,',
    [ann],
    'held: user_name by there-1; different there: email',
  ],
  [
    'two people',
    'ann,bob@example.com,,,,',
    [ann, { user_name: 'bob', email: 'bob@example.com' }],
    'held: user_name by there-1, email by there-2; different there: email, user_name',
  ],
])('with %s it is a conflict, which names who holds what, and no value', async (_, row, there, told) => {
  const { summary, failures } = await runImport(fileOf(row), { concurrency: 1 }, tenantOf(...there));
  expect(summary).toMatchObject({ created: 0, existing: 0, conflict: 1, failed: 0, codes: { [code]: 1 } });
  expect(failures).toMatchObject([{ row: '1', code, message: told }]);
});

test('a disabled user is a conflict: nobody could log in', async () => {
  const client = tenantOf(ann);
  const find = client.getUserByUserName;
  client.getUserByUserName = async (name) => ({ ...(await find(name)), disabled: true });
  const { failures } = await runImport(fileOf('ann,,,,Ann Lee,'), { concurrency: 1 }, client);
  expect(failures).toMatchObject([{ message: expect.stringContaining('the user is disabled') }]);
});

test('an answer that was lost after the user was made: the user is found, and not made twice', async () => {
  const client = memoryClient();
  const send = client.importHashedUser;
  client.importHashedUser = async (user) => {
    const answer = await send(user);
    if (user.user_name === 'bob') throw new NetworkError('interrupted', 'cut off', { effect: 'unknown' });
    return answer;
  };
  const content = fileOf('ann,,,,,', 'bob,,,,,', 'cid,,,,,');
  const { summary, users } = await runImport(content, { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 2, existing: 1, unknown: 0 });
  expect(users).toMatchObject([{ user_id: 'id-1' }, { user_id: 'id-2' }, { user_id: 'id-3' }]);
  expect(client.sent).toHaveLength(3);
});

test('an answer that was lost before the user was made: looked up, and sent again', async () => {
  let lost = 0;
  const client = memoryClient(({ user_name }) => {
    lost += user_name === 'bob' ? 1 : 0;
    if (user_name === 'bob' && lost < 2)
      throw new NetworkError('timeout', 'no answer', { effect: 'unknown' });
  });
  const { summary } = await runImport(fileOf('bob,,,,,'), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 1, unknown: 0 });
  expect(client.sent).toHaveLength(2);
});

test.each([
  ['no key at all', ',,,,Ann Lee,'],
  ['an external id only, which two users may share', ',,,x-1,,'],
])('a row with %s is not sent again: it stays unknown', async (_, row) => {
  const client = memoryClient(() => {
    throw new NetworkError('timeout', 'no answer', { effect: 'unknown' });
  });
  const { summary, failures } = await runImport(fileOf(row), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 0, unknown: 1 });
  expect(failures).toMatchObject([{ code: 'NO_ANSWER', hint: expect.stringContaining('look the user up') }]);
  expect(client.sent).toHaveLength(1);
});

test('an unknown row is looked up by the next run, which sends it again only when it is not found', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf('ann,,,,,', 'bob,,,,,'));
    const client = memoryClient();
    const { importHashedUser: send, getUserByUserName: find } = client;
    const gone = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
    // Both are made, and nobody hears of it: the service answers nothing more.
    client.importHashedUser = async (user) => send(user).then(gone);
    client.getUserByUserName = gone;
    const first = await importFile(client, { file, jobDirectory, concurrency: 1, silenceLimit: 0 });
    expect(first.summary).toMatchObject({ created: 0, existing: 0, unknown: 2 });

    Object.assign(client, { importHashedUser: send, getUserByUserName: find });
    client.users.delete('id-2');
    const second = await importFile(client, { file, jobDirectory, concurrency: 1 });
    expect(second.summary).toMatchObject({ created: 1, existing: 1, unknown: 0, pending: 0 });
    expect(client.sent.slice(-1)).toMatchObject([{ user_name: 'bob' }]);
  });
});

test('an external id that somebody else has too says nothing against a row that has a key of its own', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf('ann,,,x-1,,', 'bob,,,x-1,,'));
    const client = memoryClient();
    const { importHashedUser: send, getUserByUserName: find } = client;
    const gone = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
    client.importHashedUser = async (user) => (user.user_name === 'bob' ? gone() : send(user));
    client.getUserByUserName = gone;
    const first = await importFile(client, { file, jobDirectory, concurrency: 1, silenceLimit: 0 });
    expect(first.summary).toMatchObject({ created: 1, unknown: 1 });
    Object.assign(client, { importHashedUser: send, getUserByUserName: find });
    const { summary } = await importFile(client, { file, jobDirectory, concurrency: 1 });
    expect(summary).toMatchObject({ created: 2, conflict: 0, unknown: 0 });
  });
});

test('a user found by external id only, who is somebody else, leaves the row unknown', async () => {
  const client = tenantOf({ external_id: 'x-1', name: 'Bob' });
  client.importHashedUser = () =>
    Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
  const { summary } = await runImport(fileOf(',,,x-1,Ann,'), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ conflict: 0, existing: 0, unknown: 1 });
});

test('a mobile number without area code is that of another area only when the tenant finds the user by it', async () => {
  const there = { user_name: 'ann', mobile: '852-51234567' };
  const content = fileOf('ann,,51234567,,,');
  const other = await runImport(content, { concurrency: 1 }, tenantOf(there));
  expect(other.failures).toMatchObject([{ message: expect.stringContaining('different there: mobile') }]);
  const same = tenantOf(there);
  same.getUserByMobile = () => same.getUserByUserName('ann');
  expect((await runImport(content, { concurrency: 1 }, same)).summary).toMatchObject({ existing: 1 });
});

test('a service that fails at look-ups now and then does not stop the run', async () => {
  const client = memoryClient(({ user_name }, number) => {
    if (user_name === 'bob' && number === 2)
      throw new NetworkError('timeout', 'no answer', { effect: 'unknown' });
  });
  const find = client.getUserByUserName;
  let asked = 0;
  client.getUserByUserName = (name) => {
    asked += 1;
    const busy = new ApiError('SVC.TENANT.COM.0002', 'System busy, please try again later', 500);
    return asked % 3 ? Promise.reject(busy) : find(name);
  };
  const content = fileOf('ann,,,,,', 'bob,,,,,', 'cid,,,,,');
  const { summary, stoppedBy } = await runImport(content, { concurrency: 1 }, client);
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ created: 3, unknown: 0 });
});

test('encryption that breaks down while the row is on its way leaves it unknown: it is not sent blindly again', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf(',,,,Ann,', ',,,,Bob,'));
    const client = memoryClient((_, number) => {
      if (number === 1) throw new NetworkError('tls', 'bad record', { effect: 'unknown' });
    });
    const { summary, stoppedBy } = await importFile(client, job);
    expect(stoppedBy).toBeInstanceOf(NetworkError);
    expect(summary).toMatchObject({ unknown: 1, pending: 1 });
    expect((await importFile(client, job)).summary).toMatchObject({ unknown: 1, created: 1 });
    expect(client.sent.map(({ name }) => name)).toEqual(['Ann', 'Bob']);
  });
});
