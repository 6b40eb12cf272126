import fc from 'fast-check';
import { expect, test } from 'vitest';
import { integer, listOf, object, oneOf, record, string } from '../../../src/service/json/file-schemas.ts';
import { issueLines } from '../../../src/service/json/issue.ts';
import { readJson, scanJson } from '../../../src/service/json/read-json.ts';

test('text that JSON.parse rejects has an error with line and column, and text that it accepts has none', () => {
  const tidy = fc.json();
  const spoilt = fc
    .tuple(tidy, fc.nat(), fc.constantFrom(...'{}[],:"\\0.e-x \n'))
    .map(([text, at, letter]) => text.slice(0, at % text.length) + letter + text.slice(at % text.length));
  fc.assert(
    fc.property(fc.oneof(tidy, spoilt, fc.string()), (text) => {
      const syntax = scanJson(text).filter(({ path }) => path === '');
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(syntax).toEqual(
        parses ? [] : [{ path: '', message: expect.stringMatching(/^line \d+, column \d+: expected /) }],
      );
    }),
    { numRuns: 500 },
  );
});

const any = string(() => true, 'a text');
const schema = object({
  size: integer(1, 9),
  colours: listOf(oneOf(['red', 'green'])),
  names: record(any, any),
});

function issuesOf(text: string): string[] {
  const reading = readJson(text, schema);
  return 'issues' in reading ? issueLines(reading.issues) : [];
}

test('a byte order mark is ignored', () => {
  const text = '\uFEFF{"size":1,"colours":["red"],"names":{"a":"b"}}';
  expect(readJson(text, schema)).toEqual({ value: JSON.parse(text.slice(1)) });
});

test.each([
  [
    '{"size":1,"colours":["red"],"names":{},"constructor":1}',
    'constructor: this key is reserved',
    'constructor: unknown key',
  ],
  ['{"size":1,"colours":["red"],"names":{"__proto__":"x"}}', 'names.__proto__: this key is reserved'],
  ['{"size":1,"colours":["red"],"names":{"prototype":"x"}}', 'names.prototype: this key is reserved'],
  ['{"size":1,"colours":["red"],"names":{"a":"x","a":"y"}}', 'names.a: is given twice (line 1, column 46)'],
  ['{"size":1,"colours":["red"],"names":[]}', 'names: must be an object, not []'],
  ['{"size":1,"colours":{},"names":{}}', 'colours: must be a list, not {}'],
  [
    '{"siz":0,"colors":[],"size":0.5,"colours":["rad"]}',
    'siz: unknown key (did you mean size?)',
    'colors: unknown key (did you mean colours?)',
    'size: must be a whole number from 1 to 9, not 0.5',
    'colours[0]: must be one of red, green, not "rad" (did you mean red?)',
    'names: is missing',
  ],
])('all issues of %s are reported', (text, ...lines) => {
  const found = issuesOf(text);
  expect(found).toHaveLength(lines.length);
  for (const [index, line] of lines.entries())
    expect(found[index]?.startsWith(line), found[index]).toBe(true);
});
