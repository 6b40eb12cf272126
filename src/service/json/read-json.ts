import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type * as v from 'valibot';
import { type JsonIssue, pathTo } from './issue.ts';
import { type Reading, readValue } from './read-value.ts';

/** Maximum levels of lists and objects, so that no file can exhaust the stack. */
const maxDepth = 50;

/** What was expected at a syntax error, by the parser's name for the error. */
const expected: { [Name in string]?: string } = {
  PropertyNameExpected: 'a key in double quotes',
  ColonExpected: '":"',
  EndOfFileExpected: 'the end of the file',
};

/** True for keys that every JavaScript object has, or that the schema library ignores. */
const isReserved = (key: string) => key in Object.prototype || key === 'prototype';

class JsonSyntaxError extends Error {}

/** Reads a JSON text, or returns all its issues; a text that is not JSON has one, with its line and column. */
export function readJson<Schema extends v.GenericSchema>(
  given: string,
  schema: Schema,
): Reading<v.InferOutput<Schema>> {
  const text = given.replace(/^\uFEFF/, '');
  const issues = scanJson(text);
  if (issues.some(({ path }) => path === '')) return { issues };
  const reading = readValue(JSON.parse(text), schema);
  if (issues.length === 0) return reading;
  return { issues: 'issues' in reading ? [...issues, ...reading.issues] : issues };
}

/**
 * Finds what `JSON.parse` does not report: line and column of a syntax error, duplicate keys, of which all but the last would be
 * lost, and reserved keys. `JSON.parse` accepts a text without issues.
 */
export function scanJson(text: string): JsonIssue[] {
  const issues: JsonIssue[] = [];
  /** Keys of each open object; `undefined` for an open list. */
  const open: (Set<string> | undefined)[] = [];

  function stop(wanted: string, offset: number, line: number, column: number): never {
    const isEnd = /^[ \t\r\n]*$/.test(text.slice(offset));
    throw new JsonSyntaxError(
      `${positionOf(line, column)}: expected ${isEnd ? 'more, but the file ends' : wanted}`,
    );
  }

  function entered(kind: 'object' | 'list') {
    return (offset: number, _length: number, line: number, column: number) => {
      if (open.length > maxDepth) stop('fewer levels', offset, line, column);
      open.push(kind === 'object' ? new Set() : undefined);
    };
  }

  try {
    visit(
      text,
      {
        onObjectBegin: entered('object'),
        onArrayBegin: entered('list'),
        onObjectEnd: () => void open.pop(),
        onArrayEnd: () => void open.pop(),
        onObjectProperty(key, _offset, _length, line, column, parents) {
          const keys = open.at(-1);
          const path = [...parents(), key].reduce<string>(pathTo, '');
          if (isReserved(key)) issues.push({ path, message: 'this key is reserved' });
          if (keys?.has(key)) issues.push({ path, message: `is given twice (${positionOf(line, column)})` });
          keys?.add(key);
        },
        onError(code: ParseErrorCode, offset, _length, line, column) {
          const name = printParseErrorCode(code);
          const comma = open.at(-1) ? '"," or "}"' : '"," or "]"';
          stop(name === 'CommaExpected' ? comma : (expected[name] ?? 'JSON'), offset, line, column);
        },
      },
      { disallowComments: true },
    );
    return issues;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [{ path: '', message: error.message }];
    throw error;
  }
}

/** Formats line and column, which people count from 1. */
function positionOf(line: number, column: number): string {
  return `line ${line + 1}, column ${column + 1}`;
}
