import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';
import type { NewUser } from '../../../src/contract/wire.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, runImport } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const header = 'user_name,email,mobile,external_id,name,attr_nick_name,algorithm,hash\n';
const fileOf = (...rows: string[]) => header + rows.map((row) => `${row},md5,${goodHashes.md5}\n`).join('');
const { code } = errorCatalogue.userNameTaken;

/** A tenant with these users, and their ids. */
async function tenantWith(...there: NewUser[]) {
  const tenant = await startTenant();
  const ids: string[] = [];
  for (const user of there) ids.push((await tenant.client.createUser(user)).user_id);
  return { tenant, ids };
}

const gone = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));

const ann = { user_name: 'ann', email: 'ann@example.com', mobile: '86-15200000000', name: 'Ann Lee' };

test('the outcome is existing if the same person is a user already, whatever other attributes changed since', async () => {
  const { tenant, ids } = await tenantWith({ ...ann, attr_nick_name: 'A.' });
  const content = fileOf('ann,ann@example.com,86-15200000000,,Ann Lee,Annie', 'bob,,,,Bob,');
  const { summary, users, failures } = await runImport(content, { concurrency: 1 }, tenant);
  expect(summary).toMatchObject({ created: 1, existing: 1, conflict: 0, failed: 0, codes: {} });
  expect(users).toMatchObject([
    { row: '1', user_id: ids[0] },
    { row: '2', user_name: 'bob' },
  ]);
  expect(failures).toEqual([]);
});

test('another letter case, or another notation of a mobile number, does not make another person', async () => {
  const { tenant } = await tenantWith(ann);
  const content = fileOf('ANN,Ann@Example.com,+86-15200000000,,Ann Lee,');
  const { summary } = await runImport(content, { concurrency: 1 }, tenant);
  expect(summary).toMatchObject({ created: 0, existing: 1, conflict: 0, failed: 0 });
});

test.each<[string, string, NewUser[], string]>([
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
])(
  'with %s the outcome is conflict, and the message names the users and attributes, but no value',
  async (_, row, there, told) => {
    const { tenant, ids } = await tenantWith(...there);
    const { summary, failures } = await runImport(fileOf(row), { concurrency: 1 }, tenant);
    expect(summary).toMatchObject({ created: 0, existing: 0, conflict: 1, failed: 0, codes: { [code]: 1 } });
    const message = told.replace(/there-(\d)/g, (_match, number) => ids[number - 1] ?? '');
    expect(failures).toMatchObject([{ row: '1', code, message }]);
  },
);

test('a user name that is the e-mail address of another user is a conflict, and the message names that user', async () => {
  const { tenant, ids } = await tenantWith({ user_name: 'ann', email: 'bob@example.com' });
  const { summary, failures } = await runImport(fileOf('bob@example.com,,,,,'), { concurrency: 1 }, tenant);
  expect(summary).toMatchObject({ conflict: 1, failed: 0, codes: { [code]: 1 } });
  expect(failures).toMatchObject([
    { code, message: `held: user_name by ${ids[0]}; different there: user_name` },
  ]);
});

test('a disabled user is a conflict, since nobody could log in', async () => {
  const { tenant, ids } = await tenantWith(ann);
  await tenant.client.disableUser(ids[0] ?? '');
  const { failures } = await runImport(fileOf('ann,,,,Ann Lee,'), { concurrency: 1 }, tenant);
  expect(failures).toMatchObject([
    {
      message: expect.stringContaining('the user is disabled'),
      hint: expect.stringContaining('ask the operator of the service to enable the user'),
    },
  ]);
});

test('if the answer is lost after the create, the user is found and not created twice', async () => {
  const client = await startTenant();
  const send = client.importHashedUser;
  client.importHashedUser = async (user) => {
    const answer = await send(user);
    if (user.user_name === 'bob') throw new NetworkError('interrupted', 'cut off', { effect: 'unknown' });
    return answer;
  };
  const content = fileOf('ann,,,,,', 'bob,,,,,', 'cid,,,,,');
  const { summary, users } = await runImport(content, { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 3, found_by_look_up: 1, existing: 0, unknown: 0 });
  expect(users.map(({ user_name, result, found_by_look_up: found }) => [user_name, result, found])).toEqual([
    ['ann', 'created', ''],
    ['bob', 'created', 'true'],
    ['cid', 'created', ''],
  ]);
  const there = await client.client.listUsers({ offset: 0, limit: 10 });
  expect(new Set(users.map(({ user_id }) => user_id))).toEqual(
    new Set(there.users.map(({ user_id }) => user_id)),
  );
  expect(there.total).toBe(3);
  expect(client.sent).toHaveLength(3);
});

test('if the answer is lost before the create, the user is looked up, and the row is sent again', async () => {
  const client = await startTenant();
  const send = client.importHashedUser;
  let asked = 0;
  client.importHashedUser = (user) => {
    asked += 1;
    return asked === 1 ? gone() : send(user);
  };
  const { summary } = await runImport(fileOf('bob,,,,,'), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 1, unknown: 0 });
  expect(asked).toBe(2);
});

