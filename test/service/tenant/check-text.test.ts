import { expect, test } from 'vitest';
import { isAcceptedText } from '../../../src/service/tenant/check-text.ts';

const rule = { required: false, min_length: 2, max_length: 4 };

test.each([
  ['', false],
  ['a', false],
  ['ab', true],
  ['abcd', true],
  ['abcde', false],
  ['🔑', false],
  ['🔑🔑', true],
  ['a🔑', true],
  ['🔑🔑🔑🔑', true],
  ['🔑🔑🔑🔑a', false],
])('%j has 2 to 4 characters, not code units: %s', (value, expected) => {
  expect(isAcceptedText(value, rule)).toBe(expected);
});

test('a value as long as a body is refused without counting it', () => {
  const body = '字'.repeat(1_700_000);
  const begun = performance.now();
  for (let round = 0; round < 100; round++) expect(isAcceptedText(body, rule)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1000);
});
