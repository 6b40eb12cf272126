import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bashText, readBashLine } from '../../../src/cli/completion/bash-line.ts';

const wordBreaks = ' \t\n"\'@><=;|&(:';

test.each([
  ['tenant-users ', ['tenant-users'], '', 0, ''],
  ['tenant-users li', ['tenant-users'], 'li', 0, ''],
  ['tenant-users  list\t--output=j', ['tenant-users', 'list'], '--output=j', 9, ''],
  ['t --profile two\\ wo', ['t', '--profile'], 'two wo', 0, ''],
  ['t --profile "two wo', ['t', '--profile'], 'two wo', 0, '"'],
  ["t --profile='two wo", ['t'], '--profile=two wo', 10, "'"],
  ['t "a\\"b\\c" \'d\\e\' f"g h"', ['t', 'a"b\\c', 'd\\e'], 'fg h', 0, ''],
  ["t '' x", ['t', ''], 'x', 0, ''],
  ['t $(date) `id`', ['t', '$(date)'], '`id`', 0, ''],
])('the reader of a Bash line understands %j', (line, before, current, kept, quote) => {
  expect(readBashLine(line, wordBreaks)).toEqual({ before, current, kept, quote });
});

test('a word that completion inserts is read as the same word again', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text)),
      (word) => {
        const empty = readBashLine('t ', wordBreaks);
        const text = bashText(word, empty);
        expect(readBashLine(`t ${text} `, wordBreaks)).toMatchObject({ before: ['t', word], current: '' });
        expect(text).toMatch(/^(?:[\p{L}\p{N}_@%+=:,./-]|\\.)+$/su);
      },
    ),
  );
});

test.each(['"', "'"] as const)(
  'after an open %s completion inserts only what the quotes keep unchanged',
  (quote) => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (word) => {
        const text = bashText(word, readBashLine(`t ${quote}`, wordBreaks));
        if (text === undefined) expect(word).toMatch(/["$`\\!']/);
        else expect(readBashLine(`t ${quote}${text}${quote} `, wordBreaks).before).toEqual(['t', word]);
      }),
    );
  },
);
