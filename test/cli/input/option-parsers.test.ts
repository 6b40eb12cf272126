import { expect, test } from 'vitest';
import {
  parseLabel,
  parseNetworks,
  parsePublicUrl,
  parseRowLimit,
} from '../../../src/cli/input/option-parsers.ts';

test.each([
  ['0', { rows: 0 }],
  ['999999999', { rows: 999_999_999 }],
  ['10000000000', { rows: 10_000_000_000 }],
  ['5%', { fraction: 0.05 }],
  ['0.5%', { fraction: 0.005 }],
])('%s is a limit of rows', (text, limit) => {
  expect(parseRowLimit(text)).toEqual(limit);
});

test.each(['', '%', '1.5', '101%', '-1', '1e3', '9'.repeat(16)])('%s is not a limit of rows', (text) => {
  expect(() => parseRowLimit(text)).toThrow('must be a number of rows or a percentage, such as 5%');
});

test.each(['10.0.0.0/8/9', '10.0.0.0/', '10.0.0.0/33', '::1/129', 'host'])('%s is not a network', (text) => {
  expect(() => parseNetworks(text)).toThrow('must be IP addresses or networks');
});

test('a network is an address with or without a prefix length', () => {
  expect(parseNetworks('10.0.0.7, 10.0.0.0/8,::1/128')).toEqual(['10.0.0.7', '10.0.0.0/8', '::1/128']);
});

test.each(['bob:pw', 'bob', ':pw'])(
  'credentials in a public URL are refused, and not repeated: %s',
  (credentials) => {
    expect(() => parsePublicUrl(`https://${credentials}@users.example.com`)).toThrow(
      /^--public-url must not contain credentials$/,
    );
  },
);

test('a label may have the joiners that words of some scripts need, but no other invisible character', () => {
  const software = '\u0646\u0631\u0645\u200c\u0627\u0641\u0632\u0627\u0631';
  expect(parseLabel(software)).toBe(software);
  for (const other of ['a\u200bb', 'a\u202eb', 'a\tb'])
    expect(() => parseLabel(other)).toThrow('must be one line');
});
