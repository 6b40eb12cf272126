import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttributeName } from '../../../src/contract/attributes.ts';
import type { User } from '../../../src/contract/wire.ts';
import { enough, learnDefinition } from '../../../src/migration/learn/learn-definition.ts';
import { readDefinition } from '../../../src/service/tenant/read-definition.ts';
import { checkNewUser } from '../../../src/service/validation/check-values.ts';

type Attributes = Partial<Record<AttributeName, string>> & { extension?: Record<string, string> };

/** Learns from a list of these users. */
async function learn(users: readonly Attributes[], withValues = false) {
  const all = users.map((user, index) => ({ ...user, user_id: `u-${index}` }) as User);
  const client = {
    listUsers: async ({ offset, limit }: { offset: number; limit: number }) => ({
      total: all.length,
      users: all.slice(offset * limit, (offset + 1) * limit),
    }),
  };
  const { definition } = await learnDefinition(client, { withValues });
  return definition;
}

/** The rules that the service reads from a learned definition. */
function rulesOf(definition: object) {
  const reading = readDefinition(JSON.stringify(definition));
  if ('issues' in reading) throw new Error(JSON.stringify(reading.issues));
  return reading.value;
}

const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((number) => String(number).padStart(count, '0'));
/** No text has only letters: it could be a word of the definition itself, such as `value` or `length`. */
const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .filter((value) => !/\p{Cc}|^\s|\s$|^[a-z_]+$/iu.test(value));
const day = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Possible values of an attribute of the hidden definition. */
const kinds = [
  digits(4).map((number) => `E${number}`),
  fc.tuple(fc.constantFrom('AB', 'XY'), digits(3)).map((parts) => parts.join('-')),
  digits(6),
  fc.integer({ min: -50, max: 5000 }).map(String),
  fc.integer({ min: 0, max: 999 }).map((number) => String(number / 10)),
  fc.constantFrom('true', 'false'),
  fc.constantFrom('sales', 'Research', 'IT'),
  day,
  text(20),
  text(300),
];

const numbers = [
  digits(9).map((number) => `86-1${number}`),
  digits(9).map((number) => `+86-1${number}`),
  digits(7).map((number) => `852-5${number}`),
  digits(8).map((number) => `1${number}`),
  fc.integer({ min: 1, max: 99_999 }).map((number) => `49-${number}`),
];

/** A hidden definition: which users have a value, and which form it has. */
const hidden = fc.record({
  required: fc.subarray(['name', 'email', 'industry', 'zip_code', 'mailing_address', 'external_id']),
  optional: fc.subarray(['first_name', 'attr_gender', 'attr_birthday', 'mobile', 'head_img']),
  longNames: fc.boolean(),
  extension: fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      presence: fc.constantFrom('always', 'sometimes'),
      isUnique: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  mobiles: fc.subarray(numbers, { minLength: 1 }),
});
type Hidden = typeof hidden extends fc.Arbitrary<infer Value> ? Value : never;

function usersOf({ required, optional, longNames, extension, mobiles }: Hidden): fc.Arbitrary<Attributes[]> {
  const values: Record<string, fc.Arbitrary<string>> = {
    name: text(longNames ? 180 : 60),
    email: digits(6).map((number) => `person${number}@example.org`),
    industry: fc.constantFrom('retail trade', 'forestry'),
    zip_code: digits(5),
    mailing_address: text(200),
    external_id: digits(8),
    first_name: text(30),
    attr_gender: fc.constantFrom('unknow', 'male', 'female'),
    attr_birthday: day,
    mobile: fc.oneof(...mobiles),
    head_img: fc.constant('https://pictures.example/1.png'),
  };
  const chosen = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant('')]));
  const own = Object.fromEntries(extension.map(({ kind }, index) => [`own_${index}`, kind]));
  const always = extension.flatMap(({ presence }, index) => (presence === 'always' ? [`own_${index}`] : []));
  const user = fc
    .tuple(
      fc.record(chosen(required)),
      fc.record(chosen(optional), { requiredKeys: [] }),
      fc.record(own, { requiredKeys: always }),
    )
    .map(([must, may, extended]): Attributes => ({ ...must, ...may, extension: extended }));
  return fc
    .oneof(fc.array(user, { maxLength: 5 }), fc.array(user, { minLength: enough, maxLength: 3 * enough }))
    .map((users) => withoutDuplicates(users, extension));
}

function withoutDuplicates(users: Attributes[], extension: Hidden['extension']): Attributes[] {
  const seen = new Set<string>();
  return users.filter((user) => {
    const taken = extension.flatMap(({ isUnique }, index) => {
      const value = user.extension?.[`own_${index}`];
      return isUnique && value !== undefined ? [`${index} ${value}`] : [];
    });
    if (taken.some((value) => seen.has(value))) return false;
    for (const value of taken) seen.add(value);
    return true;
  });
}