test.each([
  ['no key at all', ',,,,Ann Lee,'],
  ['an external ID only, which two users may share', ',,,x-1,,'],
])('a row with %s is not sent again and stays unknown', async (_, row) => {
  const client = await startTenant();
  let asked = 0;
  client.importHashedUser = () => {
    asked += 1;
    return gone();
  };
  const { summary, failures } = await runImport(fileOf(row), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 0, unknown: 1 });
  expect(failures).toMatchObject([{ code: 'NO_ANSWER', hint: expect.stringContaining('look the user up') }]);
  expect(asked).toBe(1);
});

test('an unknown row is looked up by the next run, which sends it again only if no user is found', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf('ann,,,,,', 'bob,,,,,'));
    const client = await startTenant();
    const { importHashedUser: send, getUserByUserName: find } = client;
    // Ann is created and Bob is not, and neither gets an answer, since the service answers nothing more.
    client.importHashedUser = (user) => (user.user_name === 'ann' ? send(user).then(gone) : gone());
    client.getUserByUserName = gone;
    const first = await importFile(client, { file, jobDirectory, concurrency: 1, silenceLimit: 0 });
    expect(first.summary).toMatchObject({ created: 0, existing: 0, unknown: 2 });

    Object.assign(client, { importHashedUser: send, getUserByUserName: find });
    const second = await importFile(client, { file, jobDirectory, concurrency: 1 });
    expect(second.summary).toMatchObject({ created: 1, existing: 1, unknown: 0, pending: 0 });
    expect(client.sent.map(({ user_name }) => user_name)).toEqual(['ann', 'bob']);
  });
});

test('an external ID that another user also has is no obstacle for a row with another identifier', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf('ann,,,x-1,,', 'bob,,,x-1,,'));
    const accept = ['DUPLICATE_EXTERNAL_ID'] as const;
    const client = await startTenant();
    const { importHashedUser: send, getUserByUserName: find } = client;
    client.importHashedUser = async (user) => (user.user_name === 'bob' ? gone() : send(user));
    client.getUserByUserName = gone;
    const first = await importFile(client, { file, jobDirectory, accept, concurrency: 1, silenceLimit: 0 });
    expect(first.summary).toMatchObject({ created: 1, unknown: 1 });
    Object.assign(client, { importHashedUser: send, getUserByUserName: find });
    const { summary } = await importFile(client, { file, jobDirectory, accept, concurrency: 1 });
    expect(summary).toMatchObject({ created: 2, conflict: 0, unknown: 0 });
  });
});

test('a row stays unknown if the user who is found by external ID only is another person', async () => {
  const { tenant: client } = await tenantWith({ external_id: 'x-1', name: 'Bob' });
  client.importHashedUser = gone;
  const { summary } = await runImport(fileOf(',,,x-1,Ann,'), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ conflict: 0, existing: 0, unknown: 1 });
});

test('a mobile number without area code belongs to another area only if the tenant finds the user by it', async () => {
  const results = await Promise.all(
    ['86', '852'].map(async (default_area_code) => {
      const area_codes = { 86: '^\\d{8,11}$', 852: '^\\d{8}$' };
      const tenant = await startTenant({ mobile: { default_area_code, area_codes } });
      await tenant.client.createUser({ user_name: 'ann', mobile: '852-51234567' });
      return runImport(fileOf('ann,,51234567,,,'), { concurrency: 1 }, tenant);
    }),
  );
  const [other, same] = results;
  expect(other?.failures).toMatchObject([{ message: expect.stringContaining('different there: mobile') }]);
  expect(same?.summary).toMatchObject({ existing: 1 });
});

test('a service that fails at a look-up from time to time does not stop the run', async () => {
  const client = await startTenant();
  const { importHashedUser: send, getUserByUserName: find } = client;
  let rows = 0;
  client.importHashedUser = (user) => {
    rows += 1;
    return rows === 2 ? gone() : send(user);
  };
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

test('if TLS fails while the row is in flight, the outcome is unknown, and the row is not sent again without a look-up', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf(',,,,Ann,', ',,,,Bob,'));
    const client = await startTenant();
    const send = client.importHashedUser;
    const asked: (string | undefined)[] = [];
    client.importHashedUser = (user) => {
      const broken = new NetworkError('tls', 'bad record', { effect: 'unknown' });
      return asked.push(user.name) === 1 ? Promise.reject(broken) : send(user);
    };
    const { summary, stoppedBy } = await importFile(client, job);
    expect(stoppedBy).toBeInstanceOf(NetworkError);
    expect(summary).toMatchObject({ unknown: 1, pending: 1 });
    expect((await importFile(client, job)).summary).toMatchObject({ unknown: 1, created: 1 });
    expect(asked).toEqual(['Ann', 'Bob']);
  });
});
