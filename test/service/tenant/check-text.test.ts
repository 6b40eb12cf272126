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
])('the limit of 2 to 4 counts characters, not code units: for %j the result is %s', (value, expected) => {
  expect(isAcceptedText(value, rule)).toBe(expected);
});

// Counting the characters this often would take longer than the time limit of a test.
test('a value as long as a body is rejected without counting its characters', () => {
  const body = '字'.repeat(1_700_000);
  for (let round = 0; round < 10_000; round++) expect(isAcceptedText(body, rule)).toBe(false);
});
