import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, PatternError } from '../../../src/service/tenant/pattern.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '1',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\S',
  '\\.',
  '-',
  '字',
  '\\b',
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(?:${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?', '+?'))
      .map(([inner, quantifier]) => `(${inner})${quantifier}`),
  ),
}));
const anchored = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'))
  .map(([start, inner, end]) => `${start}(?:${inner})${end}`);
const value = fc.string({
  unit: fc.constantFrom('a', 'b', '1', '.', '-', '字', ' ', '\u3000', '\ufeff', '\t', '\v', '🔑'),
  maxLength: 8,
});

test('a pattern matches as in JavaScript', () => {
  fc.assert(
    fc.property(anchored, value, (source, text) => {
      expect(compilePattern(source).test(text)).toBe(new RegExp(source, 'u').test(text));
    }),
    { numRuns: 1000 },
  );
});

/**
 * Different kinds of characters in a row, one of them repeated any number of times. JavaScript's engine handles such
 * patterns.
 */
const step = fc.constantFrom(
  'a',
  '1',
  '-',
  '@',
  '_',
  '\\d',
  '[ab]',
  '[1-9]',
  '[b-]',
  'a{2}',
  '\\d{3}',
  '[ab1]{2}',
);
const loose = fc.constantFrom('', 'a+', '\\d*', '[ab]?', '\\d{1,3}', '[a1]{2,}');
const straight = fc
  .tuple(fc.array(step, { maxLength: 4 }), loose, fc.array(step, { maxLength: 3 }))
  .map(([before, between, after]) => `^${before.join('')}${between}${after.join('')}$`);
const plainValue = fc.string({
  unit: fc.constantFrom('a', 'b', '1', '2', '-', '@', '字', '\n'),
  maxLength: 9,
});

test('a pattern of this simple form matches as in RE2', () => {
  fc.assert(
    fc.property(straight, plainValue, (source, text) => {
      // The group prevents that the simple form is recognised; the pattern means the same.
      expect(compilePattern(source).test(text)).toBe(compilePattern(`(?:${source})`).test(text));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['(?=a)', 'look-around and back references are not supported'],
  ['(?!a)', 'look-around and back references are not supported'],
  ['(?<=a)', 'look-around and back references are not supported'],
  ['(?<!a)', 'look-around and back references are not supported'],
  ['(a)\\1', 'look-around and back references are not supported'],
  ['(?<x>a)\\k<x>', 'look-around and back references are not supported'],
  ['(', 'missing closing )'],
  ['[', 'missing closing ]'],
  ['a**', 'invalid nested repetition operator'],
  ['*', 'missing argument to repetition operator'],
  ['a{1001}', 'invalid repeat count'],
  ['(a{1000}){1000}', 'invalid repeat count'],
  ['\\p{Klingon}', 'invalid character class range'],
])('%s is refused: %s', (source, reason) => {
  expect(() => compilePattern(source)).toThrow(PatternError);
  expect(() => compilePattern(source)).toThrow(reason);
});
