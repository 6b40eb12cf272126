import { readdirSync, readlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/client/retry.ts';
import { listOwners } from '../../../src/migration/owners/list-owners.ts';
import { createRunControl } from '../../../src/migration/send/call-api.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

async function list(tenant: Tenant) {
  const owners = await listOwners(tenant, createRunControl({ clock: systemClock }));
  onTestFinished(() => owners.close());
  return owners;
}

test('owners are found by each identifier in its normal form, and users without a row are found, too', async () => {
  const tenant = await startTenant();
  const { user_id: ann } = await tenant.client.createUser({ user_name: 'Ann', email: 'ann@example.com' });
  const { user_id: bob } = await tenant.client.createUser({ user_name: 'bob', mobile: '15200000000' });
  await tenant.client.createUser({ user_name: 'cid', mobile: '852-51234567' });
  const owners = await list(tenant);
  const rows = [
    { user_name: 'ANN', email: 'nobody@example.com' },
    { mobile: '+86-15200000000' },
    { mobile: '51234567' },
    { user_name: 'ann@example.com' },
  ];
  const found = await owners.find(rows);
  expect(found.map((of) => [...of].map(([key, [first]]) => [key, first?.user_id]))).toEqual([
    [['user_name', ann]],
    [['mobile', bob]],
    [],
    [['user_name', ann]],
  ]);
  expect([...owners.others()].flat()).toMatchObject([{ user_name: 'cid' }]);
  const [first] = found[0]?.get('user_name') ?? [];
  expect([first && owners.claim(first), first && owners.claim(first)]).toEqual([true, false]);
  expect([owners.faults, await owners.countChanged()]).toEqual([[], 0]);
});

test('the area code of a number without one is looked up once', async () => {
  const tenant = await startTenant();
  for (let user = 0; user < 3; user += 1) {
    await tenant.client.createUser({ user_name: `user${user}`, mobile: `+86-1520000000${user}` });
  }
  let asked = 0;
  const { getUserByMobile } = tenant;
  tenant.getUserByMobile = (mobile) => {
    asked += 1;
    return getUserByMobile(mobile);
  };
  const owners = await list(tenant);
  const found = await owners.find([0, 1, 2].map((user) => ({ mobile: `1520000000${user}` })));
  expect(found.map((of) => of.get('mobile')?.[0]?.user_name)).toEqual(['user0', 'user1', 'user2']);
  expect(asked).toBe(1);
});

test.each(['changed', 'created', 'disabled'])(
  'a user who is %s after a page was read is noticed',
  async (how) => {
    const tenant = await startTenant();
    const { user_id: ann } = await tenant.client.createUser({ user_name: 'ann' });
    const owners = await list(tenant);
    expect([owners.faults, await owners.countChanged()]).toEqual([[], 0]);
    if (how === 'changed') await tenant.client.updateUser(ann, { name: 'Ann Lee' });
    else if (how === 'created') await tenant.client.createUser({ user_name: 'bob' });
    else await tenant.client.disableUser(ann);
    expect(await owners.countChanged()).toBe(1);
  },
);

test('a user who is created after a tenant without users was read is noticed', async () => {
  const tenant = await startTenant();
  const owners = await list(tenant);
  expect(await owners.countChanged()).toBe(0);
  await tenant.client.createUser({ user_name: 'ann' });
  expect([await owners.countChanged(), owners.faults]).toEqual([1, []]);
});

test('changes that were not listed completely are a fault of the listing', async () => {
  const tenant = await startTenant();
  await tenant.client.createUser({ user_name: 'ann' });
  const owners = await list(tenant);
  const { listUsers } = tenant;
  tenant.listUsers = async (query) => ({ ...(await listUsers(query)), users: [] });
  expect(await owners.countChanged()).toBe(0);
  expect(owners.faults).toEqual([
    'when it was read again, page 0 had 0 users instead of 1',
    'when it was read again, 0 different users were received, but the total is 1',
  ]);
});

test('a tenant that cannot be read is an error, and leaves no file', async () => {
  const tenant = await startTenant();
  const open = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('etilqs_');
      } catch {
        return false;
      }
    }).length;
  const before = process.platform === 'linux' ? open() : 0;
  tenant.listUsers = () => Promise.reject(new Error('no'));
  await expect(list(tenant)).rejects.toThrow('no');
  if (process.platform === 'linux') expect(open()).toBe(before);
});
