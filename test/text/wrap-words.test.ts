import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { wrapWords } from '../../src/text/wrap-words.ts';
import { startWorld } from '../world.ts';

test('lines are broken between words, and keep their indent', () => {
  expect(wrapWords('short\n  one two three four', 12)).toBe('short\n  one two\n  three four');
});

test('a command that the text says to run stays on one line', () => {
  const text = 'There is no profile: make one with: tenant-users login --local own.db (or try --local)';
  expect(wrapWords(text, 45)).toBe(
    'There is no profile: make one with:\ntenant-users login --local own.db (or try\n--local)',
  );
});

test('no word is lost, and only a longer word makes a line too wide', () => {
  const word = fc.stringMatching(/^[a-z/名é👍]{1,12}$/u);
  const words = fc.array(word, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.integer({ min: 5, max: 60 }), (list, width) => {
      const lines = wrapWords(list.join(' '), width).split('\n');
      expect(lines.join(' ')).toBe(list.join(' '));
      for (const line of lines) if (line.includes(' ')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test.each([40, 80, 200])(
  'a message is wrapped on a terminal of %d columns, and not in a pipe',
  async (terminal) => {
    const { runWith } = await startWorld();
    const env = { NO_COLOR: '1' };
    const piped = await runWith({ env }, 'list');
    const shown = await runWith({ env, terminal }, 'list');
    expect({ ...shown, stderr: shown.stderr.replaceAll('\n', ' ') }).toEqual({
      ...piped,
      stderr: piped.stderr.replaceAll('\n', ' '),
    });
    expect(piped.stderr.split('\n')).toHaveLength(3);
    const widest = Math.max(...shown.stderr.split('\n').map((line) => line.length));
    expect(widest).toBeLessThanOrEqual(Math.min(terminal, 100));
  },
);
