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

test('a pattern finds what it finds in JavaScript', () => {
  fc.assert(
    fc.property(anchored, value, (source, text) => {
      expect(compilePattern(source).test(text)).toBe(new RegExp(source, 'u').test(text));
    }),
    { numRuns: 1000 },
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
