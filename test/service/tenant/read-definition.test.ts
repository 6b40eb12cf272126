import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { definitionOf, describeDefinition } from '../../../src/service/tenant/definition.ts';
import { readDefinition } from '../../../src/service/tenant/read-definition.ts';

const patterns = fc.constantFrom('^[a-z]+$', 'x', '^\\d{1,3}$', '^(a+)+$', '^[^@\\s]+@[^@\\s]+$', '');
const displayName = fc.stringMatching(/^[a-zA-Z\u4e00-\u9fa5]{1,20}$/);
const some = { requiredKeys: [] };

const rule = fc.record(
  {
    display_name: displayName,
    required: fc.boolean(),
    min_length: fc.integer({ min: 1, max: 20 }),
    max_length: fc.integer({ min: 20, max: 500 }),
    pattern: patterns,
  },
  some,
);
const extension = fc.record(
  {
    display_name: displayName,
    type: fc.constantFrom('text', 'number', 'boolean', 'date'),
    required: fc.boolean(),
    max_length: fc.integer({ min: 1, max: 1000 }),
    pattern: patterns,
  },
  { requiredKeys: ['display_name'] },
);
const file = fc.record(
  {
    tenant_id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
    time_zone: fc.constantFrom('UTC', 'Asia/Shanghai', 'Europe/Berlin'),
    attributes: fc.record({ user_name: rule, name: rule, email: rule, zip_code: rule }, some),
    extension: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,63}$/), extension),
    mobile: fc.constant({ default_area_code: '49', area_codes: { 49: '^1\\d+$', 86: '^1' } }),
    password: fc.record({ required: fc.boolean(), history: fc.integer({ min: 0, max: 24 }) }, some),
    token: fc.record({ expires_in: fc.integer({ min: 1, max: 100_000 }) }, some),
    sso: fc.record({ fields: fc.constantFrom(['id'], ['userName', 'email']) }, some),
    login: fc.record({ lock_seconds: fc.integer({ min: 1, max: 9999 }) }, some),
  },
  some,
);

test('the printed form of a definition is read as the same definition', () => {
  fc.assert(
    fc.property(file, (given) => {
      const described = describeDefinition(definitionOf(JSON.stringify(given)));
      expect(described).toMatchObject(given);
      expect(describeDefinition(definitionOf(JSON.stringify(described)))).toEqual(described);
    }),
  );
});

test('an empty definition has the defaults: eight area codes and no extension attribute', () => {
  const { extension, ...rest } = describeDefinition(defaultTenant);
  expect(Object.keys(extension)).toEqual(['age', 'joined_on']);
  expect(describeDefinition(definitionOf('{}'))).toEqual({ ...rest, extension: {} });
  expect(Object.keys(rest.mobile.area_codes)).toHaveLength(8);
});

test('a byte order mark before the text is accepted', () => {
  expect(readDefinition('\uFEFF{"tenant_id": "acme"}')).toMatchObject({ value: { tenant_id: 'acme' } });
});

test.each([
  ['b', 'abc', true],
  ['^b', 'abc', false],
  ['^a.c$', 'abc', true],
  ['^a$', 'a\n', false],
  ['^.$', '🔑', true],
  ['^\\p{L}+$', '张三', true],
  ['^[\\u4e00-\\u9fa5]{2}$', '张三', true],
  ['^\\p{Script=Han}+$', '张三', true],
  ['^\\P{gc=Lu}+$', 'aB', false],
  ['^\\\\p{2}$', '\\pp', true],
  ['^\\u{1F511}$', '🔑', true],
  ['^(?:cat|dog)s?$', 'dogs', true],
  ['^(?<area>\\d{3})-\\d$', '852-1', true],
  ['^[\\w.-]+\\/x$', 'a-b.c/x', true],
])('the pattern %s matches %j as in JavaScript: %s', (pattern, value, expected) => {
  const { attributes } = definitionOf(JSON.stringify({ attributes: { name: { pattern } } }));
  expect(attributes.name.pattern?.test(value)).toBe(expected);
  expect(new RegExp(pattern, 'u').test(value)).toBe(expected);
});

test('comments change no rule, and are not stored', () => {
  const email = { required: true };
  const commented = {
    $comment: 'why',
    attributes: { $comment: 'all', email: { $comment: 'one', ...email } },
  };
  const plain = describeDefinition(definitionOf(JSON.stringify({ attributes: { email } })));
  expect(describeDefinition(definitionOf(JSON.stringify(commented)))).toEqual(plain);
});
