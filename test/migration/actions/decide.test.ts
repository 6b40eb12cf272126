import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HashedUser, User } from '../../../src/contract/wire.ts';
import { type DecisionOptions, decide, type OwnersByKey } from '../../../src/migration/actions/decide.ts';
import { keyFields, keyQueries, loginNameQueries } from '../../../src/migration/actions/keys.ts';
import { reasons } from '../../../src/migration/actions/reasons.ts';

function user(values: Partial<User>): User {
  const times = { created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' };
  return { user_id: 'id-1', user_name: 'ann', disabled: false, usr_auth_times: '0', ...times, ...values };
}

const ann = user({ user_name: 'ann', email: 'ann@example.com', name: 'Ann Lee', external_id: 'x-1' });
const bob = user({ user_id: 'id-2', user_name: 'bob', email: 'bob@example.com' });

/** The owners of each identifier of a row, found by comparing the attributes of these users. */
function ownersOf(row: HashedUser, users: readonly User[], by?: (typeof keyFields)[number]): OwnersByKey {
  const found = keyQueries(row, by).map(({ field, value }): [typeof field, User[]] => [
    field,
    users.filter((one) => one[field]?.toLowerCase() === value.toLowerCase()),
  ]);
  return new Map(found.filter(([, owners]) => owners.length > 0));
}

const all = () => true;
const cases: [string, HashedUser, User[], DecisionOptions, object][] = [
  ['nobody', { user_name: 'cid' }, [ann, bob], {}, { kind: 'create', reason: 'NOBODY' }],
  ['no key', { name: 'Ann Lee' }, [ann], {}, { kind: 'create', reason: 'NO_KEY' }],
  [
    'equal but for letter case',
    { user_name: 'ANN', email: 'Ann@Example.com', name: 'Ann Lee' },
    [ann],
    {},
    { kind: 'same', reason: 'EQUAL', userId: 'id-1', fields: [] },
  ],
  [
    'another nickname, which nobody asked for',
    { user_name: 'ann', attr_nick_name: 'Annie' },
    [ann],
    {},
    { kind: 'same', reason: 'NOT_ASKED', fields: ['attr_nick_name'] },
  ],
  [
    'another nickname and extension',
    { user_name: 'ann', attr_nick_name: 'Annie', extension: { age: '7' } },
    [ann],
    { update: all },
    { kind: 'update', reason: 'DIFFERS', userId: 'id-1', fields: ['attr_nick_name', 'extension.age'] },
  ],
  [
    'only what was asked for',
    { user_name: 'ann', attr_nick_name: 'Annie', industry: 'IT' },
    [ann],
    { update: (field) => field === 'industry' },
    { kind: 'update', fields: ['industry'] },
  ],
  [
    'another name: another person',
    { user_name: 'ann', name: 'Anna Li' },
    [ann],
    { update: all },
    { kind: 'conflict', reason: 'OTHER_PERSON', fields: ['name'] },
  ],
  [
    'another name, by the user name',
    { user_name: 'ann', name: 'Anna Li', email: 'anna@example.com' },
    [ann],
    { by: 'user_name', update: all },
    { kind: 'update', fields: ['name', 'email'] },
  ],
  [
    'the address of somebody else, by the user name',
    { user_name: 'ann', email: 'bob@example.com' },
    [ann, bob],
    { by: 'user_name', update: all },
    {
      kind: 'conflict',
      reason: 'SEVERAL_USERS',
      owners: [
        { userId: 'id-1', keys: ['user_name'], disabled: false },
        { userId: 'id-2', keys: ['email'], disabled: false },
      ],
    },
  ],
  [
    'the person of the external ID has another user name',
    { user_name: 'bob', external_id: 'x-9' },
    [bob],
    { by: 'external_id', update: all },
    { kind: 'conflict', reason: 'OTHER_PERSON' },
  ],
  [
    'an external ID that two share',
    { external_id: 'x-1' },
    [ann, { ...bob, external_id: 'x-1' }],
    {},
    { kind: 'conflict', reason: 'SEVERAL_USERS' },
  ],
  [
    'another external ID, which the API cannot change',
    { user_name: 'ann', external_id: 'x-2' },
    [ann],
    { by: 'anyKey', update: all },
    { kind: 'cannot', reason: 'EXTERNAL_ID', unchangeable: ['external_id'] },
  ],
  [
    'a disabled user of a plan that disables the users of all rows',
    { user_name: 'ann', name: 'Anna Li' },
    [{ ...ann, disabled: true }],
    { by: 'user_name', only: 'disable', disableAll: true },
    { kind: 'same', reason: 'IS_DISABLED', userId: 'id-1' },
  ],
  [
    'a disabled user',
    { user_name: 'ann' },
    [{ ...ann, disabled: true }],
    { update: all },
    { kind: 'cannot', reason: 'ENABLE', userId: 'id-1' },
  ],
];

test.each(cases)('%s', (_, row, users, options, action) => {
  const by = options.by === 'identity' || options.by === 'anyKey' ? undefined : options.by;
  expect(decide(row, ownersOf(row, users, by), options)).toMatchObject(action);
});

test('the owner of a mobile number is found in any notation of the number', () => {
  const owner = user({ mobile: '+86-15200000000' });
  const owners = new Map([['mobile', [owner]]] as const);
  expect(decide({ mobile: '15200000000' }, owners)).toMatchObject({ kind: 'same', fields: [] });
});

test('a user name is looked up once as each identifier that it could be', () => {
  const row = { user_name: 'Ann@example.com', email: 'ann@example.com', mobile: '15200000000' };
  expect(loginNameQueries(row).map(({ field, key, value }) => `${field} as ${key}: ${value}`)).toEqual([
    'mobile as user_name: 86-15200000000',
    'mobile as user_name: +86-15200000000',
    'mobile as user_name: 15200000000',
  ]);
  expect(loginNameQueries({ user_name: '852-51234567' })).toEqual([
    { field: 'user_name', key: 'mobile', value: '852-51234567' },
  ]);
});

const value = fc.constantFrom('a', 'b', 'A', 'c');
const anyRow: fc.Arbitrary<HashedUser> = fc.record(
  { user_name: value, email: value, external_id: value, name: value, industry: value },
  { requiredKeys: [] },
);
const anyUser = fc
  .record({ user_id: value, user_name: value, disabled: fc.boolean() })
  .chain((must) => anyRow.map((row) => user({ ...row, ...must } as Partial<User>)));
const anyBy = fc.constantFrom('identity', 'anyKey', ...keyFields);

test('an action changes one known user, only where attributes differ, and its text contains no value', () => {
  fc.assert(
    fc.property(
      anyRow,
      fc.uniqueArray(anyUser, { selector: (one) => one.user_id }),
      anyBy,
      (row, users, by) => {
        const key = by === 'identity' || by === 'anyKey' ? undefined : by;
        const owners = ownersOf(row, users, key);
        const action = decide(row, owners, { by, update: all });
        const ids = [...owners.values()].flat().map(({ user_id }) => user_id);
        expect(reasons[action.reason].kind).toBe(action.kind);
        expect(action.kind === 'create').toBe(ids.length === 0);
        if (action.userId !== undefined) expect(new Set(ids)).toEqual(new Set([action.userId]));
        const touches = action.kind === 'update';
        expect(touches && (action.fields.length === 0 || action.userId === undefined)).toBe(false);
        expect(action.fields.every((field) => field in row)).toBe(true);
      },
    ),
  );
});
