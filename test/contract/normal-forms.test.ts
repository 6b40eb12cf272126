import { expect, test } from 'vitest';
import { normalForm, parseMobile, uniqueAttributes } from '../../src/contract/normal-forms.ts';

test.each([
  ['+86-13800138000', { area: '86', number: '13800138000' }],
  ['86-13800138000', { area: '86', number: '13800138000' }],
  ['13800138000', { area: undefined, number: '13800138000' }],
  ['+13800138000', undefined],
  ['86 13800138000', undefined],
  ['', undefined],
])('the mobile number %j is read as %j', (value, parts) => {
  expect(parseMobile(value)).toEqual(parts);
});

test.each([
  ['user_name', 'Ann', undefined, 'ann'],
  ['email', 'Ann@Example.COM', undefined, 'ann@example.com'],
  ['mobile', '+86-138', '86', '86-138'],
  ['mobile', '138', '86', '86-138'],
  ['mobile', '138', undefined, '138'],
  ['mobile', '1 38', '86', '1 38'],
  ['external_id', 'E1', undefined, 'E1'],
  ['name', 'Ann', undefined, 'Ann'],
] as const)('the normal form of %s %j with the area code %s is %j', (name, value, areaCode, form) => {
  expect(normalForm(name, value, areaCode)).toBe(form);
});

test('only user name, mobile number and e-mail address are unique', () => {
  expect(uniqueAttributes).toEqual(['user_name', 'mobile', 'email']);
});
