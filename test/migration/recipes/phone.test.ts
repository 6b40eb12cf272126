import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phoneStep, readPhone } from '../../../src/migration/recipes/phone.ts';

test.each(['CN', 'DE', 'US', 'GB', 'IT', 'BR', 'JP', 'FR'] as const)(
  'usual numbers of %s are read as the library reads them',
  (region) => {
    const step = phoneStep(region);
    const rest = fc.stringMatching(/^[0-9]{5,11}$/);
    const start = fc.constantFrom(
      '',
      '+',
      '0',
      '1',
      '13',
      '138',
      '15',
      '17',
      '07',
      '3',
      '55119',
      '+86138',
      '+491',
      '+1',
      '+44 7',
      '+39 3',
      '+8190',
      '+336',
    );
    fc.assert(
      fc.property(start, rest, fc.boolean(), (first, digits, isSpaced) => {
        const number = `${first}${isSpaced ? digits.replaceAll(/(.{3})(?=.)/g, '$1 ') : digits}`;
        expect(step(number)).toEqual(readPhone(number, region));
      }),
      { numRuns: 500 },
    );
  },
);