/** Values that a draft must never contain, without words that are also keys and types of the file. */
function valuesOf(users: readonly Attributes[]): string[] {
  return users
    .flatMap(({ extension = {}, ...rest }) => [...Object.values(rest), ...Object.values(extension)])
    .filter((value): value is string => value !== undefined && value.length >= 5)
    .filter((value) => !['false', 'female', 'unknow'].includes(value));
}

test('a learned definition accepts every user that it was learned from, is the same each time, and contains no value', async () => {
  await fc.assert(
    fc.asyncProperty(hidden.chain(usersOf), async (users) => {
      const definition = await learn(users);
      const rules = rulesOf(definition);
      // It throws for a user who is not accepted. An expectation for each would take longer than the check.
      for (const user of users) checkNewUser(user, rules, true);
      for (const [key, { unique }] of rules.extension) {
        const values = users.flatMap(({ extension }) => extension?.[key] ?? []);
        if (unique) expect(new Set(values).size).toBe(values.length);
      }
      const written = JSON.stringify(definition);
      expect(JSON.stringify(await learn([...users].reverse()))).toBe(written);
      for (const value of valuesOf(users)) expect(written).not.toContain(value);
      const withWords = rulesOf(await learn(users, true));
      for (const user of users) checkNewUser(user, withWords, true);
    }),
    { numRuns: 80 },
  );
});

const many = (count: number, user: (index: number) => Attributes) =>
  Array.from({ length: count }, (_, index) => user(index));
const code = (index: number) => `E${String(index).padStart(4, '0')}`;

test('what all of many users have in common becomes a rule, marked for a person to check', async () => {
  const users = many(100, (index) => ({
    user_name: `user${index}`,
    email: `person${index}@example.org`,
    mobile: index % 2 === 0 ? `86-139123456${(index % 90) + 10}` : `852-51234${index + 100}`,
    extension: { badge: code(index), joined: '2020-02-29', level: String(index % 7), active: 'true' },
  }));
  const { attributes, extension, mobile } = await learn(users);
  expect(attributes).toEqual({
    user_name: {
      $comment:
        '100 of 100 users, at most 6 characters; the service makes one up for who has none, so nobody knows whether it is required',
    },
    mobile: { $comment: expect.stringContaining('Check: required'), required: true },
    email: {
      $comment: '100 of 100 users, at most 20 characters; Check: required, since all have it',
      required: true,
    },
  });
  expect(extension).toMatchObject({
    active: { type: 'boolean', required: true },
    badge: { unique: true, pattern: '^[A-Z]\\d{4}$', display_name: 'badge' },
    joined: { type: 'date' },
  });
  expect(mobile).toMatchObject({
    default_area_code: '86',
    area_codes: { 86: '^1\\d{10}$', 852: '^5\\d{7}$' },
  });
});

test('a rule needs many users, and none that breaks it', async () => {
  const user = (index: number): Attributes => ({ name: 'Ann', extension: { badge: code(index) } });
  const few = await learn(many(enough - 1, user));
  expect(few.attributes.name).not.toHaveProperty('required');
  expect(few.extension.badge).toEqual({
    $comment: '29 of 29 users, at most 5 characters; too few for a rule',
    display_name: 'badge',
  });
  const odd = await learn([
    ...many(100, user),
    { extension: { badge: 'none' } },
    { extension: { badge: code(7) } },
  ]);
  expect(odd.attributes.name).not.toHaveProperty('required');
  expect(odd.extension.badge).not.toHaveProperty('pattern');
  expect(odd.extension.badge).not.toHaveProperty('unique');
});

test('a few values that many users share are written if the caller asks for them', async () => {
  const departments = many(60, (index) => ({ extension: { department: ['IT', 'a.b|c'][index % 2] ?? '' } }));
  expect((await learn(departments, true)).extension.department).toMatchObject({
    pattern: '^(?:IT|a\\.b\\|c)$',
    $comment: expect.stringContaining('Check: these are all values'),
  });
  expect(JSON.stringify(await learn(departments))).not.toContain('IT');
  // A value that only nine users share could identify them.
  const rare = [...departments, ...many(9, () => ({ extension: { department: 'ward 7' } }))];
  expect(JSON.stringify(await learn(rare, true))).not.toContain('ward');
});

test('numbers without an area code get that of the rehearsal, and unusual numbers are counted', async () => {
  const users = many(40, (index) => ({ mobile: index < 35 ? `139123456${index + 10}` : 'call me' }));
  expect((await learn(users)).mobile).toMatchObject({
    default_area_code: '86',
    area_codes: { 86: '^1\\d{10}$' },
    $comment: expect.stringContaining('5 of another form are refused'),
  });
});

test('a definition learned from no users has no rules', async () => {
  const definition = await learn([]);
  expect(definition).toMatchObject({ tenant_id: 'learned', attributes: {}, extension: {} });
  expect(definition).not.toHaveProperty('mobile');
  expect(rulesOf(definition).attributes.email.required).toBe(false);
});
