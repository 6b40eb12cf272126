import { expect, test } from 'vitest';
import { quoteForPosix, quoteForWindows, takeOptions } from '../../src/text/shell-quote.ts';

test.each([
  ['users.csv', 'users.csv', 'users.csv'],
  ['my users.csv', "'my users.csv'", '"my users.csv"'],
  ["ann's.csv", "'ann'\\''s.csv'", '"ann\'s.csv"'],
  ['C:\\jobs\\one', "'C:\\jobs\\one'", 'C:\\jobs\\one'],
  ['$HOME "x".csv', '\'$HOME "x".csv\'', '\'$HOME "x".csv\''],
  ["50% of ann's.csv", "'50% of ann'\\''s.csv'", "'50% of ann''s.csv'"],
  ['a\tb.csv', "$'a\\011b.csv'", '"a`u{9}b.csv"'],
  ['$a\u202e.csv', "$'$a\\342\\200\\256.csv'", '"`$a`u{202e}.csv"'],
  ['C:\\My Jobs\\', "'C:\\My Jobs\\'", '"C:\\My Jobs\\\\"'],
  ['C:\\My $jobs\\', "'C:\\My $jobs\\'", "'C:\\My $jobs\\\\'"],
  ['C:\\$jobs\\', "'C:\\$jobs\\'", "'C:\\$jobs\\'"],
  ['', "''", '""'],
])('%j is one word of a command line', (text, posix, windows) => {
  expect(quoteForPosix(text)).toBe(posix);
  expect(quoteForWindows(text)).toBe(windows);
});

test('options are taken out with their values, and operands after -- stay', () => {
  const words = ['--job', 'a', 'file', '--yes', '--job=b', '--yes=no', '--', '--job', 'c'];
  expect(takeOptions(words, { '--job': true, '--yes': false })).toEqual({
    kept: ['file', '--', '--job', 'c'],
    taken: [['--job', 'a'], ['--yes'], ['--job=b'], ['--yes=no']],
  });
  expect(takeOptions(['--job', '--', 'c'], { '--job': true })).toEqual({
    kept: ['--', 'c'],
    taken: [['--job']],
  });
});
