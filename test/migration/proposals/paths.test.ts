import { expect, test } from 'vitest';
import { making } from './making.ts';

const lines = (people: readonly object[]) => people.map((person) => JSON.stringify(person)).join('\n');

test.each([
  [{ account: { status: ['active', 'suspended'] } }, 'account.status'],
  [{ account: { enabled: [true, false] } }, 'account.enabled'],
  [{ account: { deleted: [false, true] } }, 'account.deleted'],
  [{ login: { locked: [false, true] } }, 'login.locked'],
])('beside a status at the top, one in an object may be that of a firm: %j', async (objects, path) => {
  const pick = (at: number) =>
    JSON.parse(JSON.stringify(objects), (_, value) => (Array.isArray(value) ? value[at] : value));
  const people = [0, 1, 0].map((at, index) => ({ user_name: `u${index}`, active: index !== 0, ...pick(at) }));
  const { recipe, open } = await making(lines(people));
  expect(recipe.skip).toEqual({ where: { column: 'active', in: ['false'], known: ['true'] } });
  expect(open).toEqual([expect.stringContaining(`${path} may say who is disabled`)]);
  const only = people.map(({ active: _, ...person }) => person);
  expect((await making(lines(only))).recipe.skip?.where).toMatchObject({ column: path });
});

test('the status in an account that has a name may be that of a firm', async () => {
  const account = (at: number) => ({ name: `Firm ${at}`, status: at === 1 ? 'suspended' : 'active' });
  const people = [0, 1, 2].map((at) => ({ login: `u${at}`, account: account(at) }));
  const asked = await making(lines(people));
  expect([asked.recipe.skip, asked.open]).toEqual([
    undefined,
    [expect.stringContaining('account.status may say')],
  ]);
  const answered = await making(lines(people), { name: ['account.name'] });
  expect(answered.recipe.skip?.where).toMatchObject({ column: 'account.status', in: ['suspended'] });
});

test('metadata may be of anything', async () => {
  const people = [true, false].map((active, index) => ({ user_name: `u${index}`, metadata: { active } }));
  const { recipe, open } = await making(lines(people));
  expect([recipe.skip, open]).toEqual([undefined, [expect.stringContaining('metadata.active may say')]]);
});

test.each(['account', 'team', 'role', 'groups'])(
  'the name in %s is not taken for that of the person',
  async (object) => {
    const value = { name: 'Firm 1' };
    const people = [{ user_name: 'ann', [object]: object === 'groups' ? [value] : value }];
    expect((await making(lines(people))).recipe.fields).toEqual({ user_name: { column: 'user_name' } });
  },
);

test.each([
  ['email', { manager: { email: 'a@b.cn' } }, 'manager.email'],
  ['email', { spouse: { contact: { email: 'a@b.cn' } } }, 'spouse.contact.email'],
  ['mobile', { next_of_kin: { phone: '+8613800138000' } }, 'next_of_kin.phone'],
  ['user_name', { github: { login: 'octo' } }, 'github.login'],
  ['user_name', { services: { github: { username: 'octo' } } }, 'services.github.username'],
  ['mailing_address', { employer: { address: 'Main St 1' } }, 'employer.address'],
  ['email', { company: 'a@b.cn' }, undefined],
])('a %s of somebody else in %j is not taken without asking', async (field, object, path) => {
  const [user, ...others] = [0, 1, 2].map((at) => ({ id: at, name: `Ann ${at}`, ...object }));
  const made = await making(JSON.stringify([{ nickname: 'ann', ...user }, ...others]));
  expect(Object.keys(made.recipe.fields)).not.toContain(field);
  const asked = [...made.open, ...made.notes].filter((text) => text.startsWith(`${field} may be`));
  expect(asked).toEqual(path ? [expect.stringContaining(path)] : []);
});

test.each([
  { traits: { email: 'a@b.cn' } },
  { local: { email: 'a@b.cn' } },
  { emails: [{ address: 'a@b.cn' }] },
  { emails: [{ address: 'a@b.cn' }], services: { github: { email: 'c@d.cn' } } },
  { profile: { contact: { email: 'a@b.cn' } } },
])('the address in %j is that of the person', async (object) => {
  const { recipe, open } = await making(JSON.stringify([{ username: 'ann', ...object }]));
  expect([Object.keys(recipe.fields), open]).toEqual([['user_name', 'email'], []]);
});

test('a user name, address or number of another person makes those of the person no less certain', async () => {
  const own = { username: 'ann', mail: 'a@b.cn', phone: '+8613800138000' };
  const others = { username: 'boss', mail: 'c@d.cn', phone: '+8613800138001' };
  const { recipe, open } = await making(JSON.stringify([{ ...own, id: 7, manager: others }]));
  expect(recipe.fields).toMatchObject({
    user_name: { column: 'username' },
    email: { column: 'mail' },
    mobile: { column: 'phone' },
  });
  expect(open).toEqual([]);
});
