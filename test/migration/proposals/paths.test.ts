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
