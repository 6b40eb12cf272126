import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
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
  const { recipe, open } = await making(lines(people), { fate: ['skip'] });
  expect(recipe.skip).toEqual({ where: { column: 'active', in: ['false'], known: ['true'] } });
  const asked = [expect.stringMatching(`^${path} may say who is disabled.* in: \\[VALUES\\]`)];
  expect(open).toEqual(asked);
  const only = people.map(({ active: _, ...person }) => person);
  const others = await making(lines(only));
  expect([others.recipe.skip, others.open]).toEqual([undefined, asked]);
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
  ['email', { traits: { email: 'a@b.cn' } }, 'traits.email'],
  ['email', { contact: { email: 'a@b.cn' } }, 'contact.email'],
  ['mobile', { address: { phone: '+8613800138000' } }, 'address.phone'],
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
  { local: { email: 'a@b.cn' } },
  { emails: [{ address: 'a@b.cn' }] },
  { emails: [{ address: 'a@b.cn' }], services: { github: { email: 'c@d.cn' } } },
])('the address in %j is that of the person', async (object) => {
  const { recipe, open } = await making(JSON.stringify([{ username: 'ann', ...object }]));
  expect([Object.keys(recipe.fields), open]).toEqual([['user_name', 'email'], []]);
});

const { bcrypt } = goodHashes;

test('the values of lists, as SCIM has them, are what their lists are called', async () => {
  const people = [0, 1].map((at) => ({
    userName: `u${at}`,
    emails: [{ value: `u${at}@b.cn`, type: 'work' }],
    phoneNumbers: [{ value: `+861380013800${at}`, type: 'mobile' }],
    credentials: [{ value: bcrypt }],
  }));
  const { recipe, open } = await making(lines(people));
  expect(recipe).toMatchObject({
    fields: { email: { column: 'emails.0.value' }, mobile: { column: 'phoneNumbers.0.value' } },
    password: { column: 'credentials.0.value' },
  });
  expect(open).toEqual([]);
});

test('the name of a firm around a person is not taken for that of the person', async () => {
  const people = [0, 1, 2].map((at) => ({
    name: `Firm ${at}`,
    admin: { login: `u${at}`, email: `u${at}@b.cn`, password: bcrypt },
  }));
  const { recipe, open } = await making(lines(people));
  expect(recipe).toMatchObject({
    fields: { user_name: { column: 'admin.login' }, email: { column: 'admin.email' } },
    password: { column: 'admin.password' },
  });
  expect(open).toEqual([expect.stringContaining('name may be name')]);
});

test('beside the name of a company, what is in the object with the password is of the person', async () => {
  const people = [0, 1].map((at) => ({
    id: at,
    user: { username: `u${at}`, email: `u${at}@b.cn`, name: `Ann ${at}`, password: bcrypt },
    company: { name: 'Firm' },
  }));
  const { recipe, open } = await making(lines(people));
  expect(recipe.fields).toMatchObject({
    user_name: { column: 'user.username' },
    email: { column: 'user.email' },
    name: { column: 'user.name' },
    external_id: { column: 'id' },
  });
  expect([recipe.password?.column, open]).toEqual(['user.password', []]);
});

const other = { username: 'app', email: 'app@b.cn', password: bcrypt };

test.each<[hash: string, object: object, asked: string[]]>([
  [
    'smtp.password',
    { email: 'a@b.cn', smtp: { email: 'c@d.cn', password: bcrypt } },
    ['email or smtp.email', 'email or smtp.email'],
  ],
  [
    'guardian.password',
    { phone: '+8613800138000', guardian: other },
    ['guardian.username', 'guardian.email', 'phone'],
  ],
  ['database.password', { login: 'ann', database: other }, ['login or database.username', 'database.email']],
  [
    'user.password',
    { company: { email: 'info@b.cn' }, user: other },
    ['user.username', 'company.email or user.email'],
  ],
  [
    'user.smtp.password',
    { user: { login: 'ann', smtp: other } },
    ['user.login or user.smtp.username', 'user.smtp.email'],
  ],
])('beside another login, a password may be that of somebody else: %s', async (hash, object, asked) => {
  const { recipe, open } = await making(lines([object, object]));
  const columns = (questions: readonly string[]) =>
    questions.map((text) => text.match(/ may be (.*?):/)?.[1] ?? text).toSorted();
  expect([recipe.fields, recipe.password]).toEqual([{}, undefined]);
  expect(columns(open)).toEqual([hash, ...asked].toSorted());
  const given = await making(lines([object, object]), {}, [{ field: 'hash', column: hash }]);
  expect(columns(given.open)).toEqual(asked.toSorted());
});

test.each(['database', 'smtp'])(
  'the password in %s beside those who log in is asked about',
  async (object) => {
    const people = [0, 1].map((at) => ({
      login: `u${at}`,
      email: `u${at}@b.cn`,
      [object]: { password: bcrypt },
    }));
    const { recipe, open } = await making(lines(people));
    expect(Object.keys(recipe.fields)).toEqual(['user_name', 'email']);
    expect(open).toEqual([expect.stringContaining(`hash may be ${object}.password`)]);
  },
);

test.each(['user', '_source', 'Item'])(
  'people whose facts are all in %s are read from there',
  async (object) => {
    const people = [0, 1].map((at) => ({
      id: at,
      [object]: { login: `u${at}`, password: bcrypt, name: 'Ann', active: at === 0 },
    }));
    const { recipe, open } = await making(lines(people), { fate: ['skip'] });
    expect(recipe).toMatchObject({
      fields: {
        user_name: { column: `${object}.login` },
        name: { column: `${object}.name` },
        external_id: { column: 'id' },
      },
      skip: { where: { column: `${object}.active` } },
    });
    expect(open).toEqual([]);
  },
);

test.each([{ item: { name: 'Book' } }, { profile: { name: 'Ann' } }])(
  'whose name is in %j is asked',
  async (object) => {
    const { recipe, open } = await making(lines([{ login: 'ann', password: bcrypt, ...object }]));
    expect([Object.keys(recipe.fields), open]).toEqual([
      ['user_name', 'pwd_must_modify'],
      [expect.stringContaining(`name may be ${Object.keys(object)[0]}.name`)],
    ]);
  },
);

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
