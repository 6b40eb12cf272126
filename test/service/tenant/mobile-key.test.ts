import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { readMobileKey } from '../../../src/service/tenant/mobile-key.ts';

/** The normal form of a number, or the error. */
function read(value: string): string {
  const result = readMobileKey(value, defaultTenant);
  return 'key' in result ? result.key : result.error;
}

const chinese = fc
  .tuple(fc.constantFrom(...'3456789'), fc.stringMatching(/^\d{9}$/))
  .map((parts) => `1${parts.join('')}`);

test('+86-1…, 86-1… and 1… are the same number', () => {
  fc.assert(
    fc.property(chinese, (number) => {
      expect([number, `86-${number}`, `+86-${number}`].map(read)).toEqual(Array(3).fill(`86-${number}`));
    }),
  );
});

test('the normal form is its own normal form', () => {
  fc.assert(
    fc.property(chinese, fc.constantFrom('', '86-', '+86-'), (number, prefix) => {
      const form = read(prefix + number);
      expect(read(form)).toBe(form);
    }),
  );
});

test.each([
  ['+852-51234567', '852-51234567'],
  ['853-61234567', '853-61234567'],
  ['886-912345678', '886-912345678'],
  ['+1-2125550123', '1-2125550123'],
  ['44-7911123456', '44-7911123456'],
  ['65-81234567', '65-81234567'],
  ['81-9012345678', '81-9012345678'],
])('%s is a number of a permitted area', (value, form) => {
  expect(read(value)).toBe(form);
});

test.each(['49-15112345678', '+999-1', '0086-15200000000', '0-15200000000', '7-9161234567'])(
  'the area of %s is not permitted',
  (value) => {
    expect(read(value)).toBe('areaCodeNotPermitted');
  },
);

test.each([
  '12345',
  '86-12345678901',
  '+852-15200000000',
  '15200000000-86',
  '8615200000000',
  '+8615200000000',
  '+15200000000',
  ' 15200000000',
  '15200000000 ',
  '152-0000-0000',
  '152 0000 0000',
  '1520000000a',
  '１５２００００００００',
  '86--15200000000',
  '++86-15200000000',
  '-15200000000',
  '86-',
  '-',
  'ann',
  '12345-15200000000',
])('%j is not a number', (value) => {
  expect(read(value)).toBe('mobileInvalid');
});

test('any text is either a number of a permitted area or rejected', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^\+?\d{0,4}-?\d{0,12}$/));
  fc.assert(
    fc.property(text, (value) => {
      expect(['mobileInvalid', 'areaCodeNotPermitted', ...numbersOf(read(value))]).toContain(read(value));
    }),
    { numRuns: 1000 },
  );
});

function numbersOf(form: string): string[] {
  const [area = '', number = ''] = form.split('-');
  return defaultTenant.mobile.area_codes.get(area)?.test(number) ? [form] : [];
}
